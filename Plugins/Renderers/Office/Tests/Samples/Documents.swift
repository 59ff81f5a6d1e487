/// Documents that tests write as flat XML.
enum Documents {
    static let types = [
        "fodp": "application/vnd.oasis.opendocument.presentation-flat-xml",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "fodg": "application/vnd.oasis.opendocument.graphics-flat-xml",
        "fodt": "application/vnd.oasis.opendocument.text-flat-xml",
        "odt": "application/vnd.oasis.opendocument.text",
        "odm": "application/vnd.oasis.opendocument.text-master",
        "otm": "application/vnd.oasis.opendocument.text-master-template",
        "oth": "application/vnd.oasis.opendocument.text-web",
        "fods": "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
        "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "wmf": "image/wmf", "pict": "image/x-pict", "dxf": "image/vnd.dxf", "doc": "application/msword",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xls": "application/vnd.ms-excel", "rtf": "application/rtf",
        "vsdx": "application/vnd.ms-visio.drawing.main+xml", "wpd": "application/vnd.wordperfect",
        "abw": "application/x-abiword", "gnumeric": "application/x-gnumeric",
    ]

    private static func document(_ type: String, styles: String, body: String, masters: String = "") -> [UInt8] {
        let office = "urn:oasis:names:tc:opendocument:xmlns:"
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <office:document xmlns:office="\(office)office:1.0" xmlns:style="\(office)style:1.0" \
            xmlns:text="\(office)text:1.0" xmlns:table="\(office)table:1.0" \
            xmlns:fo="\(office)xsl-fo-compatible:1.0" xmlns:draw="\(office)drawing:1.0" \
            xmlns:presentation="\(office)presentation:1.0" xmlns:svg="\(office)svg-compatible:1.0" \
            xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3" \
            office:mimetype="application/vnd.oasis.opendocument.\(type)">
            <office:automatic-styles>\(styles)</office:automatic-styles><office:master-styles>\(masters)\
            </office:master-styles><office:body>\(body)</office:body>
            </office:document>
            """.utf8)
    }

    /// A text with a paragraph on a coloured ground on each page.
    /// - Parameter colors: as RRGGBB.
    static func text(pages colors: [String]) -> [UInt8] {
        let styles = colors.enumerated().map { number, color in
            """
            <style:style style:name="p\(number)" style:family="paragraph"><style:paragraph-properties \
            fo:background-color="#\(color)" \(number > 0 ? "fo:break-before=\"page\"" : "")/></style:style>
            """
        }
        let paragraphs = colors.indices.map { "<text:p text:style-name=\"p\($0)\">Page</text:p>" }
        return document(
            "text", styles: styles.joined(), body: "<office:text>\(paragraphs.joined())</office:text>")
    }

    /// A drawing with a frame of words on each page.
    static func drawing(_ words: [String]) -> [UInt8] {
        let pages = words.map { "<draw:page>\(frame($0))</draw:page>" }
        return document("graphics", styles: "", body: "<office:drawing>\(pages.joined())</office:drawing>")
    }

    private static func frame(_ words: String) -> String {
        """
        <draw:frame text:anchor-type="paragraph" svg:width="5cm" svg:height="2cm"><draw:text-box><text:p>\(words)</text:p>\
        </draw:text-box></draw:frame>
        """
    }

    /// A text of one page, which is a left one.
    static func leftPage(_ color: String) -> [UInt8] {
        let styles = """
            <style:page-layout style:name="left" style:page-usage="left"><style:page-layout-properties \
            fo:page-width="21cm" fo:page-height="29.7cm"/></style:page-layout>\
            <style:style style:name="p" style:family="paragraph" style:master-page-name="Left">\
            <style:paragraph-properties fo:background-color="#\(color)"/></style:style>
            """
        return document(
            "text", styles: styles, body: "<office:text><text:p text:style-name=\"p\">Page</text:p></office:text>",
            masters: "<style:master-page style:name=\"Left\" style:page-layout-name=\"left\"/>")
    }

    /// A workbook as Excel wrote it in one file of XML, since Office XP, with a coloured cell.
    static func workbook2003(_ color: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
            <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" \
            xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles><Style ss:ID="s"><Interior \
            ss:Color="#\(color)" ss:Pattern="Solid"/></Style></Styles><Worksheet ss:Name="S"><Table><Row>\
            <Cell ss:StyleID="s"><Data ss:Type="String">Cell</Data></Cell></Row></Table></Worksheet></Workbook>
            """.utf8)
    }

    /// A text as Word 2003 wrote it in one file of XML. LibreOffice leaves out most of its format.
    static let text2003 = Array(
        """
        <?xml version="1.0" standalone="yes"?><?mso-application progid="Word.Document"?>
        <w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body><w:p><w:r><w:t>Page</w:t></w:r>\
        </w:p></w:body></w:wordDocument>
        """.utf8)

    /// A workbook with a coloured cell on each sheet that has a colour.
    /// - Parameters:
    ///   - hidden: the name of a sheet that is hidden, beside one before it and one behind.
    ///   - isProtected: whether sheets can be neither hidden nor shown.
    static func sheets(_ colors: [String?], hidden: String? = nil, isProtected: Bool = false) -> [UInt8] {
        let hiding = """
            <style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>
            """
        let styles = colors.enumerated().map { number, color in
            """
            <style:style style:name="c\(number)" style:family="table-cell"><style:table-cell-properties \
            fo:background-color="#\(color ?? "FFFFFF")"/></style:style>
            """
        }
        let sheets = colors.enumerated().map { number, color in
            let style = color == nil ? "" : " table:style-name=\"c\(number)\""
            let name = number == 1 && hidden != nil ? "\(hidden ?? "")\" table:style-name=\"h" : "S\(number)"
            return """
                <table:table table:name="\(name)"><table:table-row><table:table-cell\(style)/></table:table-row>\
                </table:table>
                """
        }
        return document(
            "spreadsheet", styles: styles.joined() + hiding,
            body: """
                <office:spreadsheet\(isProtected ? " table:structure-protected=\"true\"" : "")>\(sheets.joined())\
                </office:spreadsheet>
                """)
    }

    /// A workbook with a sheet that has a coloured cell with a word in it, and one below to the left.
    /// - Parameters:
    ///   - column: of the coloured one, counted from 0, at least 2.
    ///   - row: the same.
    static func farCells(_ color: String, column: Int, row: Int) -> [UInt8] {
        let word = "office:value-type=\"string\"><text:p>Word</text:p></table:table-cell>"
        func line(_ column: Int, _ style: String) -> String {
            """
            <table:table-row><table:table-cell table:number-columns-repeated="\(column)"/>\
            <table:table-cell \(style) \(word)</table:table-row>
            """
        }
        let style = """
            <style:style style:name="c" style:family="table-cell"><style:table-cell-properties fo:background-color="#\(color)"/>\
            </style:style>
            """
        return document(
            "spreadsheet", styles: style,
            body: """
                <office:spreadsheet><table:table table:name="S"><table:table-row table:number-rows-repeated="\(row)">\
                <table:table-cell/></table:table-row>\(line(column, "table:style-name=\"c\""))\(line(column - 1, ""))\
                </table:table></office:spreadsheet>
                """)
    }

    /// A text with a table that has no borders.
    static func bareTable() -> [UInt8] {
        let row = "<table:table-row><table:table-cell><text:p/></table:table-cell></table:table-row>"
        return document("text", styles: "", body: "<office:text><table:table>\(row)\(row)</table:table></office:text>")
    }

    /// A text of a few blanks with a comment on them.
    static func commentedText() -> [UInt8] {
        document(
            "text", styles: "",
            body: """
                <office:text><text:p><office:annotation office:name="c"><dc:creator>A</dc:creator><text:p>Words</text:p>\
                </office:annotation><text:s text:c="20"/><office:annotation-end office:name="c"/></text:p></office:text>
                """)
    }

    /// The content of a presentation with a slide for each colour that covers it from edge to edge; without one, with an
    /// empty title.
    static func slides(_ colors: [String?]) -> [UInt8] {
        let size = "svg:width=\"28cm\" svg:height=\"15.75cm\""
        let styles = """
            <style:page-layout style:name="L"><style:page-layout-properties fo:page-width="28cm" fo:page-height="15.75cm" \
            fo:margin="0cm"/></style:page-layout><style:style style:name="T" style:family="presentation"/>
            """
        let shapes = colors.enumerated().map { number, color in
            """
            <style:style style:name="g\(number)" style:family="graphic"><style:graphic-properties draw:stroke="none" \
            draw:fill="solid" draw:fill-color="#\(color ?? "FFFFFF")"/></style:style>
            """
        }
        let pages = colors.enumerated().map { number, color in
            let content =
                color == nil
                ? "<draw:frame presentation:class=\"title\" presentation:placeholder=\"true\" "
                    + "presentation:style-name=\"T\" \(size) svg:x=\"0cm\" svg:y=\"0cm\"><draw:text-box/></draw:frame>"
                : "<draw:rect draw:style-name=\"g\(number)\" \(size) svg:x=\"0cm\" svg:y=\"0cm\"/>"
            return "<draw:page draw:name=\"P\(number)\" draw:master-page-name=\"M\">\(content)</draw:page>"
        }
        return document(
            "presentation", styles: shapes.joined() + styles,
            body: "<office:presentation>\(pages.joined())</office:presentation>",
            masters: "<style:master-page style:name=\"M\" style:page-layout-name=\"L\"/>")
    }
}
