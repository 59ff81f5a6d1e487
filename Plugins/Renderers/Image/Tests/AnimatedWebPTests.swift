import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

extension ImageRendererTests {
    @Test("Of an animated WebP the first frame is drawn, however many there are, turned as its camera says")
    func animatedWebP() throws {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 0 ? [] : [0])
        }
        let still = try Fixtures.bytes("image/lossy.webp")
        let plain = try draw(still, mimeType: "image/webp")
        let size = try #require(plain.facts.size)
        let sides = little(size.width - 1, 3) + little(size.height - 1, 3)
        let first = try #require(still.indices.first { still[$0...].starts(with: Array("VP8 ".utf8)) })
        let frame = chunk("ANMF", [UInt8](repeating: 0, count: 6) + sides + [40, 0, 0, 0] + still[first...])
        // Orientation 6.
        let camera: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
        ]
        // More of them than ImageMagick lists.
        let frames = [[UInt8]](repeating: frame, count: 1000).flatMap(\.self)
        let head = chunk("VP8X", [0x0A, 0, 0, 0] + sides) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
        let content = Array("WEBP".utf8) + head + frames + chunk("EXIF", camera)
        let drawn = try draw(Array("RIFF".utf8) + little(content.count, 4) + content, mimeType: "image/webp")
        #expect(drawn.facts.size == PixelSize(width: size.height, height: size.width))
        #expect(drawn.bitmap.width == plain.bitmap.height)
        let (from, to) = (RGBAPicture(plain), RGBAPicture(drawn))
        #expect(to.pixel(x: to.width - 1, y: 0) == from.pixel(x: 0, y: 0))
    }
}
