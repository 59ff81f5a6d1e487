import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import JPEGXRRenderer

@Suite struct JPEGXRRendererTests {
    private static func draw(
        _ bytes: [UInt8], box: Int = 128, page: Int = 0, maximumPixels: Int = 64_000_000
    ) throws -> Rendering {
        let renderer = try JPEGXRRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: "image/jxr", page: page))
    }

    private static func failure(_ bytes: [UInt8], maximumPixels: Int = 64_000_000) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, maximumPixels: maximumPixels) }
        return try #require(error).code
    }

    /// A file whose directory has these entries, each of one number of four bytes, and whatever stands behind it.
    private static func file(_ entries: [(tag: Int, value: Int)], _ rest: [UInt8]) -> [UInt8] {
        let directory = entries.flatMap { little($0.tag, 2) + little(4, 2) + little(1, 4) + little($0.value, 4) }
        return [0x49, 0x49, 0xBC, 1] + little(8, 4) + little(entries.count, 2) + directory + rest
    }

    /// The head of a picture of bytes in colours (T.832, 8.3), with sides of 32 bits.
    private static func head(width: Int, height: Int) -> [UInt8] {
        var bytes = Array("WMPHOTO\0".utf8) + [0x11, 0x01, 0x40, 0x71]
        for side in [width, height] { bytes += little(side - 1, 4).reversed() }
        return bytes + [0x70, 0, 0xC1, 0x42, 0xC3, 0x8C, 0x14, 0x2C, 0x38, 0xC1, 0x62, 0xE3, 0x80]
    }

    /// Bytes of a directory with one entry, and before it.
    private static let single = 8 + 2 + 12

    /// Those that are damaged on the way. Damage in half floats and in alpha may crash the codec, which only a worker survives:
    /// the fuzzing target has these.
    @Test("It keeps the renderer's contract", arguments: ["plain", "turned"])
    func conformance(name: String) throws {
        let sample = RendererSample(name, mimeType: "image/jxr", bytes: try Fixtures.bytes("image/\(name).jxr"))
        let suite = RendererConformance(samples: [sample], scales: false) {
            environment throws(PluginError) in try JPEGXRRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "Pictures are drawn upright and in their colours, whatever numbers they are made of, whole or smaller",
        arguments: ["plain", "turned", "light"], [160, 50])
    func motif(name: String, box: Int) throws {
        let rendering = try Self.draw(try Fixtures.bytes("image/\(name).jxr"), box: box)
        let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < 0.04)
        #expect(rendering.facts.size == PixelSize(width: 160, height: 120))
    }

    @Test("What is transparent stays so")
    func alpha() throws {
        let picture = RGBAPicture(try Self.draw(try Fixtures.bytes("image/alpha.jxr")).bitmap)
        #expect(picture.pixel(x: 0, y: 0).alpha == 0)
        #expect(picture.pixel(x: picture.width / 4, y: picture.height / 4).alpha == 255)
        #expect(picture.pixel(x: picture.width / 4, y: picture.height / 4).red > 200)
    }

    @Test("Where the format of pixels lies is a number of four bytes, although what lies there are sixteen of one")
    func premultiplied() throws {
        let format: [UInt8] = [
            0x24, 0xC3, 0xDD, 0x6F, 0x03, 0x4E, 0xFE, 0x4B, 0xB1, 0x85, 0x3D, 0x77, 0x76, 0x8D, 0xC9, 0x10,
        ]
        let place = 600
        let entries =
            little(0xBC01, 2) + little(1, 2) + little(16, 4) + little(place, 4)
            + little(0xBCC0, 2) + little(4, 2) + little(1, 4) + little(40, 4)
            + little(0xBC02, 2) + little(3, 2) + little(1, 4) + little(1, 2) + [7, 7]
        var bytes: [UInt8] = [0x49, 0x49, 0xBC, 1] + little(8, 4) + little(3, 2) + entries
        bytes += [UInt8](repeating: 0, count: place - bytes.count) + format
        let container = try bytes.withUnsafeBytes { try JPEGXRContainer($0) }
        #expect(container.isPremultiplied && container.picture == 40)
        #expect(container.orientation == Orientation(exif: 4))
    }

    @Test(
        "No more is decoded than is half as large again as the box",
        arguments: [(160, 160), (54, 160), (53, 80), (10, 20), (3, 10)])
    func steps(box: Int, width: Int) throws {
        #expect(try Self.draw(try Fixtures.bytes("image/plain.jxr"), box: box).bitmap.width == width)
    }

    @Test("What a camera wrote is told, from the directory around the picture")
    func camera() throws {
        let bytes = try Fixtures.bytes("image/plain.jxr")
        let start = Int(bytes[4]) | Int(bytes[5]) << 8
        let count = Int(bytes[start]) | Int(bytes[start + 1]) << 8
        // The directory again behind the picture, at an even place. A name of three letters stands in its entry.
        let even = bytes + [UInt8](repeating: 0, count: bytes.count % 2)
        let maker = little(0x010F, 2) + little(2, 2) + little(4, 4) + Array("Ex1\0".utf8)
        var changed = even + little(count + 1, 2) + maker
        changed += bytes[start + 2..<start + 2 + 12 * count] + little(0, 4)
        changed.replaceSubrange(4..<8, with: little(even.count, 4))
        let facts = try Self.draw(changed).facts
        #expect(facts.text(.camera) == "Ex1")
        #expect(try Self.draw(bytes).facts.text(.camera) == nil)
    }

    @Test("Pictures beyond the limits are refused before they are decoded, and what is none is named")
    func bad() throws {
        let bytes = try Fixtures.bytes("image/plain.jxr")
        #expect(try Self.failure(bytes, maximumPixels: 160 * 120 - 1) == .limitExceeded)
        #expect(try Self.draw(bytes, box: 160, maximumPixels: 160 * 120).bitmap.width == 160)
        #expect(try Self.failure([]) == .empty)
        #expect(try Self.failure([0x49, 0x49, 0xBC, 1]) == .corrupt)
        #expect(try Self.failure(Array(bytes.prefix(250))) == .corrupt)
        #expect(try Self.failure(try Fixtures.bytes("image/rgb-8.png")) == .corrupt)
        #expect(throws: PluginError.self) { try Self.draw(bytes, page: 1) }
        for (width, height) in [(60_000, 60_000), (0xFFFF_FFFF, 0xFFFF_FFFF), (60_000_000, 1)] {
            let giant = Self.file([(0xBCC0, Self.single)], Self.head(width: width, height: height))
            #expect(try Self.failure(giant) == .limitExceeded)
        }
        // A picture that begins behind the file's end, or before it has one, and a directory that does.
        for place in [0, 3, 1 << 31, bytes.count] {
            #expect(try Self.failure(Self.file([(0xBCC0, place)], [])) == .corrupt)
        }
        for place in [0, 7, bytes.count - 1, bytes.count, 0xFFFF_FFFF] {
            var moved = bytes
            moved.replaceSubrange(4..<8, with: little(place, 4))
            #expect(try Self.failure(moved) == .corrupt)
        }
        #expect(try Self.failure(Self.file([(0xBCC0, Self.single)], Self.head(width: 64, height: 64))) == .corrupt)
    }

    @Test("What is cut off is shown as far as it goes, which in order of frequency is all of it, less sharp")
    func cut() throws {
        let bytes = try Fixtures.bytes("image/plain.jxr")
        let picture = RGBAPicture(try Self.draw(Array(bytes.prefix(bytes.count / 3)), box: 160).bitmap)
        #expect(QuadrantCheck(picture).arrangement == .upright)
        #expect(picture.pixels != RGBAPicture(try Self.draw(bytes, box: 160).bitmap).pixels)
    }

    @Test("Of numbers that take more room, fewer are decoded")
    func room() throws {
        let light = try Fixtures.bytes("image/light.jxr")
        // Eight bytes for each pixel do not fit in four: a quarter of the pixels does.
        #expect(try Self.draw(light, box: 160, maximumPixels: 160 * 120).bitmap.width == 80)
        #expect(try Self.draw(light, box: 160, maximumPixels: 160 * 120 * 2).bitmap.width == 160)
    }

    @Test("The white of a bright screen is white")
    func white() throws {
        let bitmap = try Self.draw(try Fixtures.bytes("image/light.jxr"), box: 160).bitmap
        let bar = RGBAPicture(bitmap).pixel(x: 20, y: 118)
        #expect(min(bar.red, bar.green, bar.blue) >= 250)
    }
}
