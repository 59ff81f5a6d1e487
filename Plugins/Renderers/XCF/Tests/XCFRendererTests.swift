import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import XCFRenderer

@Suite struct XCFRendererTests {
    private static func draw(
        _ bytes: [UInt8], box: Int = 160, page: Int = 0, maximumPixels: Int = 64_000_000
    ) throws -> Rendering {
        let renderer = try XCFRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: "image/x-xcf", page: page))
    }

    private static func failure(_ bytes: [UInt8], maximumPixels: Int = 64_000_000) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, maximumPixels: maximumPixels) }
        return try #require(error).code
    }

    @Test("It keeps the renderer's contract", arguments: ["layers", "blended", "indexed", "grey", "linear", "words"])
    func conformance(name: String) throws {
        let sample = RendererSample(name, mimeType: "image/x-xcf", bytes: try Fixtures.bytes("image/\(name).xcf"))
        let suite = RendererConformance(samples: [sample], scales: false) {
            environment throws(PluginError) in try XCFRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "Layers, groups, masks, palettes and numbers of all kinds end in the picture that GIMP shows",
        arguments: ["layers", "blended", "indexed", "linear", "words", "icc-swapped"], [32, 160])
    func motif(name: String, box: Int) throws {
        let rendering = try Self.draw(try Fixtures.bytes("image/\(name).xcf"), box: box)
        let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < 0.01)
        #expect(rendering.facts.size == PixelSize(width: 160, height: 120))
        #expect(rendering.bitmap.width == (box == 32 ? 54 : 160))
    }

    @Test("Greys are greys")
    func grey() throws {
        let pixel = RGBAPicture(try Self.draw(try Fixtures.bytes("image/grey.xcf")).bitmap).pixel(x: 20, y: 20)
        #expect(pixel.red == pixel.green && pixel.green == pixel.blue && pixel.red == 97 && pixel.alpha == 255)
    }

    /// One cell laid upon another, to a thousandth.
    private func laid(_ mode: UInt32, _ upper: SIMD4<Float>, on lower: SIMD4<Float>) -> SIMD4<Float> {
        let cell = Blending(mode: mode).lay(upper, opacity: 1, on: lower)
        return (cell * 1024).rounded(.toNearestOrEven) / 1024
    }

    @Test("Layer modes do what GIMP's documentation says of them")
    func modes() {
        let (lower, upper) = (SIMD4<Float>(0.25, 0.5, 0.75, 1), SIMD4<Float>(0.5, 0.5, 0.25, 1))
        #expect(laid(0, upper, on: lower) == upper)
        #expect(laid(28, upper, on: lower) == upper)
        #expect(laid(3, upper, on: lower) == SIMD4(0.125, 0.25, 0.1875, 1))
        #expect(laid(31, upper, on: lower) == SIMD4(0.625, 0.75, 0.8125, 1))
        #expect(laid(6, upper, on: lower) == SIMD4(0.25, 0, 0.5, 1))
        #expect(laid(33, upper, on: lower) == SIMD4(0.75, 1, 1, 1))
        #expect(laid(8, upper, on: lower) == SIMD4(0, 0, 0.5, 1))
        #expect(laid(9, upper, on: lower) == SIMD4(0.25, 0.5, 0.25, 1))
        #expect(laid(41, upper, on: lower) == SIMD4(0.5, 1, 1, 1))
        #expect(laid(44, upper, on: lower) == SIMD4(0.25, 0.5, 0.375, 1))
        // Half erased, and what erases nothing.
        #expect(laid(58, SIMD4(0, 0, 0, 0.5), on: lower).w == 0.5)
        // Behind shows through only where there is nothing.
        #expect(laid(29, upper, on: lower) == lower)
        #expect(laid(29, upper, on: .zero) == upper)
        // What is blended stays where something is.
        #expect(laid(30, upper, on: .zero).w == 0)
        // The value of one and the hue of the other; grey gives none.
        #expect(laid(40, SIMD4(0.5, 0, 0, 1), on: SIMD4(0, 1, 0, 1)) == SIMD4(0, 0.5, 0, 1))
        #expect(laid(37, SIMD4(0.5, 0.5, 0.5, 1), on: SIMD4(0, 1, 0, 1)) == SIMD4(0, 1, 0, 1))
        #expect(laid(39, SIMD4(0.5, 0, 0, 1), on: SIMD4(0.5, 0.5, 0.5, 1)) == SIMD4(1, 0, 0, 1))
        #expect(laid(38, SIMD4(1, 0, 0, 1), on: SIMD4(0.5, 0.5, 0.5, 1)) == SIMD4(0.5, 0.5, 0.5, 1))
    }

    @Test("Where something is afterwards is as the layer says, and colours are no darker where nothing was")
    func reach() {
        let (red, blue) = (SIMD4<Float>(1, 0, 0, 1), SIMD4<Float>(0, 0, 1, 0.5))
        func laid(_ mode: UInt32, _ reach: Blending.Reach?, _ opacity: Float = 1) -> SIMD4<Float> {
            var blending = Blending(mode: mode)
            blending.ownReach = reach
            return blending.lay(red, opacity: opacity, on: blue)
        }
        #expect(laid(28, nil) == SIMD4(1, 0, 0, 1) && laid(28, .union, 0.5).w == 0.75)
        #expect(laid(28, .lower) == SIMD4(1, 0, 0, 0.5) && laid(28, .intersection) == SIMD4(1, 0, 0, 0.5))
        #expect(laid(28, .upper, 0.5) == SIMD4(1, 0, 0, 0.5))
        // Multiplied it is black, and where nothing is below it is as it is.
        #expect(laid(30, nil) == SIMD4(0, 0, 0, 0.5) && laid(30, .union) == SIMD4(0.5, 0, 0, 1))
        #expect(Blending(mode: 62).lay(red, opacity: 0.5, on: .zero) == SIMD4(1, 0, 0, 0.5))
        #expect(Blending(mode: 62).reachesBeyond && !Blending(mode: 28).reachesBeyond)
    }

    @Test("Numbers are read as each version of GIMP says them")
    func samples() throws {
        func read(_ precision: UInt32?, _ version: Int, _ bytes: [UInt8]) throws -> Float {
            let format = try #require(SampleFormat(precision: precision, version: version))
            var value: [Float] = [-1]
            value.withUnsafeMutableBufferPointer { value in bytes.withUnsafeBytes { format.read($0, into: value) } }
            return value[0]
        }
        #expect(try read(nil, 3, [51]) == 0.2 && read(0, 4, [51]) == 0.2 && read(150, 5, [51]) == 0.2)
        #expect(try read(1, 4, [0x33, 0x33]) == 0.2 && read(250, 6, [0xFF, 0]) == Float(255) / 65535)
        #expect(try read(250, 12, [0, 0xFF]) == Float(255) / 65535)
        #expect(try read(2, 4, [0xFF, 0xFF, 0xFF, 0xFF]) == 1 && read(300, 12, [0x80, 0, 0, 0]) == 0.5)
        #expect(
            try read(3, 4, [0, 0x38]) == 0.5 && read(450, 5, [0, 0x38]) == 0.5 && read(500, 12, [0x38, 0]) == 0.5)
        #expect(try read(4, 4, [0, 0, 0, 0x3F]) == 0.5 && read(500, 5, [0, 0, 0, 0x3F]) == 0.5)
        #expect(try read(600, 12, [0x3F, 0, 0, 0]) == 0.5 && read(750, 12, [0x3F, 0xE0, 0, 0, 0, 0, 0, 0]) == 0.5)
        // Beyond the range, and no number at all.
        #expect(try read(600, 12, [0x40, 0, 0, 0]) == 1 && read(600, 12, [0x7F, 0xC0, 0, 0]) == 0)
        #expect(SampleFormat(precision: 5, version: 4) == nil && SampleFormat(precision: 400, version: 7) == nil)
        let linear = try [(2, 4), (100, 5), (300, 7), (600, 12)].map { precision, version in
            try #require(SampleFormat(precision: UInt32(precision), version: version)).isLinear
        }
        #expect(linear == [true, true, true, true])
        #expect(try #require(SampleFormat(precision: 175, version: 20)).isLinear == false)
    }

    @Test("Half of white upon black is the grey of half the light, or of half the number, as the layer says")
    func light() {
        var blending = Blending(mode: 28)
        let (white, black) = (SIMD4<Float>.one, SIMD4<Float>(0, 0, 0, 1))
        #expect(blending.lay(white, opacity: 0.5, on: black).x == 0.5)
        blending.compositesLinear = true
        #expect((blending.lay(white, opacity: 0.5, on: black).x * 255).rounded() == 188)
    }

    @Test("What is cut off is shown as far as it goes, and what has nothing to show is damaged")
    func cut() throws {
        let bytes = try Fixtures.bytes("image/words.xcf")
        let picture = RGBAPicture(try Self.draw(Array(bytes.prefix(bytes.count / 2))).bitmap)
        #expect(picture.pixel(x: 5, y: 5).alpha == 255 && picture.pixel(x: 155, y: 115).alpha == 0)
        #expect(try Self.failure(Array(bytes.prefix(100))) == .corrupt)
        #expect(try Self.failure(Array(bytes.prefix(20))) == .corrupt)
    }

    @Test("Pictures beyond the limits are refused, and what is none is named")
    func bad() throws {
        let bytes = try Fixtures.bytes("image/layers.xcf")
        // A layer that is larger than the picture is not counted: what lies beside is not read.
        #expect(try Self.failure(bytes, maximumPixels: 160 * 120 - 1) == .limitExceeded)
        #expect(try Self.draw(bytes, maximumPixels: 160 * 120).bitmap.width == 160)
        #expect(try Self.failure(try Fixtures.bytes("bad/huge-claim.xcf")) == .limitExceeded)
        #expect(try Self.failure([]) == .empty)
        // Runs of nothing do not lead through the rest of the file.
        let words = try Fixtures.bytes("image/words.xcf")
        let tile = words.count - 400
        let empty = (0..<100).flatMap { _ in [127, 0, 0, 9] as [UInt8] }
        #expect(try Self.draw(Array(words[..<tile]) + empty).bitmap.width == 160)
        #expect(try Self.failure(Array("gimp xcf ".utf8)) == .corrupt)
        #expect(try Self.failure(Array("gimp xcf v9x9\0".utf8) + [UInt8](repeating: 0, count: 64)) == .corrupt)
        #expect(try Self.failure(try Fixtures.bytes("image/rgb-8.png")) == .corrupt)
        #expect(throws: PluginError.self) { try Self.draw(bytes, page: 1) }
    }

    /// A picture of 8 × 8 pixels, one layer of which was never painted.
    /// - Parameters:
    ///   - kind: 0 without alpha, 1 with it.
    ///   - tiles: the list of its tiles.
    private static func unpainted(kind: UInt8, tiles: [UInt8] = [0, 0, 0, 0]) -> [UInt8] {
        func words(_ values: [UInt8]) -> [UInt8] { values.flatMap { [0, 0, 0, $0] as [UInt8] } }
        // The end of its properties, then places: of the only layer, of its pixels, of their level.
        let head = Array("gimp xcf file\0".utf8) + words([8, 8, 0, 0, 0, 42, 0])
        let layer = words([8, 8, kind, 1]) + [0] + words([0, 0, 75, 0])
        return head + layer + words([8, 8, 3 + kind, 95, 0]) + words([8, 8]) + tiles
    }

    @Test("A layer whose list of tiles is empty was never painted, and is not damaged")
    func unpainted() throws {
        let clear = try Self.draw(Self.unpainted(kind: 1))
        #expect(clear.facts.size == PixelSize(width: 8, height: 8))
        #expect(RGBAPicture(clear.bitmap).pixel(x: 3, y: 3).alpha == 0)
        let black = RGBAPicture(try Self.draw(Self.unpainted(kind: 0)).bitmap).pixel(x: 3, y: 3)
        #expect(black.alpha == 255 && black.red == 0)
        for tiles in [[], [0, 0], [0, 0, 255, 0, 0, 0, 0, 0]] as [[UInt8]] {
            #expect(try Self.failure(Self.unpainted(kind: 1, tiles: tiles)) == .corrupt)
        }
    }

    /// A picture of 8 × 8 pixels that has a precision which nobody knows.
    @Test("Numbers and packings of later versions are named as such")
    func later() throws {
        let head = Array("gimp xcf v012\0".utf8) + [0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0]
        #expect(try Self.failure(head + [0, 0, 9, 9]) == .unsupported)
        #expect(try Self.failure(head + [0, 0, 0, 150, 0, 0, 0, 17, 0, 0, 0, 1, 9]) == .unsupported)
        #expect(try Self.failure(head + [0, 0, 0, 150] + [UInt8](repeating: 0, count: 24)) == .empty)
    }
}
