import Finishing
import Testing
import VitrineKit

@testable import Picture

/// Crops, sheets and placeholders; what needs the encoders is among the tests of `vitrine get`.
@Suite struct FinisherTests {
    /// Nothing here is written but PNG.
    private struct NoWriter: PictureWriter {
        func encode(
            _ frames: UnsafePointer<UInt8>, count: Int, _ size: PixelSize, _ finish: Finish,
            into memory: UnsafeMutableRawBufferPointer
        ) throws(PluginError) -> Int { throw PluginError(.unsupported, "PNG only") }
    }

    private func png(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) throws -> [UInt8] {
        try EncodedPicture(.drawn(width, height, .rgba, pixel), box: max(width, height)).png
    }

    private func finish(
        _ previews: [[UInt8]], box: Int, labels: [String] = [], _ change: (inout Finish) -> Void
    ) throws -> (size: PixelSize, pixels: [UInt8]) {
        var finish = Finish()
        change(&finish)
        var memory = [UInt8](repeating: 0, count: box * box * 5 + 4096)
        let all = previews.flatMap { $0 }
        let made = try all.withUnsafeBytes { bytes in
            var start = 0
            let parts = previews.map { preview in
                defer { start += preview.count }
                return UnsafeRawBufferPointer(rebasing: bytes[start..<start + preview.count])
            }
            return try memory.withUnsafeMutableBytes {
                try PictureFinisher(writer: NoWriter()).finish(parts, box: box, finish, labels: labels, into: $0)
            }
        }
        let pixels = try memory.withUnsafeBytes {
            try Pixels(png: UnsafeRawBufferPointer(rebasing: $0[..<made.length]), most: 1 << 20)
        }
        #expect(PixelSize(width: pixels.width, height: pixels.height) == made.size)
        return (made.size, Array(UnsafeBufferPointer(start: pixels.start, count: pixels.count * 4)))
    }

    /// Grey, with a patch of noise at x 150 to 179.
    private func patch(_ x: Int, _ y: Int) -> [UInt8] {
        let isNoise = 150..<180 ~= x && (x * 7 + y * 13 + x * y) % 5 < 2
        return isNoise ? [230, 120, 60, 255] : [128, 128, 128, 255]
    }

    @Test(arguments: [
        (Finish.Anchor.center, 75), (.focus(x: 0, y: 0), 0), (.focus(x: 1000, y: 0), 150),
        (.focus(x: 500, y: 1000), 75),
    ])
    func aSquareIsCutWhereItShall(_ anchor: Finish.Anchor, _ first: Int) throws {
        let picture = try png(200, 50) { x, _ in [UInt8(x), 0, 0, 255] }
        let made = try finish([picture], box: 50) { $0.fit = .cover(anchor) }
        #expect(made.size == PixelSize(width: 50, height: 50))
        #expect(Int(made.pixels[0]) == first)
    }

    @Test(arguments: [Finish.Anchor.attention, .entropy])
    func theInterestingPartIsKept(_ anchor: Finish.Anchor) throws {
        let wide = try png(200, 50, patch)
        let tall = try png(50, 200) { x, y in patch(y, x) }
        for picture in [wide, tall] {
            let made = try finish([picture], box: 50) { $0.fit = .cover(anchor) }
            #expect(made.size == PixelSize(width: 50, height: 50))
            let noise = stride(from: 0, to: made.pixels.count, by: 4).filter { made.pixels[$0] > 200 }.count
            #expect(noise > 400, "\(noise)")
        }
        // An even picture is cut in the middle.
        let even = try png(90, 30) { x, _ in 30..<60 ~= x ? [9, 9, 9, 255] : [9, 9, 9, 254] }
        let made = try finish([even], box: 30) { $0.fit = .cover(anchor) }
        #expect(stride(from: 3, to: made.pixels.count, by: 4).allSatisfy { made.pixels[$0] == 255 })
    }

    @Test(arguments: [(30, 20), (20, 30), (500, 20), (64, 64), (1, 1), (1, 300)])
    func nothingIsEnlarged(_ width: Int, _ height: Int) throws {
        let picture = try png(width, height) { _, _ in [10, 20, 30, 255] }
        let side = min(64, width, height)
        let cover = try finish([picture], box: 64) { $0.fit = .cover(.attention) }
        #expect(cover.size == PixelSize(width: side, height: side))
        let contain = try finish([picture], box: 64) { $0.background = .white }
        let longest = max(contain.size.width, contain.size.height)
        #expect(longest == min(64, max(width, height)))
        #expect(contain.pixels.prefix(4) == [10, 20, 30, 255])
    }

