import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite struct DocumentDamageTests {
    private func reason(_ bytes: [UInt8], _ packing: DocumentFormat.Packing) -> String? {
        (try? DocumentDamage.found(in: BytesInput(bytes), packing))?.message
    }

    /// A server that goes away.
    private final class LostInput: RandomAccessInput {
        let size: Int64 = 1000
        let fileDescriptor: CInt? = nil

        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
            throw PluginError(.offline, "the server is gone")
        }
    }

    @Test func namesThePartThatIsNoXML() throws {
        let part = Array("<a>\n<b></a>".utf8)
        let found = try #require(reason(zipPackage([("word/document.xml", part)]), .openXML))
        #expect(found.contains("'word/document.xml' is no XML") && found.contains("line 2"), "\(found)")
        #expect(reason(zipPackage([("word/document.xml", Array("<a/>".utf8))]), .openXML) == nil)
    }

    @Test func namesThePartThatCannotBeUnpacked() throws {
        var file = zipPackage([("content.xml", Array("<a/>".utf8))], isPacked: true)
        // The kind of the block, behind a header of 30 bytes and the name.
        file[30 + 11] = 7
        let found = try #require(reason(file, .openDocument))
        #expect(found == "the document's part 'content.xml' cannot be unpacked: it is damaged")
    }

    @Test func saysNothingOfPartsThatAreEmptyOrTooLarge() {
        let part = Array("<a/>".utf8)
        #expect(reason(zipPackage([("content.xml", part), ("styles.xml", [])]), .openDocument) == nil)
        #expect(reason(zipPackage([("content.xml", part)], claimedSize: 65 << 20), .openDocument) == nil)
    }

    @Test(arguments: [DocumentFormat.Packing.openXML, .compound])
    func isNotFoundWhereReadingFails(packing: DocumentFormat.Packing) {
        let error = #expect(throws: PluginError.self) { try DocumentDamage.found(in: LostInput(), packing) }
        #expect(error?.code == .offline)
    }

    @Test func namesDeclaredEntities() throws {
        let part = Array("<!DOCTYPE a [<!ENTITY e SYSTEM \"http://example.org/\">]><a>&e;</a>".utf8)
        let found = try #require(reason(zipPackage([("word/document.xml", part)]), .openXML))
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
