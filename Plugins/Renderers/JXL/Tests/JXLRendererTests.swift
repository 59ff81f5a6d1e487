import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import JXLRenderer

@Suite struct JXLRendererTests {
    private static func draw(
        _ bytes: [UInt8], box: Int = 128, page: Int = 0, maximumPixels: Int = 64_000_000
    ) throws -> Rendering {
        let renderer = try JXLRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: "image/jxl", page: page))
    }

    private static func failure(_ bytes: [UInt8], maximumPixels: Int = 64_000_000) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, maximumPixels: maximumPixels) }
        return try #require(error).code
    }

    @Test("It keeps the renderer's contract", arguments: ["plain", "alpha", "exif-6", "icc-swapped", "grey"])
    func conformance(name: String) throws {
        let sample = RendererSample(
            name, mimeType: "image/jxl", bytes: try Fixtures.bytes("image/\(name).jxl"))
        let suite = RendererConformance(samples: [sample], scales: false) {
            environment throws(PluginError) in try JXLRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "Pictures are drawn upright and in their colours, whatever way they are stored",
        arguments: ["plain", "exif-6", "icc-swapped", "large"])
    func motif(name: String) throws {
        let rendering = try Self.draw(try Fixtures.bytes("image/\(name).jxl"))
        let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < 0.04)
        let large = PixelSize(width: 3000, height: 2250)
        #expect(rendering.facts.size == (name == "large" ? large : PixelSize(width: 160, height: 120)))
    }

    @Test("What is transparent stays so, and greys are greys")
    func channels() throws {
        let framed = RGBAPicture(try Self.draw(try Fixtures.bytes("image/alpha.jxl")).bitmap)
        #expect(framed.pixel(x: 0, y: 0).alpha == 0)
        #expect(framed.pixel(x: framed.width / 4, y: framed.height / 4).alpha == 255)
        let grey = RGBAPicture(try Self.draw(try Fixtures.bytes("image/grey.jxl")).bitmap).pixel(x: 20, y: 20)
        #expect(grey.red == grey.green && grey.green == grey.blue && grey.red > 0)
    }

    @Test("Of a file in steps no more is decoded than a preview needs, and what is cut off is shown as far as it goes")
    func steps() throws {
        let bytes = try Fixtures.bytes("image/large.jxl")
        let part = Array(bytes.prefix(bytes.count / 2))
        // An eighth of 3000 pixels is half as large again as 250.
        let small = RGBAPicture(try Self.draw(bytes, box: 250).bitmap)
        #expect(small.pixels == RGBAPicture(try Self.draw(part, box: 250).bitmap).pixels)
        let whole = RGBAPicture(try Self.draw(bytes, box: 2048).bitmap)
        #expect(small.pixels != whole.pixels)
        let cut = try Self.draw(part, box: 2048)
        #expect(QuadrantCheck(RGBAPicture(cut.bitmap)).arrangement == .upright)
        #expect(RGBAPicture(cut.bitmap).pixels != whole.pixels)
        #expect(try Self.failure(Array(bytes.prefix(200))) == .corrupt)
    }

    @Test("What the camera wrote is told, from the box that holds it")
    func camera() throws {
        let bytes = try Fixtures.bytes("image/plain.jxl")
        func boxed(_ boxes: [(name: String, content: [UInt8])]) -> [UInt8] {
            let start: [(name: String, content: [UInt8])] = [
                ("JXL ", [0x0D, 0x0A, 0x87, 0x0A]), ("ftyp", Array("jxl ".utf8) + [0, 0, 0, 0] + Array("jxl ".utf8)),
            ]
            var bytes: [UInt8] = []
            for box in start + boxes {
                let size = UInt32(box.content.count + 8)
                withUnsafeBytes(of: size.bigEndian) { bytes += $0 }
                bytes += Array(box.name.utf8) + box.content
            }
            return bytes
        }
        let block = [UInt8](repeating: 0, count: 4) + CameraBlock.sample.dropFirst(6)
        for boxes in [[("Exif", block), ("jxlc", bytes)], [("jxlc", bytes), ("Exif", block)]] {
            let facts = try Self.draw(boxed(boxes)).facts
            #expect(facts.text(.camera) == "Example Works E-1" && facts.place == nil)
        }
        for odd in [[], [0, 0, 0], [255, 255, 255, 255, 1], [0, 0, 0, 0]] as [[UInt8]] {
            #expect(try Self.draw(boxed([("Exif", odd), ("jxlc", bytes)])).facts.text(.camera) == nil)
        }
        var endless = boxed([("Exif", block), ("jxlc", bytes)])
        endless.replaceSubrange(32..<36, with: [0, 0, 0, 0])
        #expect(throws: PluginError.self) { try Self.draw(endless) }
    }

    /// The head of a picture of 8 × 8 pixels, and nothing behind it (ISO/IEC 18181-1, annex D).
    private func head(extraChannels: Int) -> [UInt8] {
        var bits: [UInt8] = []
        func add(_ value: Int, _ count: Int) { bits += (0..<count).map { UInt8(value >> $0 & 1) } }
        // Small, of 8 rows, as wide as high; not all by default, no further fields; 8 bits, whole numbers, 16 in modules.
        add(1, 1); add(0, 5); add(1, 3)
        add(0, 1); add(0, 1); add(0, 1); add(0, 2); add(1, 1)
        // Their number, then of each that it is alpha, by default.
        add(2, 2); add(extraChannels - 2, 4)
        add(-1, extraChannels)
        // In libjxl's own colours, which are by default; no extensions; transforms by default.
        add(1, 1); add(1, 1); add(0, 2); add(1, 1)
        let bytes = stride(from: 0, to: bits.count, by: 8).map { at in
            bits[at..<min(at + 8, bits.count)].reversed().reduce(0) { $0 << 1 | $1 }
        }
        return [0xFF, 0x0A] + bytes + [UInt8](repeating: 0, count: 64)
    }

    @Test("Of a picture of many channels fewer pixels are decoded")
    func depth() throws {
        #expect(try Self.failure(head(extraChannels: 5), maximumPixels: 127) == .limitExceeded)
        #expect(try Self.failure(head(extraChannels: 5), maximumPixels: 128) == .corrupt)
        #expect(try Self.failure(head(extraChannels: 9)) == .limitExceeded)
        // Colours and alpha are what the limit is meant for.
        let pixels = 160 * 120
        #expect(try Self.draw(try Fixtures.bytes("image/alpha.jxl"), maximumPixels: pixels).bitmap.width == 160)
    }

    @Test("Pictures beyond the limits are refused before they are decoded, and what is none is named")
    func bad() throws {
        let bytes = try Fixtures.bytes("image/plain.jxl")
        #expect(try Self.failure(bytes, maximumPixels: 160 * 120 - 1) == .limitExceeded)
        #expect(try Self.draw(bytes, maximumPixels: 160 * 120).bitmap.width == 160)
        #expect(try Self.failure(try Fixtures.bytes("bad/huge-claim.jxl"), maximumPixels: .max) == .limitExceeded)
        #expect(try Self.failure([]) == .empty)
        #expect(try Self.failure([0xFF]) == .corrupt)
        #expect(try Self.failure([0xFF, 0x0A]) == .corrupt)
        #expect(try Self.failure(try Fixtures.bytes("image/rgb-8.png")) == .corrupt)
        #expect(throws: PluginError.self) { try Self.draw(bytes, page: 1) }
    }
}
