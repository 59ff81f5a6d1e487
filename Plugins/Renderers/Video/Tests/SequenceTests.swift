import MediaSamples
import RendererFixtures
import Testing
import VideoRenderer
import VitrineKit
import VitrineTesting

/// Pictures that follow one another in a file of pictures, with none beside them.
@Suite struct SequenceTests {
    let samples = try? MediaSamples()

    private func draw(_ bytes: [UInt8], _ type: String) throws -> Rendering {
        let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: 256, mimeType: type))
    }

    @Test("A sequence is drawn as a film", arguments: [("avis", "image/avif"), ("msf1", "image/heif")])
    func sequence(brand: String, type: String) throws {
        let samples = try #require(samples)
        var bytes = try samples.bytes(samples.video("a.mp4", "color=red:s=64x48,pad=128:48:0:0:blue"))
        // The file says of itself, and of its track, that they are pictures.
        bytes.replaceSubrange(8..<12, with: brand.utf8)
        let handler = try #require(bytes.indices.first { bytes[$0...].starts(with: "vide".utf8) })
        bytes.replaceSubrange(handler..<handler + 4, with: "pict".utf8)
        let bitmap = try draw(bytes, type).bitmap
        #expect(bitmap.size == PixelSize(width: 128, height: 48))
        #expect(alike(bitmap.color(0.25, 0.5), red) && alike(bitmap.color(0.75, 0.5), blue))
    }

    @Test("A picture by itself is no film, at whatever moment")
    func still() throws {
        let bytes = try Fixtures.bytes("image/bright.avif")
        let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
        for time in [nil, 3.0] {
            var request = RenderRequest(box: 256, mimeType: "image/avif")
            request.time = time
            #expect(RendererFixtures.failure { try renderer.render(BytesInput(bytes), request) } == .unsupported)
        }
    }

    @Test("What is wrong with a picture is left to others to tell")
    func picture() throws {
        let box = Array("ftypavis".utf8) + [0, 0, 0, 0] + Array("avismsf1".utf8)
        let bytes = [0, 0, 0, UInt8(box.count + 4)] + box + [UInt8](repeating: 0, count: 64)
        #expect(RendererFixtures.failure { try draw(bytes, "image/avif") } == .unsupported)
        #expect(RendererFixtures.failure { try draw(bytes, "video/mp4") } == .corrupt)
    }
}
