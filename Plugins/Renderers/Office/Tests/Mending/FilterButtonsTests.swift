import Testing
import VitrineKit

@testable import OfficeRenderer

/// What is a filter, and what only looks like one.
@Suite struct FilterButtonsTests {
    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func filtersOfSheetsAreLeftOut() {
        func without(_ text: String) -> String? { self.text(FilterButtons.withoutFilters(Array(text.utf8))) }
        #expect(without("<autoFilter ref='A1'/>") == "<xxxxxxxxxx ref='A1'/>")
        #expect(without("<a><x:autoFilter>b</x:autoFilter></a>") == "<a><x:xxxxxxxxxx>b</x:xxxxxxxxxx></a>")
        for text in ["<t>autoFilter </t>", "<t autoFilter='1'/>", "<autoFilters/>", "autoFilter", "a>autoFilter>"] {
            #expect(without(text) == nil, "\(text)")
        }
    }

    /// Records of one, of a type of one byte, and of a length of two, in which the same bytes mean nothing.
    @Test func filtersOfRecordsAreLeftOut() throws {
        let long = [0x01, 130, 1] + [UInt8](repeating: 0xA1, count: 130)
        let table: [UInt8] = [0xD7, 2, 1, 9] + [0xA1, 1, 4, 0xA1, 1, 0xA2, 1] + [0xA3, 1, 0] + [0xA2, 1, 0] + long
        var expected = table
        (expected[5], expected[15]) = (0x7F, 0x7F)
        #expect(FilterButtons.withoutRecords(table) == expected)
        for other: [UInt8] in [
            [], [0xA1], [0xA1, 1], [0xA1, 2, 0], [0x81, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xA1, 1, 0], long,
        ] {
            #expect(FilterButtons.withoutRecords(other) == nil, "\(other)")
        }
        let package = BytesInput(
            zipPackage([("xl/tables/a.bin", table), ("xl/b.bin", table), ("xl/worksheets/c.bin", long)]))
        let format = try #require(DocumentFormat.named("application/vnd.ms-excel.sheet.binary.macroEnabled.12"))
        let changed = FilterButtons.partsWithout(try ZipDirectory(package), in: package, format)
        #expect(changed == ["xl/tables/a.bin": expected])
    }

    @Test func buttonsOfOpenDocumentAreLeftOut() {
        func without(_ text: String) -> String? { self.text(FilterButtons.withoutButtons(Array(text.utf8))) }
        let mark = "display-filter-buttons=\"true\""
        #expect(without("<r t:\(mark)/><p>\(mark)</p>") == "<r t:display-filter-buttons=\"xxxx\"/><p>\(mark)</p>")
        for text in ["<p>\(mark)</p>", "<r display-filter-buttons=\"false\"/>", mark] {
            #expect(without(text) == nil, "\(text)")
        }
    }
}
