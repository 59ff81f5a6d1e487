import CPicture
import Picture
import Testing
import VitrineKit

@Suite struct PictureEncoderTests {
    /// An orange in each format, and what a PNG must say of it.
    static let oranges: [(Bitmap.PixelFormat, [UInt8], [UInt8])] = [
        (.bgraPremultiplied, [0, 64, 128, 128], [255, 128, 0, 128]),
        (.bgraPremultiplied, [10, 100, 200, 255], [200, 100, 10, 255]),
        (.bgrx, [10, 100, 200, 0], [200, 100, 10, 255]),
        (.rgba, [200, 100, 10, 77], [200, 100, 10, 77]),
        (.rgbx, [200, 100, 10, 33], [200, 100, 10, 255]),
    ]

    @Test("A picture that fits is written as it is", arguments: oranges)
    func unscaled(format: Bitmap.PixelFormat, pixel: [UInt8], expected: [UInt8]) throws {
        let picture = try EncodedPicture(.drawn(5, 3, format) { _, _ in pixel }, box: 128)
        #expect(picture.size == PixelSize(width: 5, height: 3), "it is never enlarged")
        #expect(picture.isAll(expected))
    }

    @Test("An even area keeps its colour at any scale", arguments: oranges, [2, 7, 64, 99])
    func solid(_ orange: (Bitmap.PixelFormat, [UInt8], [UInt8]), box: Int) throws {
        let picture = try EncodedPicture(.drawn(100, 61, orange.0) { _, _ in orange.1 }, box: box)
        #expect(max(picture.size.width, picture.size.height) == box)
        let expected = orange.2
        // Multiplying by alpha and back costs at most half a step of alpha.
        let tolerance = expected[3] == 255 ? 0 : 255 / Int(expected[3]) / 2 + 1
        for start in stride(from: 0, to: picture.pixels.count, by: 4) {
            for channel in 0..<4 {
                let difference = Int(picture.pixels[start + channel]) - Int(expected[channel])
                #expect(abs(difference) <= (channel == 3 ? 0 : tolerance))
            }
        }
    }

    @Test("Colours are converted once, of the small picture alone, whatever the bitmap's format", arguments: oranges)
    func convertedColours(format: Bitmap.PixelFormat, pixel: [UInt8], expected: [UInt8]) throws {
        var counts: [Int] = []
        let picture = try EncodedPicture(.drawn(100, 60, format) { _, _ in pixel }, box: 10) { pixels in
            counts.append(pixels.count)
            for start in stride(from: 0, to: pixels.count, by: 4) { pixels.swapAt(start, start + 2) }
        }
        #expect(counts == [10 * 6 * 4])
        // Multiplying by alpha and back costs a step.
        for (seen, wanted) in zip(picture[5, 3], [expected[2], expected[1], expected[0], expected[3]]) {
            #expect(abs(Int(seen) - Int(wanted)) <= 1)
        }
    }

    @Test("A gradient stays where it was")
    func gradient() throws {
        let picture = try EncodedPicture(.drawn(256, 128, .rgbx) { x, y in [UInt8(x), UInt8(y), 0, 0] }, box: 64)
        #expect(picture.size == PixelSize(width: 64, height: 32))
        for y in 2..<30 {
            for x in 2..<62 {
                // The mean of source pixels 4x … 4x+3.
                #expect(abs(Int(picture[x, y][0]) - (4 * x + 2)) <= 1, "column \(x)")
                #expect(abs(Int(picture[x, y][1]) - (4 * y + 2)) <= 1, "row \(y)")
            }
        }
    }

    @Test("An edge stays sharp: one pixel away from it both colours are whole", arguments: [48, 100, 250])
    func edge(box: Int) throws {
        let picture = try EncodedPicture(
            .drawn(1000, 10, .rgbx) { x, _ in x < 500 ? [0, 0, 0, 0] : [255, 255, 255, 0] }, box: box)
        #expect(picture[box / 2 - 3, 0][0] < 10)
        #expect(picture[box / 2 + 2, 0][0] > 245)
    }

