import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite("Cells have the dates and percentages that people see")
struct NumberFormatsTests {
    private static let styles = """
        <styleSheet><numFmts><numFmt numFmtId='164' formatCode='dd/mm/yyyy hh:mm'/></numFmts>\
        <cellStyleXfs><xf numFmtId='9'/></cellStyleXfs>\
        <cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='10'/><xf numFmtId='164'/><xf numFmtId='21'/>\
        <xf numFmtId='46'/></cellXfs><dxfs><xf numFmtId='9'/>\
        <dxf><numFmt numFmtId='164' formatCode='General'/></dxf></dxfs></styleSheet>
        """

    private func text(_ row: String, book: String = "", styles: String = styles) -> String? {
        let parts = [
            ("xl/workbook.xml", "<w xmlns:r='r'>\(book)<sheet name='A' r:id='r1'/></w>"),
            ("xl/_rels/workbook.xml.rels", "<R><Relationship Id='r1' Target='a.xml'/></R>"), ("xl/styles.xml", styles),
            ("xl/a.xml", "<s><row>\(row)</row></s>"),
        ]
        let package = BytesInput(zipPackage(parts.map { (name: $0.0, bytes: Array($0.1.utf8)) }))
        let format = DocumentFormat(packing: .openXML, family: .spreadsheet, suffix: "xlsx")
        return DocumentText(of: package, format, page: 0)?.text
    }

    private func cell(_ value: String, style: Int, book: String = "") -> String? {
        text("<c s='\(style)'><v>\(value)</v></c>", book: book)
    }

    @Test(arguments: [
        ("46082", 1, "2026-03-01"), ("46082.75", 1, "2026-03-01 18:00:00"), ("46082.75", 3, "2026-03-01 18:00:00"),
        ("1", 1, "1900-01-01"), ("59", 1, "1900-02-28"), ("61", 1, "1900-03-01"), ("60", 1, "60"), ("0", 1, "0"),
        ("2958465.5", 1, "9999-12-31 12:00:00"), ("0.125", 2, "12.5%"), ("0.07", 2, "7%"), ("-1.5", 2, "-150%"),
        ("0.5", 4, "12:00:00"), ("0.999999", 4, "00:00:00"), ("46082.75", 4, "2026-03-01 18:00:00"),
        ("1.5", 5, "36:00:00"), ("46082", 0, "46082"),
    ])
    func numbers(value: String, style: Int, expected: String) {
        #expect(cell(value, style: style) == expected + "\n")
    }

    @Test func workbooksMayCountFrom1904() {
        for value in ["1", "true"] {
            let book = "<workbookPr date1904='\(value)'/>"
            #expect(cell("44620", style: 1, book: book) == "2026-03-01\n")
            #expect(cell("0", style: 1, book: book) == "1904-01-01\n")
        }
        #expect(cell("46082", style: 1, book: "<workbookPr date1904='0'/>") == "2026-03-01\n")
    }

    @Test(
        arguments: [
            ("General", .number), ("0.00", .number), ("#,##0 \"days\"", .number), ("[Red]0", .number),
            ("0\\d", .number),
            ("0_d", .number), ("@", .number), ("0;[h]", .number), ("yyyy", .date), ("[$-407]d. mmm yyyy;@", .date),
            ("MMM", .date),
            ("[$-F800]dddd", .date), ("h:mm AM/PM", .time), ("mm:ss", .time), ("[h]:mm", .duration),
            ("[ss]", .duration),
            ("0.0%", .percentage), ("\"", .number), ("[", .number), ("", .number),
        ] as [(String, NumberFormats.Kind)])
    func codes(code: String, kind: NumberFormats.Kind) {
        #expect(NumberFormats.kind(ofCode: code) == kind)
    }

    @Test(arguments: ["1e308", "-1e308", "nan", "inf", "-1", "2958466", "x", ""])
    func numbersOutOfRangeStayAsTheyAreWritten(value: String) {
        for style in [-1, 1, 3, 4, 5, 99, Int.max] {
            let found = text("<c s='\(style)'><v>\(value)</v></c><c><v>7</v></c>")
            #expect(found == "\(value)\t7\n", "\(style)")
        }
        _ = cell(value, style: 2)
    }

    @Test func textsAndTruthsAreNoDates() {
        #expect(text("<c s='1' t='str'><v>46082</v></c><c s='1' t='b'><v>1</v></c>") == "46082\tTRUE\n")
        #expect(text("<c s='1'><v>46082</v></c>", styles: "<damaged") == "46082\n")
    }
}
