import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

extension OfficeRendererTests {
    /// The text of a page that LibreOffice has to tell.
    private func told(_ bytes: [UInt8], _ suffix: String, page: Int = 0) throws -> String? {
        var request = RenderRequest(box: 64, mimeType: Documents.types[suffix] ?? "", page: page)
        (request.asksPage, request.wantsPageText) = (true, true)
        return try Self.office.draw(bytes, request).facts.text
    }

    /// LibreOffice's library names a filter for drawings in one file that there is not.
    @Test func tellsTheTextOfEachPageOfADrawing() throws {
        let drawing = Documents.drawing(["First", "Second"])
        #expect(try told(drawing, "fodg") == "First\n")
        #expect(try told(drawing, "fodg", page: 1) == "Second\n")
    }
}