    @Test("Rows of any length are weighed alike, however many pixels a processor takes at once")
    func anyWidth() throws {
        func scaled(_ pixels: [UInt8], _ width: Int, _ height: Int, to size: PixelSize) -> [UInt8] {
            var made = [UInt8](repeating: 0, count: size.width * size.height * 4)
            pixels.withUnsafeBufferPointer { pixels in
                var source = cpicture_source(
                    pixels: pixels.baseAddress, stride: width * 4, width: CInt(width), height: CInt(height),
                    format: CPICTURE_RGBX)
                #expect(cpicture_scale(&source, CInt(size.width), CInt(size.height), &made) == CPICTURE_DONE)
            }
            return made
        }
        /// Each pixel so often.
        func widened(_ pixels: [UInt8], _ times: Int) -> [UInt8] {
            var wide: [UInt8] = []
            for start in stride(from: 0, to: pixels.count, by: 4) {
                for _ in 0..<times { wide += pixels[start..<start + 4] }
            }
            return wide
        }
        // Lines of one colour each, and the same lying on its side.
        var lines: [UInt8] = []
        for step in 0..<100 { lines += [UInt8(step * 97 % 256), UInt8(step * 53 % 256), UInt8(step), 255] }
        let one = scaled(lines, 1, 100, to: PixelSize(width: 1, height: 40))
        for width in 2...80 {
            let tall = scaled(widened(lines, width), width, 100, to: PixelSize(width: width, height: 40))
            #expect(tall == widened(one, width), "\(width)")
            let rows = Array(repeatElement(lines, count: width).joined())
            let wide = scaled(rows, 100, width, to: PixelSize(width: 40, height: width))
            #expect(wide == Array(repeatElement(one, count: width).joined()), "\(width)")
        }
    }

    @Test("Transparent pixels lend no colour to their neighbours")
    func alpha() throws {
        // Opaque red beside what is transparent, but green underneath.
        let picture = try EncodedPicture(
            .drawn(64, 64, .rgba) { x, _ in x < 33 ? [255, 0, 0, 255] : [0, 255, 0, 0] }, box: 16)
        let column = picture[8, 8]
        #expect(column[3] > 0 && column[3] < 255, "the edge is half transparent")
        for x in 0..<16 { #expect(picture[x, 8][1] == 0, "no green at \(x)") }
        #expect(picture[15, 8] == [0, 0, 0, 0])
        #expect(picture[0, 8] == [255, 0, 0, 255])
    }

    @Test(
        "Odd shapes become at least one pixel each way",
        arguments: [
            (1, 1, 1, 1), (1, 1000, 1, 16), (1000, 1, 16, 1), (3, 997, 1, 16), (32_767, 2, 16, 1), (17, 17, 16, 16),
            (16, 16, 16, 16), (31, 16, 16, 8),
        ])
    func oddSizes(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) throws {
        let picture = try EncodedPicture(.drawn(width, height, .rgbx) { _, _ in [9, 8, 7, 0] }, box: 16)
        #expect(picture.size == PixelSize(width: expectedWidth, height: expectedHeight))
        #expect(picture.isAll([9, 8, 7, 255]))
    }

    @Test("The PNG has no chunk but the necessary ones, 8 bits with alpha, not interlaced")
    func structure() throws {
        let picture = try EncodedPicture(
            .drawn(300, 200, .bgrx) { x, y in [UInt8(x & 255), UInt8(y), 3, 0] }, box: 256)
        #expect(Set(picture.chunks) == ["IHDR", "IDAT", "IEND"])
        #expect(picture.chunks.first == "IHDR" && picture.chunks.last == "IEND")
        #expect(Array(picture.png[24..<29]) == [8, 6, 0, 0, 0])
    }

    @Test("The same picture gives the same bytes")
    func deterministic() throws {
        let bitmap = try Bitmap.drawn(333, 222, .rgba) { x, y in [UInt8(x & 255), UInt8(y), 3, UInt8(x * y & 255)] }
        #expect(try EncodedPicture(bitmap, box: 100).png == EncodedPicture(bitmap, box: 100).png)
    }

    @Test("Memory that is too small is an error at every length, and nothing is written past it")
    func noRoom() throws {
        // Noise, which does not become smaller.
        var state: UInt32 = 1
        let bitmap = try Bitmap.drawn(200, 150, .rgbx) { _, _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return [UInt8(state >> 24), UInt8(state >> 16 & 255), UInt8(state >> 8 & 255), 0]
        }
        let whole = try EncodedPicture(bitmap, box: 200).png
        for capacity in [0, 1, 8, 33, 40, 1000, whole.count / 2, whole.count - 12, whole.count - 1] {
            var memory = [UInt8](repeating: 0xEE, count: whole.count + 64)
            let error = #expect(throws: PluginError.self) {
                try memory.withUnsafeMutableBytes {
                    try PictureEncoder.encode(bitmap, box: 200, into: .init(rebasing: $0[..<capacity]))
                }
            }
            #expect(error?.code == .limitExceeded)
            #expect(memory[capacity...].allSatisfy { $0 == 0xEE })
        }
        var exact = [UInt8](repeating: 0, count: whole.count)
        let encoded = try exact.withUnsafeMutableBytes { try PictureEncoder.encode(bitmap, box: 200, into: $0) }
        #expect(encoded.length == whole.count && exact == whole)
    }

    @Test("A box below one pixel is refused", arguments: [0, -1])
    func noBox(box: Int) throws {
        let bitmap = try Bitmap(width: 1, height: 1, format: .rgbx)
        let error = #expect(throws: PluginError.self) {
            try PictureEncoder.encode(bitmap, box: box, into: .init(start: nil, count: 0))
        }
        #expect(error?.code == .invalidArgument)
    }
}
