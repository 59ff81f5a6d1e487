/// Documents that tests write as flat XML.
enum Documents {
    static let types = [
        "fodt": "application/vnd.oasis.opendocument.text-flat-xml",
        "fods": "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "doc": "application/msword", "xls": "application/vnd.ms-excel", "rtf": "application/rtf",
    ]

    private static func document(_ type: String, styles: String, body: String) -> [UInt8] {
        let office = "urn:oasis:names:tc:opendocument:xmlns:"
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <office:document xmlns:office="\(office)office:1.0" xmlns:style="\(office)style:1.0" \
            xmlns:text="\(office)text:1.0" xmlns:table="\(office)table:1.0" \
            xmlns:fo="\(office)xsl-fo-compatible:1.0" office:version="1.3" \
            office:mimetype="application/vnd.oasis.opendocument.\(type)">
            <office:automatic-styles>\(styles)</office:automatic-styles><office:body>\(body)</office:body>
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

    /// A workbook with a coloured cell on each sheet that has a colour.
    static func sheets(_ colors: [String?]) -> [UInt8] {
        let styles = colors.enumerated().map { number, color in
            """
            <style:style style:name="c\(number)" style:family="table-cell"><style:table-cell-properties \
            fo:background-color="#\(color ?? "FFFFFF")"/></style:style>
            """
        }
        let sheets = colors.enumerated().map { number, color in
            let style = color == nil ? "" : " table:style-name=\"c\(number)\""
            return """
                <table:table table:name="S\(number)"><table:table-row><table:table-cell\(style)/></table:table-row>\
                </table:table>
                """
        }
        return document(
            "spreadsheet", styles: styles.joined(),
            body: "<office:spreadsheet>\(sheets.joined())</office:spreadsheet>")
    }
}
