import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

// Of an animation whose first frame is empty, the first that shows something.
extension ImageRendererTests {
    /// A GIF of two rows of two pixels, black and white, frame by frame; each pixel a code of 3 bits.
    private static func gif(_ frames: [[Int]]) -> [UInt8] {
        var file = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        for pixels in frames {
            // The code that clears comes before each pixel, so that codes do not become longer.
            let codes = pixels.flatMap { [4, $0] } + [5]
            let bits = codes.enumerated().reduce(0) { $0 | $1.element << (3 * $1.offset) }
            file += [0x21, 0xF9, 4, 4, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0]
            file += [2, 4] + little(bits, 4) + [0]
        }
        return file + [0x3B]
    }

    @Test("Of a GIF that begins with an empty frame, one is drawn that shows something")
    func emptyGIF() throws {
        let drawn = try draw(Self.gif([[0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 0, 1]]), mimeType: "image/gif")
        let picture = RGBAPicture(drawn.bitmap)
        #expect(picture.pixel(x: 0, y: 0).red == 255 && picture.pixel(x: 1, y: 0).red == 0)
        #expect(drawn.facts.size == PixelSize(width: 2, height: 2))
        // The first one, where it shows something, or where all are empty.
        let first = RGBAPicture(try draw(Self.gif([[0, 1, 1, 1], [1, 0, 0, 1]]), mimeType: "image/gif").bitmap)
        #expect(first.pixel(x: 0, y: 0).red == 0)
        let empty = RGBAPicture(try draw(Self.gif([[0, 0, 0, 0], [1, 1, 1, 1]]), mimeType: "image/gif").bitmap)
        #expect(empty.pixel(x: 1, y: 1).red == 0)
    }

    @Test("Of a WebP that begins with an empty frame or an empty part of one, one is drawn that shows something")
    func emptyWebP() throws {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 0 ? [] : [0])
        }
        let still = try Fixtures.bytes("image/lossy.webp")
        let plain = try draw(still, mimeType: "image/webp")
        let size = try #require(plain.facts.size)
        let sides = little(size.width - 1, 3) + little(size.height - 1, 3)
        let first = try #require(still.indices.first { still[$0...].starts(with: Array("VP8 ".utf8)) })
        let whole = chunk("ANMF", [UInt8](repeating: 0, count: 6) + sides + [40, 0, 0, 0] + still[first...])
        // One pixel, transparent, without a loss.
        let pixel: [UInt8] = [0x2F, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 7]
        let part = chunk("ANMF", [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0] + chunk("VP8L", pixel))
        let head = chunk("VP8X", [0x12, 0, 0, 0] + sides) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
        let content = Array("WEBP".utf8) + head + part + whole
        let drawn = try draw(Array("RIFF".utf8) + little(content.count, 4) + content, mimeType: "image/webp")
        #expect(drawn.facts.size == size)
        #expect(QuadrantCheck(RGBAPicture(drawn.bitmap)).arrangement == .upright)
    }

    @Test(
        "Of an animated PNG that begins with an empty frame, one is drawn that shows something, whatever the order of its rows",
        arguments: [false, true])
    func emptyPNG(isInterlaced: Bool) throws {
        let side = 8
        func rows(width: Int, height: Int, _ grey: (Int) -> UInt8) -> [UInt8] {
            // First column and row, and steps of both (PNG, Third Edition, 8.1).
            let adam7 = [
                (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
            ]
            var rows: [UInt8] = []
            for (left, top, across, down) in isInterlaced ? adam7 : [(0, 0, 1, 1)] where left < width {
                for _ in stride(from: top, to: height, by: down) {
                    rows += [0] + stride(from: left, to: width, by: across).map(grey)
                }
            }
            return PNGKind.stored(rows)
        }
        /// How a frame lies: a place, then what becomes of it and whether it covers (PNG, Third Edition, 11.3.6.2).
        func control(_ number: Int, x: Int, width: Int) -> [UInt8] {
            let place = big(number, 4) + big(width, 4) + big(side, 4) + big(x, 4) + big(0, 4)
            return Fixtures.chunk("fcTL", place + [0, 1, 0, 10, 0, 0])
        }
        func file(_ later: [UInt8]) -> [UInt8] {
            let header = big(side, 4) + big(side, 4) + [8, 0, 0, 0, isInterlaced ? 1 : 0]
            var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            file += Fixtures.chunk("IHDR", header)
            file += Fixtures.chunk("acTL", big(2, 4) + big(0, 4)) + control(0, x: 0, width: side)
            file += Fixtures.chunk("IDAT", rows(width: side, height: side) { _ in 200 })
            return file + later + Fixtures.chunk("IEND", [])
        }
        // The right half, in two pieces.
        let packed = rows(width: 4, height: side) { $0 == 0 ? 0 : 100 }
        let pieces =
            Fixtures.chunk("fdAT", big(2, 4) + packed.prefix(20))
            + Fixtures.chunk("fdAT", big(3, 4) + packed.dropFirst(20))
        let picture = RGBAPicture(try draw(file(control(1, x: 4, width: 4) + pieces)).bitmap)
        #expect([0, 3, 4, 5, 7].map { picture.pixel(x: $0, y: 7).red } == [200, 200, 0, 100, 100])
        // Frames that are damaged, or lie outside, are no reason to fail.
        for later in [control(1, x: 6, width: 4) + pieces, control(1, x: 4, width: 4), Array(pieces.prefix(9))] {
            #expect(RGBAPicture(try draw(file(later)).bitmap).pixel(x: 7, y: 7).red == 200)
        }
    }
}
