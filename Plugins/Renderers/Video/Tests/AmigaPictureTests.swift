import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import VideoRenderer

/// Pictures in IFF (EA IFF 85, ILBM and PBM), which libav reads as films of one frame.
@Suite struct AmigaPictureTests {
    private static let palette: [[UInt8]] = [[214, 48, 49], [46, 164, 79], [45, 92, 206], [241, 205, 55]]

    /// The motif without its arrow, 64 × 40, in as many planes of bits as it needs, or in bytes (PBM).
    private func picture(
        bytes: Bool = false, planes: Int = 2, mode: UInt32? = nil, shape: [UInt8] = [1, 1], transparent: Bool = false
    ) -> [UInt8] {
        let (width, height) = (64, 40)
        func value(_ x: Int, _ y: Int) -> Int { (x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2) }
        var body: [UInt8] = []
        for y in 0..<height {
            if bytes {
                body += (0..<width).map { UInt8(value($0, y)) }
                continue
            }
            for plane in 0..<planes {
                body += stride(from: 0, to: width, by: 8).map { start in
                    (0..<8).reduce(0) { $0 << 1 | UInt8(value(start + $1, y) >> plane & 1) }
                }
            }
        }
        let head: [UInt8] =
            [0, 64, 0, 40, 0, 0, 0, 0, UInt8(bytes ? 8 : planes), transparent ? 2 : 0, 0, 0, 0, 1] + shape
            + [0, 64, 0, 40]
        var chunks = chunk("BMHD", head) + chunk("CMAP", Self.palette.flatMap(\.self))
        if let mode { chunks += chunk("CAMG", bigEndian(mode)) }
        return chunk("FORM", Array((bytes ? "PBM " : "ILBM").utf8) + chunks + chunk("BODY", body))
    }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + bigEndian(UInt32(content.count)) + content
    }

    private func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func drawn(_ bytes: [UInt8]) throws -> Rendering { try render(BytesInput(bytes)) }

    @Test("Planes of bits, bytes and held colours are shown")
    func kinds() throws {
        // Of six planes the two upper ones say what is kept of the pixel before.
        for bytes in [picture(), picture(bytes: true), picture(planes: 6, mode: 0x800)] {
            let rendering = try drawn(bytes)
            #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
            #expect(rendering.facts.size == PixelSize(width: 64, height: 40))
            #expect(rendering.facts.duration == nil && rendering.facts.pages == nil)
        }
    }

    @Test("Pixels that are not square get their shape, and the colour that is none shows what lies behind")
    func shapes() throws {
        #expect(try drawn(picture(shape: [5, 10])).facts.size == PixelSize(width: 64, height: 80))
        let seen = RGBAPicture(try drawn(picture(transparent: true)).bitmap)
        #expect(seen.pixel(x: 50, y: 8).alpha == 0 && seen.pixel(x: 10, y: 8).alpha == 255)
    }

    @Test("It keeps the renderer's contract")
    func conformance() {
        let sample = RendererSample("ILBM", mimeType: "image/x-ilbm", bytes: picture())
        let suite = RendererConformance(samples: [sample]) { environment throws(PluginError) in
            try VideoRenderer(environment)
        }
        #expect(suite.violations() == [])
    }
}
