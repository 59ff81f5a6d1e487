import Testing
import VitrineKit
import VitrineTesting

@testable import ImageRenderer

/// Thumbnails that are filled up to whole blocks, and pictures that are turned.
@Suite(.serialized) struct HEIFFillingTests {
    private func filling(_ wide: Int, _ high: Int, turns: Int) -> HEIFFilling? {
        HEIFFilling(PixelSize(width: wide, height: high), said: PixelSize(width: 320, height: 212), turns: turns)
    }

    @Test("What pictures are filled up with lies on the right and below, and is turned with them")
    func places() throws {
        #expect(filling(320, 212, turns: 0) == nil)
        let upright = try #require(filling(336, 256, turns: 0))
        #expect(upright.x == 0 && upright.y == 0 && upright.size == PixelSize(width: 320, height: 212))
        let left = try #require(filling(256, 336, turns: 1))
        #expect(left.x == 0 && left.y == 16 && left.size == PixelSize(width: 212, height: 320))
        let half = try #require(filling(336, 256, turns: 2))
        #expect(half.x == 16 && half.y == 44 && half.size == PixelSize(width: 320, height: 212))
        let right = try #require(filling(256, 336, turns: 3))
        #expect(right.x == 44 && right.y == 0 && right.size == PixelSize(width: 212, height: 320))
        // Smaller than said, by more than a block, and not turned.
        for (wide, high, turns) in [(319, 256, 0), (384, 212, 0), (336, 256, 1), (336, 256, 3)] {
            #expect(filling(wide, high, turns: turns) == nil, "\(wide) × \(high)")
        }
    }

    private func rendering(_ bytes: [UInt8], _ use: EmbeddedUse = .auto) throws -> Rendering {
        let renderer = try ImageRenderer(RendererEnvironment(pluginFolder: Fixtures.pluginFolder))
        var request = RenderRequest(box: 60, mimeType: "image/heif")
        request.embedded = use
        return try renderer.render(BytesInput(bytes), request)
    }

    @Test("A thumbnail is shown without what it is filled up with")
    func thumbnail() throws {
        var bytes = try Fixtures.bytes("image/thumbnail.heic")
        let sizes = bytes.indices.filter { bytes[$0...].starts(with: Array("ispe".utf8)) }
        let size = try #require(sizes.last { bytes[$0 + 11] == 80 && bytes[$0 + 15] == 60 })
        // As if the last columns and the last row did not belong to it.
        (bytes[size + 11], bytes[size + 15]) = (78, 59)
        let taken = try rendering(bytes)
        #expect(taken.embedded == "HEIF thumbnail" && taken.bitmap.width == 78 && taken.bitmap.height == 59)
        #expect(QuadrantCheck(RGBAPicture(taken)).arrangement == .upright)
    }
}