    @Test func aBackgroundShowsThrough() throws {
        let picture = try png(8, 8) { x, _ in [200, 100, 0, x < 4 ? 0 : 128] }
        let made = try finish([picture], box: 8) { $0.background = PictureColor(0, 0, 255) }
        #expect(made.pixels.prefix(4) == [0, 0, 255, 255])
        #expect(made.pixels[28..<32] == [100, 50, 127, 255])
        let plain = try finish([picture], box: 8) { _ in }
        #expect(plain.pixels[31] == 128)
    }

    @Test func aSheetHoldsAllInTheirOrder() throws {
        let colours: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 0, 255]]
        let previews = try colours.map { colour in try png(40, 30) { _, _ in colour } }
        let made = try finish(previews, box: 300, labels: ["1", "2", "3", "10"]) {
            $0.arrangement = .sheet(columns: 3, rows: 3, isNumbered: true)
            $0.background = PictureColor(9, 9, 9)
        }
        let geometry = try #require(SheetGeometry(box: 300, columns: 3, rows: 3, isNumbered: true))
        #expect(made.size.width == 3 * 40 + 4 * geometry.margin)
        #expect(made.size.height == 2 * (30 + geometry.labelHeight) + 3 * geometry.margin)
        func pixel(_ x: Int, _ y: Int) -> [UInt8] {
            let at = (y * made.size.width + x) * 4
            return Array(made.pixels[at..<at + 4])
        }
        for (index, colour) in colours.enumerated() {
            let x = geometry.margin + index % 3 * (40 + geometry.margin) + 20
            let y = geometry.margin + index / 3 * (30 + geometry.labelHeight + geometry.margin) + 15
            #expect(pixel(x, y) == colour)
            // Something is written below it.
            let below = (y + 16..<min(made.size.height, y + 15 + geometry.labelHeight)).flatMap { row in
                (x - 12..<x + 12).map { pixel($0, row) }
            }
            #expect(below.contains { $0[0] > 120 && $0[0] == $0[1] })
        }
        #expect(pixel(0, 0) == [9, 9, 9, 255])
        let error = #expect(throws: PluginError.self) {
            try finish(previews, box: 3) { $0.arrangement = .sheet(columns: 2, rows: 2, isNumbered: false) }
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test func whatIsNoPNGIsRefused() throws {
        let sound = try png(8, 8) { _, _ in [1, 2, 3, 255] }
        for bytes in [Array("GIF89a".utf8), Array(sound.prefix(40)), [0]] {
            let error = #expect(throws: PluginError.self) { try finish([bytes], box: 8) { _ in } }
            #expect(error?.code == .corrupt)
        }
    }

    /// Computed by another implementation of the format.
    @Test func placeholdersAreThumbHashes() throws {
        func hash(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) throws -> [UInt8] {
            let bitmap = try Bitmap.drawn(width, height, .rgba, pixel)
            var memory = [UInt8](repeating: 0, count: 20_000)
            return try memory.withUnsafeMutableBytes {
                try PictureEncoder.encode(bitmap, box: 32, wantsPlaceholder: true, into: $0).placeholder
            }
        }
        let opaque = try hash(32, 24) { x, y in
            [UInt8(x * x * y / 200), UInt8(x * y * y / 160), UInt8((x * x * x + y * y * 40) / 400), 255]
        }
        #expect(opaque == Self.opaque)
        let clear = try hash(24, 32) { x, y in
            let alpha = UInt8(x * x * y * y / 6400 + 20)
            return [UInt8(x * x * y / 150), UInt8(x * y * y / 200), UInt8((x * x * x + y * y * 16) / 220), alpha]
        }
        #expect(clear == Self.withAlpha)
        #expect(try hash(1, 1) { _, _ in [255, 255, 255, 255] }.count >= 5)
    }

    private static let opaque: [UInt8] = [
        70, 7, 6, 13, 130, 160, 134, 135, 161, 135, 135, 121, 119, 120, 120, 120, 15, 250, 5, 221, 56,
    ]
    private static let withAlpha: [UInt8] = [
        73, 247, 129, 4, 0, 2, 177, 6, 92, 185, 133, 150, 136, 243, 79, 241, 126, 0, 122, 8, 108, 152, 134, 135, 8,
    ]
}
