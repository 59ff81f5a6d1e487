import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import FontRenderer

@Suite(.serialized) struct FontRendererTests {
    private static func draw(_ bytes: [UInt8], page: Int = 0, box: Int = 256) throws -> Rendering {
        let renderer = try FontRenderer(RendererEnvironment(pluginFolder: "/"))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: "font/ttf", page: page))
    }

    private static func message(_ bytes: [UInt8]) -> String? {
        do { _ = try draw(bytes) } catch { return (error as? PluginError)?.message }
        return nil
    }

    private static func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes) }
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: [
            "latin.ttf", "latin.otf", "latin.woff", "latin.woff2", "two.ttc", "bitmap.bdf", "bitmap.pcf", "colors.ttf",
        ])
    func conformance(name: String) throws {
        let pages = name == "two.ttc" ? 2 : nil
        let sample = RendererSample(name, mimeType: "font/ttf", bytes: try Fixtures.bytes("font/\(name)"), pages: pages)
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try FontRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "Every kind of file shows the same letters and says the same name",
        arguments: ["latin.ttf", "latin.otf", "latin.woff", "latin.woff2"])
    func kinds(name: String) throws {
        let rendering = try Self.draw(try Fixtures.bytes("font/\(name)"))
        #expect(rendering.facts.title == "Vitrine Latin" && rendering.bitmap.width == 256)
        #expect(rendering.facts.text(.family) == "Vitrine Latin" && rendering.facts.text(.style) == "Regular")
        #expect(Self.ink(rendering.bitmap, 0.1...0.5) > 2000 && Self.ink(rendering.bitmap, 0.9...0.95) > 50)
    }

    @Test("Fonts of one size are shown as their pixels are, made larger", arguments: ["bitmap.bdf", "bitmap.pcf"])
    func bitmaps(name: String) throws {
        let bytes = try Fixtures.bytes("font/\(name)")
        let rendering = try Self.draw(bytes)
        #expect(rendering.facts.title?.hasPrefix("Vitrine Bitmap") == true)
        #expect(Self.ink(rendering.bitmap, 0.1...0.5) > 2000)
        #expect(Self.failure(Array(bytes.prefix(bytes.count / 3))) != nil)
        #expect(Self.failure(Array(bytes.prefix(20))) == .corrupt)
    }

    @Test("Of a font of Windows for one size letters are shown, not its first glyphs")
    func windows() throws {
        let rendering = try Self.draw(Self.windowsFont(inked: "g"))
        #expect(rendering.facts.title == "Vitrine Pixels" && Self.ink(rendering.bitmap, 0.1...0.5) > 2000)
        #expect(Self.failure(Array(Self.windowsFont(inked: "g").prefix(0x100))) == .corrupt)
    }

    /// A library of 16 bits (KB 65122) with one font of version 2 ("Windows Font File Format", KB 65123), eight pixels wide and
    /// high, of the letters from A to z.
    /// - Parameter letters: those that are not empty.
    private static func windowsFont(inked letters: String) -> [UInt8] {
        func little(_ value: Int, _ count: Int = 2) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let (first, last) = (UInt8(ascii: "A"), UInt8(ascii: "z"))
        let count = Int(last - first) + 1
        let name = Array("Vitrine Pixels".utf8) + [0]
        let table = 118, bits = table + 4 * (count + 1)
        let size = bits + 8 * count + name.count
        var font = little(0x200) + little(size, 4) + [UInt8](repeating: 0, count: 60)
        font += [0, 8, 96, 96, 8, 0, 0].flatMap { little($0) } + [0, 0, 0] + little(400) + [0] + little(8) + little(8)
        font += [0] + little(8) + little(8) + [first, last, 0, 0] + little(count) + little(0, 4)
        font += little(size - name.count, 4) + little(0, 4) + little(bits, 4) + [0]
        for letter in 0...count { font += little(8) + little(bits + 8 * min(letter, count - 1)) }
        for letter in first...last {
            font += [UInt8](repeating: letters.utf8.contains(letter) ? 0x7E : 0, count: 8)
        }
        font += name
        let resource = little(0x100 >> 4) + little((size + 15) >> 4) + little(0x1C30) + little(0x8001) + little(0, 4)
        var library = Array("MZ".utf8) + [UInt8](repeating: 0, count: 0x3A) + little(0x40, 4)
        library += Array("NE".utf8) + [UInt8](repeating: 0, count: 0x22) + little(0x40) + little(0x80)
        library += [UInt8](repeating: 0, count: 0x18) + little(4) + little(0x8008) + little(1) + little(0, 4)
        library += resource + little(0)
        library += [UInt8](repeating: 0, count: 0x100 - library.count) + font
        return library + [UInt8](repeating: 0, count: 16)
    }

    @Test("The faces of a collection are its pages, each with its own name")
    func collection() throws {
        let bytes = try Fixtures.bytes("font/two.ttc")
        #expect(try Self.draw(bytes).facts.title == "Vitrine Pair")
        #expect(try Self.draw(bytes, page: 1).facts.title == "Vitrine Pair Two")
    }

    @Test("A font in a resource fork is shown as it is without one")
    func resourceFork() throws {
        // Inside Macintosh: More Macintosh Toolbox, 1-121: where the data and the map are and their lengths, each piece of
        // data with its length before it, and a map with one type and one resource of it.
        let font = try Fixtures.bytes("font/latin.ttf")
        let data = big(font.count, 4) + font
        let types = big(0, 2) + Array("sfnt".utf8) + big(0, 2) + big(10, 2)
        let map = big(0, 24) + big(28, 2) + big(50, 2) + types + big(128, 2) + big(0xFFFF, 2) + big(0, 8)
        let head = [256, 256 + data.count, data.count, map.count].flatMap { big($0, 4) }
        let fork = head + [UInt8](repeating: 0, count: 256 - head.count) + data + map
        let plain = try Self.draw(font), drawn = try Self.draw(fork)
        #expect(RGBAPicture(drawn.bitmap) == RGBAPicture(plain.bitmap) && drawn.facts.title == plain.facts.title)
        #expect(Self.failure(Array(fork.prefix(400))) == .corrupt)
        // The same with a sound in place of the font.
        let kind = 256 + data.count + 30
        var sound = fork
        #expect(sound[kind..<kind + 4].elementsEqual("sfnt".utf8))
        sound.replaceSubrange(kind..<kind + 4, with: "snd ".utf8)
        #expect(Self.failure(sound) == .unsupported)
    }

    @Test("A font is shown in its own script")
    func scripts() {
        func specimen(_ ranges: ClosedRange<UInt32>...) -> String {
            let main = Specimen(ranges.flatMap { Array($0) }).main
            return String(String.UnicodeScalarView(main.compactMap(Unicode.Scalar.init)))
        }
        let latin: ClosedRange<UInt32> = 0x20...0x7E
        #expect(specimen(latin) == "Ag" && specimen(latin, 0x400...0x44F) == "Жф" && specimen(0x400...0x4FF) == "Жф")
        #expect(specimen(latin, 0x370...0x3C9) == "Ωλ" && specimen(latin, 0x600...0x6FF) == "أبج")
        #expect(specimen(latin, 0x900...0x97F) == "अक" && specimen(latin, 0x3040...0x30FF, 0x4E00...0x9FFF) == "永字")
        #expect(specimen(latin, 0xC0...0x24F, 0x400...0x44F) == "Ag")
        #expect(specimen(latin, 0x1000...0x109F) == "ကခ" && specimen(latin, 0x1780...0x17FF) == "កខ")
        #expect(specimen(latin, 0xD80...0xDFF) == "අක" && specimen(latin, 0xF00...0xFFF) == "ཀཁ")
        // No letters: some of what there is.
        #expect(specimen(0xE000...0xE0FF).unicodeScalars.allSatisfy { $0.value >= 0xE000 })
        #expect(specimen(0x3A9...0x3A9, 0x3BB...0x3BB, 0x2500...0x25FF) != "Ωλ")
        #expect(Specimen([]).main.isEmpty)
    }

    @Test("Of a script without a specimen letters are shown, and neither marks nor what all fonts have")
    func otherScripts() {
        func specimen(_ ranges: ClosedRange<UInt32>...) -> [[UInt32]] {
            let specimen = Specimen(ranges.flatMap { Array($0) })
            return [specimen.main] + specimen.lines
        }
        let signs: ClosedRange<UInt32> = 0x20...0x40, latin: ClosedRange<UInt32> = 0x20...0x7E
        // Adlam with a capital and a small letter; Lisu; Khojki and Gunjala Gondi, whose vowels are marks; Cham; Yezidi.
        #expect(specimen(signs, 0x2010...0x2026, 0x1E900...0x1E94B).first == [0x1E900, 0x1E923])
        #expect(specimen(signs, 0xA4D0...0xA4FF).first == [0xA4D0, 0xA4D1])
        #expect(specimen(signs, 0xAE6...0xAEF, 0x11200...0x11211, 0x11213...0x1123E).first == [0x11200, 0x11201])
        #expect(specimen(signs, 0x11D60...0x11D65, 0x11D67...0x11D68, 0x11D6A...0x11D8E).first == [0x11D60, 0x11D61])
        #expect(specimen(signs, 0xAA00...0xAA36).first == [0xAA00, 0xAA01])
        #expect(specimen(signs, 0x10E80...0x10EA9) == [[0x10E80, 0x10E81], Array(0x10E82...0x10E89)])
        // With more letters than of Latin, which gets a line; with fewer.
        let both = specimen(latin, 0x1E900...0x1E943)
        #expect(both.count == 3 && both.first == [0x1E900, 0x1E923] && both.last?.first == 0x48)
        #expect(specimen(latin, 0x1E900...0x1E910).first == [0x41, 0x67])
        // Letters of Latin in other styles, and a few letters among many symbols.
        #expect(specimen(latin, 0x1D400...0x1D7FF, 0x250...0x2AF, 0xFF21...0xFF5A).first == [0x41, 0x67])
        #expect(specimen(0x2500...0x25FF, 0xE000...0xE0FF, 0xAA00...0xAA10).first != [0xAA00, 0xAA01])
    }

    @Test("Symbols are drawn", arguments: ["symbols.ttf", "arabic.ttf", "cyrillic.ttf"])
    func others(name: String) throws {
        #expect(Self.ink(try Self.draw(try Fixtures.bytes("font/\(name)")).bitmap, 0.1...0.5) > 2000)
    }

    @Test("Letters that are layers of colours have them, and no shape of their own")
    func colors() throws {
        let good = try Fixtures.bytes("font/colors.ttf")
        let picture = RGBAPicture(try Self.draw(good).bitmap)
        // Red, green, blue, yellow; and the text's colour, above the name that is written in it.
        let wanted: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]
        var counts = [Int](repeating: 0, count: 5)
        for at in stride(from: 0, to: picture.width * picture.height / 5 * 3 * 4, by: 4) {
            let pixel = Array(picture.pixels[at..<at + 3])
            if let index = wanted.firstIndex(of: pixel) { counts[index] += 1 }
            if pixel.allSatisfy({ $0 < 80 }) { counts[4] += 1 }
        }
        #expect(counts.allSatisfy { $0 > 100 }, "\(counts)")
        // Whatever the two tables say.
        let start = 12 + 16 * Int(good[5])
        for place in start..<good.count where place % 3 == 0 {
            var bytes = good
            bytes[place] = 0xFF
            let code = Self.failure(bytes)
            #expect(code == nil || code == .corrupt || code == .empty, "byte \(place): \(String(describing: code))")
        }
    }

    @Test("A font is drawn as itself, whatever was drawn before by the same renderer")
    func noTraces() throws {
        let renderer = try FontRenderer(RendererEnvironment(pluginFolder: "/"))
        let good = try Fixtures.bytes("font/latin.ttf")
        func draw(_ bytes: [UInt8]) throws -> [UInt8] {
            try renderer.render(BytesInput(bytes), RenderRequest(box: 64, mimeType: "font/ttf"))
                .bitmap.withUnsafeMutableBytes { Array($0) }
        }
        let first = try draw(good)
        var different = 0
        for table in 0..<Int(good[5]) {
            // The table begins where it should, but for a few bytes.
            for shift in [4, 8, 64] {
                var bytes = good
                let place = 12 + table * 16 + 8
                let start = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } + shift
                bytes.replaceSubrange(
                    place..<place + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: start >> (24 - 8 * $0)) })
                if (try? draw(bytes)) != first { different += 1 }
                #expect(try draw(good) == first, "after table \(table) was shifted by \(shift)")
            }
        }
        #expect(different > 5)
    }

    @Test("Fonts that are broken say so")
    func bad() throws {
        #expect(Self.message(Array("words".utf8))?.hasSuffix("(FreeType: invalid stream operation)") == true)
        #expect(Self.failure([]) == .empty && Self.failure(Array("words and words".utf8)) == .corrupt)
        let good = try Fixtures.bytes("font/latin.ttf")
        // Each table in turn lies behind the end, is everything, or is gone.
        for table in 0..<Int(good[5]) {
            for place in [
                [0xFF, 0xFF, 0xFF, 0xF0, 0, 0, 0, 9], [0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0, 0, 0, 0, 0],
            ] {
                var bytes = good
                bytes.replaceSubrange((12 + table * 16 + 8)..<(12 + table * 16 + 16), with: place.map(UInt8.init))
                let code = Self.failure(bytes)
                #expect(
                    code == nil || code == .corrupt || code == .empty, "table \(table): \(String(describing: code))")
            }
        }
        // A collection that claims to have billions of faces.
        #expect(Self.failure([0x74, 0x74, 0x63, 0x66, 0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + good) == .corrupt)
    }

    /// Dark pixels of some rows.
    private static func ink(_ bitmap: Bitmap, _ rows: ClosedRange<Double>) -> Int {
        let range = Int(rows.lowerBound * Double(bitmap.height))..<Int(rows.upperBound * Double(bitmap.height))
        return bitmap.withUnsafeMutableBytes { bytes in
            range.reduce(0) { sum, y in
                sum + (0..<bitmap.width).count { bytes[y * bitmap.bytesPerRow + $0 * 4 + 1] < 128 }
            }
        }
    }
}
