import Testing

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

    @Test func buttonsOfOpenDocumentAreLeftOut() {
        func without(_ text: String) -> String? { self.text(FilterButtons.withoutButtons(Array(text.utf8))) }
        let mark = "display-filter-buttons=\"true\""
        #expect(without("<r t:\(mark)/><p>\(mark)</p>") == "<r t:display-filter-buttons=\"xxxx\"/><p>\(mark)</p>")
        for text in ["<p>\(mark)</p>", "<r display-filter-buttons=\"false\"/>", mark] {
            #expect(without(text) == nil, "\(text)")
        }
    }
}
