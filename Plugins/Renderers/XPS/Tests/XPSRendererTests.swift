import Foundation
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import XPSRenderer

@Suite struct XPSRendererTests {
    private static let types = ["xps": "application/vnd.ms-xpsdocument", "oxps": "application/oxps"]

    /// A folder as a worker has one, gone with this object.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "xps-\(UUID().uuidString)").path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func draw(_ bytes: [UInt8], box: Int = 128, page: Int = 0) throws -> Rendering {
        let folder = try Folder()
        let renderer = try XPSRenderer(RendererEnvironment(pluginFolder: "/", privateFolder: folder.path))
        defer { #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == []) }
        let request = RenderRequest(box: box, mimeType: "application/oxps", page: page)
        return try renderer.render(BytesInput(bytes), request)
    }

    private func failure(_ bytes: [UInt8], page: Int = 0) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, page: page) }
        return try #require(error).code
    }

    @Test("It keeps the renderer's contract", arguments: ["xps", "oxps"])
    func conformance(ending: String) throws {
        let folder = try Folder()
        let type = try #require(Self.types[ending])
        let sample = RendererSample(
            ending, mimeType: type, bytes: try Fixtures.bytes("xps/pages.\(ending)"), pages: 2)
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            var environment = environment
            environment.privateFolder = folder.path
            return try XPSRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("Pages are drawn upright, each its own, with what the document says of itself", arguments: ["xps", "oxps"])
    func pages(ending: String) throws {
        let bytes = try Fixtures.bytes("xps/pages.\(ending)")
        let first = try draw(bytes)
        let check = QuadrantCheck(RGBAPicture(first.bitmap))
        #expect(check.arrangement == .upright && check.largestError < 0.01)
        #expect(first.bitmap.width == 128 && first.bitmap.height == 96)
        #expect(first.facts.pages == 2 && first.facts.title == "Vitrine on paper")
        #expect(first.facts.details[.author] == .text("Alice"))
        #expect(QuadrantCheck(RGBAPicture(try draw(bytes, page: 1).bitmap)).arrangement == .upsideDown)
        #expect(try failure(bytes, page: 2) == .invalidArgument)
    }

    /// A document with one red page, its parts written as `encode` does.
    private func written(_ encode: (String) -> [UInt8]) -> [UInt8] {
        let package = "http://schemas.openxmlformats.org/package/2006"
        let space = "http://schemas.microsoft.com/xps/2005/06"
        let kind = "application/vnd.ms-package.xps-"
        let types = [
            "rels": "application/vnd.openxmlformats-package.relationships+xml",
            "fdseq": kind + "fixeddocumentsequence+xml", "fdoc": kind + "fixeddocument+xml",
            "fpage": kind + "fixedpage+xml",
        ]
        let defaults = types.map { #"<Default Extension="\#($0.key)" ContentType="\#($0.value)"/>"# }.joined()
        let target = #"Type="\#(space)/fixedrepresentation" Target="/All.fdseq""#
        let parts: [(name: String, bytes: [UInt8])] = [
            ("[Content_Types].xml", Array(#"<Types xmlns="\#(package)/content-types">\#(defaults)</Types>"#.utf8)),
            (
                "_rels/.rels",
                Array(
                    #"<Relationships xmlns="\#(package)/relationships"><Relationship Id="a" \#(target)/></Relationships>"#
                        .utf8)
            ),
            (
                "All.fdseq",
                encode(
                    #"<FixedDocumentSequence xmlns="\#(space)"><DocumentReference Source="/1.fdoc"/></FixedDocumentSequence>"#
                )
            ),
            ("1.fdoc", encode(#"<FixedDocument xmlns="\#(space)"><PageContent Source="/1.fpage"/></FixedDocument>"#)),
            (
                "1.fpage",
                encode(
                    #"<FixedPage Width="96" Height="96" xmlns="\#(space)" xml:lang="en-US">"#
                        + ##"<Path Data="M 0,0 h 96 v 96 h -96 z" Fill="#FFFF0000"/></FixedPage>"##)
            ),
        ]
        return zipFile(parts, checksum: nil)
    }

    @Test("Parts in UTF-16 are read as those in UTF-8 are")
    func wide() throws {
        func little(_ text: String) -> [UInt8] {
            [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        }
        func big(_ text: String) -> [UInt8] {
            [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        }
        for bytes in [written { Array($0.utf8) }, written(little), written(big)] {
            let rendering = try draw(bytes, box: 16)
            #expect(rendering.facts.pages == 1 && rendering.bitmap.width == 16)
            let pixels = RGBAPicture(rendering.bitmap).pixels
            #expect(pixels.count == 16 * 16 * 4 && pixels.suffix(4) == [255, 0, 0, 255])
        }
        // One letter is missing of the page: what is left is no page.
        #expect(throws: PluginError.self) { try draw(written { little(String($0.dropLast())) }) }
    }

    @Test("What is no document, or a damaged one, is named")
    func bad() throws {
        let bytes = try Fixtures.bytes("xps/pages.oxps")
        #expect(try failure([]) == .empty)
        #expect(try failure(try Fixtures.bytes("image/rgb-8.png")) == .corrupt)
        #expect(try failure(Array(bytes.prefix(bytes.count / 3))) == .corrupt)
        #expect(try failure(zipFile([("a.txt", [65])])) == .corrupt)
        #expect(throws: PluginError.self) {
            try XPSRenderer(RendererEnvironment(pluginFolder: "/", privateFolder: nil))
        }
    }
}
