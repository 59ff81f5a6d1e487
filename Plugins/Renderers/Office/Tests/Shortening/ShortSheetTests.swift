import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite struct ShortSheetTests {
    private static let workbook = DocumentFormat(packing: .openXML, family: .spreadsheet, suffix: "xlsx")

    private func head(_ sheet: [UInt8]) -> String? {
        SheetHead(of: sheet).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func keepsTheFirstRows() throws {
        let whole = WorkbookPackage.sheet(rows: 8000)
        let cut = try #require(head(whole))
        #expect(cut.utf8.count < 300 << 10 && cut.contains("<v>255</v>"))
        #expect(cut.hasSuffix("</row></sheetData><pageMargins/></worksheet>"))
        // Rows that are seen, until they are high enough.
        let thin = try #require(head(WorkbookPackage.sheet(rows: 8000, row: "ht=\"1\" customHeight=\"1\"")))
        #expect(thin.split(separator: "<row ").count - 1 >= 744)
        let wide = WorkbookPackage.sheet(rows: 60, cells: 2000, row: "ht=\"30\" customHeight=\"1\"")
        #expect(try #require(head(wide)).split(separator: "<row ").count - 1 == 25)
    }

    /// What is written of a row's height holds where somebody chose it only.
    @Test(arguments: [
        ("ht=\"300\"", "", 149), ("ht=\"300\" customHeight=\"0\"", "", 149), ("ht=\"1\"", "", 745),
        ("", "<sheetFormatPr x:a=\"1\" defaultRowHeight=\"15\"/>", 149),
        ("", "<sheetFormatPr defaultRowHeight=\"2\"/>", 373),
    ]) func keepsMoreRowsThatMayBeLow(row: String, format: String, count: Int) throws {
        let sheet = WorkbookPackage.sheet(rows: 2000, cells: 160, row: row, before: format)
        #expect(try #require(head(sheet)).split(separator: "<row ").count - 1 == count)
        for hidden in ["<sheetFormatPr zeroHeight=\"1\"/>", "<sheetFormatPr defaultRowHeight='1'/>"] {
            #expect(head(WorkbookPackage.sheet(rows: 2000, cells: 160, before: hidden)) == nil)
        }
    }

    @Test(arguments: [
        "<drawing r:id=\"a\"/>", "<conditionalFormatting/>", "<x:conditionalFormattings/>", "<oleObjects/>",
        "<legacyDrawing r:id=\"a\"/>", "<x:sparklineGroups/>", "<!-- a comment -->",
    ]) func isLeftAloneWhereItShowsSomethingOfTheRest(behind: String) {
        #expect(head(WorkbookPackage.sheet(rows: 8000, behind: behind)) == nil)
    }

    @Test func isLeftAloneWhereItIsNotUnderstood() {
        #expect(head(WorkbookPackage.sheet(rows: 8000, first: "<f>SUM(A2:A8000)</f>")) == nil)
        #expect(head(WorkbookPackage.sheet(rows: 8000, row: "hidden=\"1\"")) == nil)
        #expect(head(WorkbookPackage.sheet(rows: 10)) == nil && head([]) == nil)
        let whole = WorkbookPackage.sheet(rows: 8000)
        for count in stride(from: 0, to: whole.count - 30, by: 199_991) {
            #expect(head(Array(whole.prefix(count))) == nil)
        }
        #expect(head((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }) == nil)
    }

    /// Of a very long one.
    @Test func needsNoMoreThanBothEnds() throws {
        let whole = WorkbookPackage.sheet(rows: 8000)
        let archive = zipPackage([("xl/a.xml", whole)], isPacked: true)
        let directory = try ZipDirectory(BytesInput(archive))
        func ends(_ head: Int, _ tail: Int) throws -> (head: [UInt8], tail: [UInt8])? {
            try directory.ends(of: directory.entries[0], head: head, tail: tail, in: BytesInput(archive))
        }
        let (head, tail) = try #require(try ends(600 << 10, 1000))
        let areEnds = head == Array(whole.prefix(600 << 10)) && tail == Array(whole.suffix(1000))
        let isSame = SheetHead(of: head, tail: tail)?.bytes == SheetHead(of: whole)?.bytes
        #expect(areEnds && isSame)
        #expect(try #require(try ends(whole.count, 1000)).tail == [])
        #expect(try #require(try ends(9, 9)).tail == whole.suffix(9))
        // Too little of the beginning, and of the end; and rows that end within the beginning.
        let refused = [
            SheetHead(of: Array(head.prefix(9000)), tail: tail), SheetHead(of: head, tail: Array(tail.suffix(20))),
            SheetHead(of: Array(whole.dropLast(5)), tail: Array(whole.suffix(5))),
        ]
        #expect(refused.map { $0 == nil } == [true, true, true])
        var damaged = archive
        damaged[39] ^= 0xFF
        #expect(try directory.ends(of: directory.entries[0], head: 9, tail: 9, in: BytesInput(damaged)) == nil)
    }

    @Test func isMadeWhereTheFirstSheetIsDrawnAndStandsForItself() {
        let sheet = WorkbookPackage.sheet(rows: 20_000)
        func isMade(_ first: String, _ relation: (String, isDamaged: Bool)? = nil) -> Bool {
            let book = WorkbookPackage.workbook(sheet, first: first, relation: relation)
            return ShortSheet(of: BytesInput(book), Self.workbook) != nil
        }
        #expect(isMade("") && isMade("state=\"visible\"") && isMade("", ("printerSettings", false)))
        #expect(!isMade("state=\"hidden\"") && !isMade("state=\"veryHidden\""))
        #expect(!isMade("", ("pivotTable", false)) && !isMade("", ("printerSettings", true)))
    }

    @Test func cutsTextsThatNoCellCanHold() throws {
        func part(_ text: String) -> String { "<sst><si><t>A</t></si><si>\(text)</si><si><t>B</t></si></sst>" }
        func cut(_ text: String) -> String? {
            CellTexts(shortening: Array(part(text).utf8)).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        let most = CellTexts.longestText
        let (long, wide) = (String(repeating: "a", count: most), String(repeating: "ä", count: most))
        #expect(cut("<t>\(long)</t>") == nil && cut("<t>\(wide)</t>") == nil)
        #expect(cut("<t>\(long)b</t>") == part("<t>\(long)</t>"))
        #expect(cut("<t>\(wide)öö</t>") == part("<t>\(wide)</t>"))
        // References to characters are one each, and stay whole.
        let signs = String(repeating: "&amp;", count: most)
        #expect(cut("<t>\(signs)</t>") == nil && cut("<t>\(signs)b</t>") == part("<t>\(signs)</t>"))
        #expect(cut("<t>\(long)&amp;</t>") == part("<t>\(long)</t>"))
        // Several runs are one text.
        let runs = String(repeating: "<r><t>\(long.dropLast(7))</t></r>", count: 3)
        let first = "<r><t>\(long.dropLast(7))</t></r><r><t>aaaaaaa</t></r><r><t></t></r>"
        #expect(cut(runs) == part(first))
        let apart = "\n" + String(repeating: " ", count: most)
        #expect(cut("\(apart)<r>\(apart)<t>\(long)</t>\(apart)</r>\(apart)") == nil)
        let several = String(repeating: "<x:si><x:t>\(long.dropLast(7))</x:t></x:si>", count: 3)
        #expect(CellTexts(shortening: Array("<x:sst>\(several)</x:sst>".utf8))?.bytes == nil)
    }

    @Test func leavesTextsAloneThatAreNotUnderstood() {
        let long = String(repeating: "a", count: CellTexts.longestText + 9)
        for text in ["<t><![CDATA[a > b \(long)]]></t>", "<t>\(long)<!-- b --></t>", "<t>\(long)\0</t>"] {
            #expect(CellTexts(shortening: Array("<sst><si>\(text)</si></sst>".utf8)) == nil)
        }
        #expect(CellTexts(shortening: Array("<sst".utf8)) == nil && CellTexts(shortening: []) == nil)
        #expect(CellTexts(shortening: Array(long.utf8)) == nil)
    }

    @Test func isMadeOfWorkbooksWithLongTexts() {
        func isMade(_ rows: Int, _ letters: Int) -> Bool {
            let text = Array("<sst><si><t>\(String(repeating: "a", count: letters))</t></si></sst>".utf8)
            let book = WorkbookPackage.workbook(WorkbookPackage.sheet(rows: rows), texts: text)
            return ShortSheet(of: BytesInput(book), Self.workbook) != nil
        }
        #expect(isMade(9, 1 << 20) && isMade(20_000, 9) && isMade(20_000, 1 << 20) && !isMade(9, 9))
    }

    @Test func isMadeOfLongWorkbooksOnly() {
        func short(_ rows: Int, _ format: DocumentFormat = Self.workbook) -> ShortSheet? {
            ShortSheet(of: BytesInput(WorkbookPackage.workbook(WorkbookPackage.sheet(rows: rows))), format)
        }
        #expect(short(20_000)?.allPages(whenShown: 2) == 2)
        #expect(short(1000) == nil)
        #expect(short(20_000, DocumentFormat(packing: .openXML, family: .text, suffix: "docx")) == nil)
        for bytes in [[], [0x50, 0x4B, 5, 6], zipPackage([("xl/worksheets/sheet1.xml", [1])])] {
            #expect(ShortSheet(of: BytesInput(bytes), Self.workbook) == nil)
        }
    }
}
