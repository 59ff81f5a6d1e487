import Testing
import VitrineKit
import VitrineTesting

@Suite struct QuadrantCheckTests {
    /// A picture of four equal quadrants.
    private func picture(_ hues: [QuadrantCheck.Hue]) throws -> RGBAPicture {
        let colors: [QuadrantCheck.Hue: [UInt8]] = [
            .red: [214, 48, 49, 255], .green: [46, 164, 79, 255], .blue: [45, 92, 206, 255],
            .yellow: [241, 205, 55, 255], .other: [200, 0, 200, 255],
        ]
        var pixels: [UInt8] = []
        for y in 0..<30 {
            for x in 0..<40 { pixels += colors[hues[(y / 15) * 2 + x / 20]] ?? [] }
        }
        return try #require(RGBAPicture(width: 40, height: 30, pixels: pixels))
    }

    @Test func knowsTheUprightMotif() throws {
        let check = QuadrantCheck(try picture([.red, .green, .blue, .yellow]))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < 0.001)
    }

    @Test(arguments: [
        ([QuadrantCheck.Hue.green, .red, .yellow, .blue], QuadrantCheck.Arrangement.mirrored),
        ([.yellow, .blue, .green, .red], .upsideDown), ([.blue, .yellow, .red, .green], .flipped),
        ([.red, .blue, .green, .yellow], .transposed), ([.blue, .red, .yellow, .green], .turnedRight),
        ([.yellow, .green, .blue, .red], .transversed), ([.green, .yellow, .red, .blue], .turnedLeft),
        ([.red, .green, .blue, .other], .unknown), ([.red, .red, .red, .red], .unknown),
    ])
    func knowsEveryOtherArrangement(_ hues: [QuadrantCheck.Hue], _ expected: QuadrantCheck.Arrangement) throws {
        let check = QuadrantCheck(try picture(hues))
        #expect(check.hues == hues)
        #expect(check.arrangement == expected)
        #expect(check.largestError > 0.1)
    }

    @Test func readsEveryPixelFormat() throws {
        let bytes: [(Bitmap.PixelFormat, [UInt8])] = [
            (.rgba, [214, 48, 49, 255]), (.rgbx, [214, 48, 49, 0]), (.bgrx, [49, 48, 214, 0]),
            (.bgraPremultiplied, [49, 48, 214, 255]),
        ]
        for (format, pixel) in bytes {
            let bitmap = try Bitmap(width: 1, height: 1, format: format)
            bitmap.withUnsafeMutableBytes { $0.copyBytes(from: pixel) }
            #expect(RGBAPicture(bitmap).pixels == [214, 48, 49, 255], "\(format)")
        }
        let half = try Bitmap(width: 1, height: 1, format: .bgraPremultiplied)
        half.withUnsafeMutableBytes { $0.copyBytes(from: [25, 24, 107, 128]) }
        #expect(RGBAPicture(half).pixels == [213, 48, 50, 128])
    }

    @Test func transparencyCountsAsWhite() throws {
        let clear = try #require(RGBAPicture(width: 2, height: 2, pixels: [UInt8](repeating: 0, count: 16)))
        #expect(clear.average(columns: 0...1, rows: 0...1).distance(to: OklabColor(255, 255, 255)) < 0.001)
        #expect(QuadrantCheck(clear).arrangement == .unknown)
    }

    @Test func looksAtThePartThatTheMotifFills() throws {
        // The motif in the left half, white in the right one.
        let motif = try picture([.red, .green, .blue, .yellow])
        var pixels: [UInt8] = []
        for y in 0..<30 {
            pixels += motif.pixels[y * 160..<(y + 1) * 160] + [UInt8](repeating: 255, count: 160)
        }
        let wide = try #require(RGBAPicture(width: 80, height: 30, pixels: pixels))
        #expect(QuadrantCheck(wide).arrangement == .unknown)
        #expect(QuadrantCheck(wide, columns: 0...0.5).arrangement == .upright)
    }

    @Test func refusesPixelsThatDoNotFit() {
        #expect(RGBAPicture(width: 2, height: 2, pixels: [0, 0, 0, 0]) == nil)
        #expect(RGBAPicture(width: 0, height: 2, pixels: []) == nil)
        #expect(RGBAPicture(width: -2, height: -2, pixels: [UInt8](repeating: 0, count: 16)) == nil)
    }

    @Test func oklabMatchesItsPublishedValues() {
        // XYZ of the sRGB primaries through Ottosson's matrices: red is (0.628, 0.225, 0.126).
        let red = OklabColor(255, 0, 0)
        #expect(abs(red.lightness - 0.628) < 0.001 && abs(red.a - 0.225) < 0.001 && abs(red.b - 0.126) < 0.001)
        #expect(abs(OklabColor(0, 0, 0).distance(to: OklabColor(255, 255, 255)) - 1) < 0.001)
    }
}
