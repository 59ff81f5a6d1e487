import CodedColors
import Testing
import VitrineKit

@Suite struct CodedColorsTests {
    private func converted(_ pixels: [[UInt8]], _ primaries: Int, _ transfer: Int) throws -> [[Int]] {
        let bitmap = try Bitmap(width: pixels.count, height: 1, format: .rgba)
        bitmap.withUnsafeMutableBytes { $0.copyBytes(from: pixels.flatMap { $0 }) }
        try #require(CodedColors(primaries: primaries, transfer: transfer)).convert(bitmap)
        return bitmap.withUnsafeMutableBytes { bytes in
            pixels.indices.map { pixel in (0..<4).map { Int(bytes[4 * pixel + $0]) } }
        }
    }

    @Test("What is sRGB, or means nothing, needs no way")
    func usual() {
        for transfer in [1, 2, 6, 13, 14, 15] { #expect(CodedColors(primaries: 1, transfer: transfer) == nil) }
        #expect(CodedColors(primaries: 2, transfer: 2) == nil && CodedColors(primaries: 9, transfer: 99) == nil)
        #expect(CodedColors(primaries: -1, transfer: -1) == nil)
    }

    @Test("Greys stay grey, white is white in wide colours, and alpha stays", arguments: [9, 11, 12])
    func wide(primaries: Int) throws {
        let greys: [[UInt8]] = [[255, 255, 255, 7], [128, 128, 128, 0], [0, 0, 0, 255]]
        for (made, wanted) in zip(try converted(greys, primaries, 13), greys) {
            #expect(zip(made, wanted).allSatisfy { abs($0 - Int($1)) <= 1 }, "\(made)")
        }
        // A green of its own is more than sRGB's; a mild red is more vivid there than its numbers say.
        let colours = try converted([[0, 255, 0, 255], [180, 100, 100, 255]], primaries, 13)
        #expect(colours[0] == [0, 255, 0, 255] && colours[1][0] > 182 && colours[1][1] < 99)
    }

    @Test("Light of the perceptual quantizer is as bright as a page up to half of white, then pressed together")
    func quantizer() throws {
        // 10, 50, 203, 1000 and 10,000 cd/m², as BT.2100 writes them in 8 bits.
        let greys = [77, 112, 148, 192, 255].map { [UInt8($0), UInt8($0), UInt8($0), 255] }
        let shown = try converted(greys, 1, 16).map { $0[0] }
        #expect(abs(shown[0] - 63) <= 3 && abs(shown[1] - 135) <= 3, "\(shown)")
        #expect(220...240 ~= shown[2] && shown[3] >= 253 && shown[4] == 255, "\(shown)")
        #expect(try converted([[0, 0, 0, 9]], 9, 16) == [[0, 0, 0, 9]])
        let rising = try converted((0..<256).map { [UInt8($0), UInt8($0), UInt8($0), 255] }, 9, 16).map { $0[0] }
        #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("Light of hybrid log-gamma has white where three quarters are written")
    func hybrid() throws {
        let rising = try converted((0..<256).map { [UInt8($0), UInt8($0), UInt8($0), 255] }, 9, 18).map { $0[0] }
        #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(rising[0] == 0 && 220...240 ~= rising[191] && rising[255] >= 253, "\(rising[191]) \(rising[255])")
        // Colours keep their order.
        let colour = try converted([[150, 100, 50, 255]], 9, 18)[0]
        #expect(colour[0] > colour[1] && colour[1] > colour[2])
    }

    @Test("Linear light and simple powers are written as sRGB's")
    func powers() throws {
        #expect(abs(try converted([[55, 55, 55, 1]], 1, 8)[0][0] - 128) <= 1)
        #expect(abs(try converted([[128, 128, 128, 1]], 1, 4)[0][0] - 128) <= 2)
        #expect(try converted([[128, 128, 128, 1]], 1, 5)[0][0] < 110)
    }
}
