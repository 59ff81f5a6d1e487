import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

// Bitmaps of Windows of rare kinds, and farbfeld.
extension ImageRendererTests {
    private static func words(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    /// A bitmap.
    /// - Parameter behind: what stands between its head and its pixels.
    private static func bitmap(
        _ packing: Int, depth: Int, width: Int = 2, height: Int = 2, behind: [UInt8] = [], _ content: [UInt8]
    ) -> [UInt8] {
        let start = 54 + behind.count
        return Array("BM".utf8) + words([start + content.count, 0, start, 40, width, height]) + [1, 0, UInt8(depth), 0]
            + words([packing, content.count, 0, 0, 0, 0]) + behind + content
    }

    private func pixels(_ file: [UInt8], _ type: String = "image/bmp") throws -> [UInt8] {
        RGBAPicture(try draw(file, mimeType: type)).pixels
    }

    @Test(
        "A JPEG or PNG in the place of a bitmap's pixels is drawn as one",
        arguments: [(4, "plain.jpg"), (5, "alpha.png")])
    func files(packing: Int, name: String) throws {
        let file = try Fixtures.bytes("image/\(name)")
        let bytes = Self.bitmap(packing, depth: 0, file)
        let rendering = try draw(bytes, mimeType: "image/bmp")
        #expect(QuadrantCheck(RGBAPicture(rendering)).arrangement == .upright)
        #expect(rendering.facts.size == (try draw(file).facts.size))
        #expect(throws: PluginError.self) { try draw(Array(bytes.prefix(60)), mimeType: "image/bmp") }
    }

    @Test("Masks with alpha are read, from the lowest row on or from the highest")
    func masks() throws {
        let masks = Self.words([0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000])
        let content: [UInt8] = (0..<16).map { UInt8($0 * 10 + 5) }
        let turned = Array(content[8...] + content[..<8])
        #expect(try pixels(Self.bitmap(6, depth: 32, behind: masks, content)) == turned)
        #expect(try pixels(Self.bitmap(6, depth: 32, height: -2, behind: masks, content)) == content)
        let short = Self.words([0xF00, 0xF0, 0xF, 0xF000])
        #expect(
            try pixels(Self.bitmap(6, depth: 16, height: 1, behind: short, [0x21, 0xF0, 0x34, 0x8F]))
                == [0, 34, 17, 255, 255, 51, 68, 136])
        // A mask of nothing, and masks that lie over one another.
        let odd = Self.words([0, 0xFFFF_FFFF, 0xFFFF_FFFF, 0])
        #expect(
            try pixels(Self.bitmap(6, depth: 32, width: 1, height: 1, behind: odd, [255, 255, 255, 255])) == [
                0, 255, 255, 255,
            ])
    }

    @Test("Pixels of two bits are read, with as many colours as there are")
    func twoBits() throws {
        let colours: [UInt8] = [10, 20, 30, 0, 40, 50, 60, 0, 70, 80, 90, 0, 1, 2, 3, 0]
        let file = Self.bitmap(0, depth: 2, width: 4, height: 1, behind: colours, [0b0001_1011, 0, 0, 0])
        #expect(try pixels(file) == [30, 20, 10, 255, 60, 50, 40, 255, 90, 80, 70, 255, 3, 2, 1, 255])
    }

    @Test("A bitmap that calls itself longer than it is is drawn when its pixels are all there")
    func lengths() throws {
        let content: [UInt8] = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]
        let wanted: [UInt8] = [9, 8, 7, 255, 12, 11, 10, 255, 3, 2, 1, 255, 6, 5, 4, 255]
        var windows = Self.bitmap(0, depth: 24, content)
        var older: [UInt8] = Array("BM".utf8) + Self.words([0, 0, 26, 12])
        older += [2, 0, 2, 0, 1, 0, 24, 0] + content
        for more in [2, 10, 1 << 30] {
            windows.replaceSubrange(2..<6, with: Self.words([windows.count + more]))
            older.replaceSubrange(2..<6, with: Self.words([older.count + more]))
            #expect(try pixels(windows) == wanted)
            #expect(try pixels(older) == wanted)
            for short in [windows.dropLast(4), older.dropLast(4)] {
                let error = #expect(throws: PluginError.self) { try pixels(Array(short)) }
                #expect(error?.code == .corrupt && error?.message.contains("cut off") == true)
            }
        }
    }

    @Test("The colours of a bitmap of OS/2 are read, with long heads and short ones", arguments: [16, 24, 36, 48, 64])
    func bitmapOfOS2(head: Int) throws {
        for (length, count) in [(4, 3), (3, 3), (4, 16)] where head >= 36 || count == 16 {
            var fields = Self.words([head, 2, 2]) + [1, 0, 4, 0]
            fields += Self.words([0, 8, 0, 0, count, 0])
            fields += [UInt8](repeating: 0, count: 64 - fields.count)
            var colours: [UInt8] = []
            for blue in stride(from: UInt8(0), to: UInt8(10 * count), by: 10) {
                colours += [blue, blue + 1, blue + 2, 0].prefix(length)
            }
            let content: [UInt8] = [0x12, 0, 0, 0, 0x20, 0, 0, 0]
            let start = 14 + head + colours.count
            var file = Array("BM".utf8) + Self.words([start + content.count, 0, start])
            file += fields.prefix(head) + colours + content
            #expect(try pixels(file) == [22, 21, 20, 255, 2, 1, 0, 255, 12, 11, 10, 255, 22, 21, 20, 255])
            for cut in [file.prefix(14 + head), file.prefix(start - 2), file.prefix(start)] {
                #expect(throws: PluginError.self) { try pixels(Array(cut)) }
            }
        }
    }

    @Test("A bitmap that claims more than it has is refused")
    func claims() throws {
        for (width, height, code) in [
            (3, 2, PluginError.Code.corrupt), (1 << 30, 1 << 30, .limitExceeded), (1 << 30, -1 << 31, .limitExceeded),
        ] {
            let masks = Self.words([0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000])
            let file = Self.bitmap(
                6, depth: 32, width: width, height: height, behind: masks, [UInt8](repeating: 1, count: 16))
            let error = #expect(throws: PluginError.self) { try pixels(file) }
            #expect(error?.code == code)
        }
        var far = Self.bitmap(5, depth: 0, try Fixtures.bytes("image/alpha.png"))
        far.replaceSubrange(10..<14, with: [255, 255, 255, 255])
        #expect(throws: PluginError.self) { try pixels(far) }
    }

    @Test("A farbfeld picture is read, and refused when it is cut off or claims too much")
    func farbfeld() throws {
        func file(_ width: [UInt8], _ pixels: [UInt8]) -> [UInt8] {
            Array("farbfeld".utf8) + width + [0, 0, 0, 1] + pixels
        }
        let content: [UInt8] = [0xFF, 0xFF, 0x80, 0x80, 0, 0, 0xFF, 0xFF, 0, 127, 0, 129, 0x12, 0x34, 0, 0]
        let type = "image/x-farbfeld"
        #expect(try pixels(file([0, 0, 0, 2], content), type) == [255, 128, 0, 255, 0, 1, 18, 0])
        for (bytes, code) in [
            (file([0, 0, 0, 2], content.dropLast()), PluginError.Code.corrupt), (file([0, 0, 0, 0], content), .empty),
            (file([0, 255, 0, 0], content), .limitExceeded), (Array("farbfeld\0\0".utf8), .corrupt),
            (Array("farbfeld is a lossless format of pictures".utf8), .corrupt),
        ] {
            let error = #expect(throws: PluginError.self) { try pixels(bytes, type) }
            #expect(error?.code == code)
        }
    }

    /// A file of Photoshop.
    private static func photoshop(
        mode: UInt8, channels: Int, width: UInt8 = 4, height: UInt8 = 2, colours: [UInt8] = [], resources: [UInt8] = [],
        layers: [UInt8] = [], _ content: [UInt8]
    ) -> [UInt8] {
        var file: [UInt8] = Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(channels)]
        file += [0, 0, 0, height, 0, 0, 0, width, 0, 8, 0, mode]
        file += big(colours.count, 4) + colours
        file += big(resources.count, 4) + resources
        return file + big(layers.count, 4) + layers + content
    }

    private static let colours: [UInt8] = (1...3).flatMap { part in (0..<256).map { UInt8($0 / part) } }

    @Test("A Photoshop picture of few colours is read, packed or not, with a colour that is nothing")
    func fewColours() throws {
        let type = "image/vnd.adobe.photoshop"
        func file(_ content: [UInt8], _ resources: [UInt8] = []) -> [UInt8] {
            Self.photoshop(mode: 2, channels: 1, colours: Self.colours, resources: resources, content)
        }
        let wanted = [6, 6, 6, 12, 60, 60, 120, 240].flatMap { (index: Int) -> [UInt8] in
            [UInt8(index), UInt8(index / 2), UInt8(index / 3), 255]
        }
        #expect(try pixels(file([0, 0, 6, 6, 6, 12, 60, 60, 120, 240]), type) == wanted)
        // Lengths of two rows; one three times, a byte that says nothing, one; then four as they are.
        let packed: [UInt8] = [0, 1, 0, 5, 0, 5, 0xFE, 6, 0x80, 0, 12, 3, 60, 60, 120, 240]
        #expect(try pixels(file(packed), type) == wanted)
        let nothing = Array("8BIM".utf8) + [0x04, 0x17, 0, 0, 0, 0, 0, 2, 0, 6]
        let made = try pixels(file(packed, nothing), type)
        #expect(made[3] == 0 && made[15] == 255)
        // Without a number, none.
        let unsaid = Array("8BIM".utf8) + [0x04, 0x17, 0, 0, 0, 0, 0, 0]
        #expect(try pixels(file([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], unsaid), type)[3] == 255)
        for cut in [file(packed.dropLast()), file([0, 1, 0, 5, 255, 255, 0, 0]), file([0, 1]), file([0, 0, 6, 6])] {
            let error = #expect(throws: PluginError.self) { try pixels(cut, type) }
            #expect(error?.code == .corrupt)
        }
    }

    @Test("A Photoshop picture whose layers are damaged is shown, since the picture of all of them is whole")
    func damagedLayers() throws {
        let content: [UInt8] = [0, 0] + [10, 20, 30].flatMap { (grey: UInt8) in [UInt8](repeating: grey, count: 8) }
        for count: [UInt8] in [[0, 3], [0x7F, 0xFF]] {
            let layers: [UInt8] = [0, 0, 0, 42] + count + (0..<40).map { $0 &* 37 }
            let file = Self.photoshop(mode: 3, channels: 3, layers: layers, content)
            #expect(try pixels(file, "image/vnd.adobe.photoshop").prefix(4) == [10, 20, 30, 255])
            let nothing = Self.photoshop(mode: 3, channels: 3, layers: layers, [])
            let error = #expect(throws: PluginError.self) { try pixels(nothing, "image/vnd.adobe.photoshop") }
            #expect(error.map { [.limitExceeded, .unsupported].contains($0.code) } == true)
        }
    }

    @Test("A Photoshop picture with many channels is read")
    func manyChannels() throws {
        var content: [UInt8] = [0, 0]
        for channel in 0..<60 { content += [UInt8](repeating: UInt8(channel * 4 + 1), count: 8) }
        let file = Self.photoshop(mode: 3, channels: 60, content)
        #expect(try pixels(file, "image/vnd.adobe.photoshop").prefix(4) == [1, 5, 9, 255])
        let grey = Self.photoshop(mode: 1, channels: 60, content)
        #expect(try pixels(grey, "image/vnd.adobe.photoshop").prefix(4) == [1, 1, 1, 255])
    }
}
