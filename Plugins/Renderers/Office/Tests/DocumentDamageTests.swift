import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite struct DocumentDamageTests {
    private func reason(_ bytes: [UInt8], _ packing: DocumentFormat.Packing) -> String? {
        DocumentDamage.found(in: BytesInput(bytes), packing)?.message
    }

    @Test func namesThePartThatIsNoXML() throws {
        let part = Array("<a>\n<b></a>".utf8)
        let found = try #require(reason(zipFile([("word/document.xml", part)]), .openXML))
        #expect(found.contains("'word/document.xml' is no XML") && found.contains("line 2"), "\(found)")
        #expect(reason(zipFile([("word/document.xml", Array("<a/>".utf8))]), .openXML) == nil)
    }

    @Test func namesDeclaredEntities() throws {
        let part = Array("<!DOCTYPE a [<!ENTITY e SYSTEM \"http://example.org/\">]><a>&e;</a>".utf8)
        let found = try #require(reason(zipFile([("word/document.xml", part)]), .openXML))
        #expect(found.contains("declares a document type"), "\(found)")
    }

    @Test func tellsWhatIsMissing() throws {
        var file = compoundFile([("Workbook", [UInt8](repeating: 1, count: 60_000))])
        file.removeLast(40_000)
        let found = try #require(reason(file, .compound))
        #expect(found.contains("'Workbook' is said to have 60000 bytes"), "\(found)")
        #expect(found.hasSuffix("the whole file has \(file.count)"))
        #expect(reason(compoundFile([("Workbook", [1])]), .compound) == nil)
        #expect(reason([1, 2, 3], .compound) == nil && reason([], .openXML) == nil)
    }
}
