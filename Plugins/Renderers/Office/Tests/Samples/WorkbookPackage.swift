/// Makes workbooks in SpreadsheetML, as they lie in xlsx files.
enum WorkbookPackage {
    private static let schemas = "http://schemas.openxmlformats.org/"
    private static let names = """
        xmlns="\(schemas)spreadsheetml/2006/main" xmlns:r="\(schemas)officeDocument/2006/relationships" xmlns:x="urn:x"
        """

    /// A worksheet with a number in each cell, those of a row alike.
    /// - Parameters:
    ///   - row: what each row says of itself.
    ///   - first: what stands in the first cell before its number.
    ///   - column: where the first cell of each row is, such as `AZ`; in the first one when it is empty.
    ///   - before: what stands before the rows.
    ///   - behind: what stands behind them.
    static func sheet(
        rows: Int, cells: Int = 4, row: String = "", first: String = "", column: String = "", before: String = "",
        behind: String = "<pageMargins/>"
    ) -> [UInt8] {
        var text = "<?xml version=\"1.0\"?>\n<worksheet \(names)>\(before)<sheetData>"
        for number in 1...rows {
            text += "<row r=\"\(number)\" \(row)>"
            for cell in 0..<cells {
                let place = cell == 0 && !column.isEmpty ? " r=\"\(column)\(number)\"" : ""
                text += "<c\(place)>\(number == 1 && cell == 0 ? first : "")<v>\(number)</v></c>"
            }
            text += "</row>"
        }
        return Array((text + "</sheetData>\(behind)</worksheet>").utf8)
    }

    /// A workbook with this sheet, and a short one behind it.
    /// - Parameters:
    ///   - sheet: the first one.
    ///   - first: what the workbook says of it.
    ///   - relation: the type of a relation that the first one has, and whether it can be read; `nil` for none.
    ///   - texts: the part with the texts of its cells, to which nothing refers.
    ///   - list: what the workbook says behind its list of sheets.
    ///   - others: more parts.
    static func workbook(
        _ sheet: [UInt8], first: String = "", relation: (type: String, isDamaged: Bool)? = nil, texts: [UInt8]? = nil,
        names list: String = "", others: [(name: String, bytes: [UInt8])] = []
    ) -> [UInt8] {
        let type = "application/vnd.openxmlformats-officedocument.spreadsheetml."
        let overrides = [
            ("/xl/workbook.xml", "sheet.main"), ("/xl/worksheets/a.xml", "worksheet"),
            ("/xl/worksheets/b.xml", "worksheet"),
        ].map { "<Override PartName=\"\($0)\" ContentType=\"\(type)\($1)+xml\"/>" }
        let types = """
            <Types xmlns="\(schemas)package/2006/content-types"><Default Extension="rels" \
            ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\(overrides.joined())</Types>
            """
        let sheets = ["a", "b"].enumerated().map { number, name in
            "<sheet name=\"\(name)\" sheetId=\"\(number + 1)\" \(number == 0 ? first : "") r:id=\"\(name)\"/>"
        }
        let related = relation.map { type, isDamaged in
            let list = relations([("p", type, "../other.xml")])
            return ("xl/worksheets/_rels/a.xml.rels", Array(list.dropLast(isDamaged ? 9 : 0)))
        }
        let main = "<workbook \(names)><sheets>\(sheets.joined())</sheets>\(list)</workbook>"
        let parts: [(name: String, bytes: [UInt8])] = [
            ("[Content_Types].xml", Array(types.utf8)),
            ("_rels/.rels", relations([("w", "officeDocument", "xl/workbook.xml")])),
            ("xl/workbook.xml", Array(main.utf8)),
            (
                "xl/_rels/workbook.xml.rels",
                relations([
                    ("a", "worksheet", "worksheets/a.xml"), ("b", "worksheet", "worksheets/b.xml"),
                    ("t", "sharedStrings", "texts.xml"),
                ])
            ),
            ("xl/worksheets/a.xml", sheet), ("xl/worksheets/b.xml", Self.sheet(rows: 3)),
        ]
        return zipPackage(parts + others + (related.map { [$0] } ?? []) + (texts.map { [("xl/texts.xml", $0)] } ?? []))
    }

    /// A workbook whose first sheet has a comment on an empty cell (ISO/IEC 29500-1, 18.7; its box as in part 4, 19.4.2).
    /// - Parameter isShown: whether it is always seen.
    static func commented(isShown: Bool) -> [UInt8] {
        let comments = """
            <comments \(names)><authors><author>A</author></authors><commentList><comment ref="A1" authorId="0"><text>\
            <r><t>Words</t></r></text></comment></commentList></comments>
            """
        let box = """
            <xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="s" \
            fillcolor="#729fcf" style="position:absolute;width:113pt;height:57pt;\(isShown ? "" : "visibility:hidden")">\
            <x:ClientData ObjectType="Note"><x:Anchor>2, 18, 2, 4, 3, 84, 6, 11</x:Anchor><x:Row>0</x:Row><x:Column>0\
            </x:Column>\(isShown ? "<x:Visible/>" : "")</x:ClientData></v:shape></xml>
            """
        let sheet = "<worksheet \(names)><sheetData/><legacyDrawing r:id=\"v\"/></worksheet>"
        return workbook(
            Array(sheet.utf8),
            others: [
                (
                    "xl/worksheets/_rels/a.xml.rels",
                    relations([("c", "comments", "../comments.xml"), ("v", "vmlDrawing", "../comments.vml")])
                ), ("xl/comments.xml", Array(comments.utf8)), ("xl/comments.vml", Array(box.utf8)),
            ])
    }

    private static func relations(_ items: [(id: String, type: String, target: String)]) -> [UInt8] {
        let list = items.map { id, type, target in
            "<Relationship Id=\"\(id)\" Type=\"\(schemas)officeDocument/2006/relationships/\(type)\" Target=\"\(target)\"/>"
        }
        return Array(
            "<Relationships xmlns=\"\(schemas)package/2006/relationships\">\(list.joined())</Relationships>".utf8)
    }
}
