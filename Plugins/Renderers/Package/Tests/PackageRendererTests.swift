import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import PackageRenderer

@Suite(.serialized) struct PackageRendererTests {
    private static func draw(
        _ bytes: [UInt8], box: Int = 128, page: Int = 0, embedded: EmbeddedUse = .auto
    ) throws -> Rendering {
        let renderer = try PackageRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: box, mimeType: "application/x-krita", page: page)
        request.embedded = embedded
        return try renderer.render(BytesInput(bytes), request)
    }

    private static func failure(_ bytes: [UInt8], embedded: EmbeddedUse = .auto) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, embedded: embedded) }
        return try #require(error).code
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: [
            "slides.key", "table.numbers", "letter.pages", "painting.kra", "layers.ora", "part.3mf", "part.FCStd",
        ])
    func conformance(name: String) throws {
        let sample = RendererSample(
            name, mimeType: "application/x-krita", bytes: try Fixtures.bytes("package/\(name)"))
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try PackageRenderer(environment)
        }
        #expect(suite.violations() == [])
        let rendering = try Self.draw(try Fixtures.bytes("package/\(name)"))
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
    }

    @Test("The smallest picture that is large enough is taken, and previews not at all when they are not wanted")
    func choice() throws {
        let painting = try Fixtures.bytes("package/painting.kra")
        let small = try Self.draw(painting, box: 64)
        #expect(small.bitmap.width == 80 && small.embedded != nil && small.facts.size == nil)
        let whole = try Self.draw(painting, box: 128)
        #expect(whole.bitmap.width == 160 && whole.embedded == nil)
        #expect(whole.facts.size == PixelSize(width: 160, height: 120))
        #expect(try Self.draw(painting, box: 64, embedded: .never).bitmap.width == 160)
        let letter = try Fixtures.bytes("package/letter.pages")
        #expect(try Self.draw(letter, box: 512).bitmap.width == 160)
        #expect(try Self.failure(letter, embedded: .never) == .unsupported)
    }

    @Test("What is broken, locked, too large or without a picture says so")
    func bad() throws {
        let good = (name: "preview.png", bytes: try Fixtures.bytes("image/rgb-8.png"))
        let claim = try Fixtures.bytes("bad/huge-claim.png")
        #expect(try Self.failure([]) == .empty)
        #expect(try Self.failure([1, 2, 3, 4, 5]) == .corrupt)
        #expect(try Self.failure(zipFile([])) == .unsupported)
        #expect(try Self.failure(zipFile([(name: "picture.png", bytes: good.bytes)])) == .unsupported)
        #expect(try Self.failure(zipFile([(name: "preview.png", bytes: [1, 2, 3])])) == .unsupported)
        #expect(try Self.failure(zipFile([(name: "preview.png", bytes: claim)])) == .limitExceeded)
        #expect(try Self.failure(zipFile([(name: "preview.png", bytes: Array(good.bytes.prefix(80)))])) == .corrupt)
        // One that is damaged leaves the other.
        let rendering = try Self.draw(zipFile([(name: "mergedimage.png", bytes: [1, 2, 3]), good]))
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
        #expect(throws: PluginError.self) { try Self.draw(zipFile([good]), page: 1) }
    }
}
