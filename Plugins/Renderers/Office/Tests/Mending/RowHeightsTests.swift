import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

/// Rows of workbooks that leave it to Excel how high they are.
@Suite struct RowHeightsTests {
    /// Fonts of 11 and 40 points; the second style of cells has the large one, as has a style of styles.
    private static let styles = """
        <styleSheet><fonts><font><sz val="11"/></font><font><b/><sz val="40"/></font></fonts><cellStyleXfs>\
        <xf fontId="1"/></cellStyleXfs><cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="7"/></cellXfs>\
        <dxfs><dxf><font><sz val="72"/></font></dxf></dxfs></styleSheet>
        """

    private func sheet(_ rows: String, format: String = "<sheetFormatPr defaultRowHeight=\"15\"/>") -> String {
        "<worksheet>\(format)<sheetData>\(rows)</sheetData></worksheet>"
    }

    private func changed(_ sheet: String) -> String? {
        RowHeights.withHeights(Array(sheet.utf8), [1: 52.5, 2: 30]).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func knowsStylesThatNeedMoreThanUsual() {
        #expect(RowHeights.heights(Array(Self.styles.utf8)) == [1: 52.5])
        #expect(RowHeights.heights(Array("<styleSheet><cellXfs><xf fontId='0'/>".utf8)) == [:])
        #expect(RowHeights.heights(Array(Self.styles.replacing("\"40\"", with: "\"1e9\"").utf8)) == [1: 409])
    }

    @Test func givesRowsTheHeightOfTheirLargestLetters() {
        let rows = "<row r=\"1\"><c s=\"2\"><v>1</v></c><c s=\"1\"><v>2</v></c></row><row><c s=\"2\"><v>3</v></c></row>"
        let high = rows.replacing("<row r", with: "<row ht=\"52.5\" customHeight=\"1\" r")
            .replacing("<row><c", with: "<row ht=\"30.0\" customHeight=\"1\"><c")
        #expect(changed(sheet(rows)) == sheet(high))
        #expect(changed(sheet(rows, format: "")) == sheet(high, format: ""))
        let format = "<sheetFormatPr defaultRowHeight=\"40\"/>"
        let one = high.replacing(" ht=\"30.0\" customHeight=\"1\"", with: "")
        #expect(changed(sheet(rows, format: format)) == sheet(one, format: format))
    }

    @Test func leavesOthersAlone() {
        let cell = "<c s=\"1\"><v>1</v></c>"
        for row in [
            "<row ht=\"20\">\(cell)</row>", "<row ht='20'>\(cell)</row>", "<row customHeight=\"0\">\(cell)</row>",
            "<row><c s=\"1\"/></row>", "<row/>", "<row><c><v>1</v></c></row>", "<row><c s=\"x\"><v>1</v></c></row>", "",
        ] { #expect(changed(sheet(row)) == nil, "\(row)") }
        for format in ["customHeight=\"1\"", "zeroHeight=\"1\"", "defaultRowHeight=\"60\""] {
            #expect(changed(sheet("<row>\(cell)</row>", format: "<sheetFormatPr \(format)/>")) == nil, "\(format)")
        }
        #expect(changed("<worksheet><sheetData><!-- \(cell) --></sheetData></worksheet>") == nil)
        #expect(changed("<worksheet/>") == nil)
    }

    @Test func changesTheSheetsOfAWorkbook() throws {
        let format = DocumentFormat(packing: .openXML, family: .spreadsheet, suffix: "xlsx")
        let rows = sheet("<row><c s=\"1\"><v>1</v></c></row>")
        let input = BytesInput(
            zipPackage([
                ("xl/styles.xml", Array(Self.styles.utf8)), ("xl/worksheets/a.xml", Array(rows.utf8)),
                ("xl/worksheets/b.xml", Array(sheet("").utf8)), ("xl/other.xml", Array(rows.utf8)),
            ]))
        let found = RowHeights.partsWithThem(try ZipDirectory(input), in: input, format, changed: ["xl/c.xml": [1]])
        #expect(found.keys.sorted() == ["xl/c.xml", "xl/worksheets/a.xml"])
        #expect(String(decoding: found["xl/worksheets/a.xml"] ?? [], as: UTF8.self).contains("<row ht=\"52.5\""))
    }

    @Test func looksAtSoManyBytesOnly() throws {
        let format = DocumentFormat(packing: .openXML, family: .spreadsheet, suffix: "xlsx")
        let rows = Array(sheet("<row><c s=\"1\"><v>1</v></c></row>").utf8)
        let long = rows + [UInt8](repeating: 0x20, count: 6 << 20)
        let input = BytesInput(
            zipFile([
                ("xl/styles.xml", Array(Self.styles.utf8)), ("xl/worksheets/a.xml", long),
                ("xl/worksheets/b.xml", long), ("xl/worksheets/c.xml", long), ("xl/worksheets/d.xml", rows),
            ]))
        let found = RowHeights.partsWithThem(try ZipDirectory(input), in: input, format, changed: [:])
        #expect(found.keys.sorted() == ["a", "b", "d"].map { "xl/worksheets/\($0).xml" })
    }
}
