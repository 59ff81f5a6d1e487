import Testing

@testable import OfficeRenderer

/// What is set for the program that opens a document, and what only looks like it.
@Suite struct OpeningSettingTests {
    private func unset(_ setting: OpeningSetting, _ text: String) -> String? {
        setting.unset(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func reloadingIsUnset() {
        #expect(unset(.reload, "<m:auto-reload a='b'/>") == "<m:xxxxxxxxxxx a='b'/>")
        #expect(unset(.reload, "<auto-reload></auto-reload>") == "<xxxxxxxxxxx></xxxxxxxxxxx>")
        #expect(unset(.reload, "<t>auto-reload </t><m:auto-reload/>") == "<t>auto-reload </t><m:xxxxxxxxxxx/>")
    }

    @Test func theGridIsUnset() {
        let item = #"<c:item c:name="GridIsVisible" c:type="boolean">"#
        #expect(unset(.grid, item + "true</c:item>" + item + "false<") == item + "xxxx</c:item>" + item + "false<")
    }

    @Test func wordsRemain() {
        for text in [
            "<text:p>How auto-reload works</text:p>", "<t a='auto-reload '/>", "auto-reload", "<auto-reloads/>",
            "<t>auto-reload</t>",
        ] { #expect(unset(.reload, text) == nil, "\(text)") }
        for text in [
            #"<c:item c:name="GridIsVisible">false</c:item>"#, #"<p>"GridIsVisible" is >true</p>"#,
            #"<i n="GridIsVisible""#,
            #"<i n="GridIsVisible">truest</i>"#, #""GridIsVisible">true</i>"#,
        ] { #expect(unset(.grid, text) == nil, "\(text)") }
    }
}
