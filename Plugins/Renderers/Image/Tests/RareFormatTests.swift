import Testing
import VitrineKit
import VitrineTesting

@testable import ImageRenderer

// Icons of macOS, cursors of Windows, QOI, and what telescopes and old windows leave.
extension ImageRendererTests {
    @Test("Of an icon of macOS the picture that fits best is drawn, and another one where it is damaged")
    func appleIcon() throws {
        var bytes = try Fixtures.bytes("image/icon.icns")
        for (box, side) in [(16, 16), (64, 128), (128, 128), (200, 256), (512, 256)] {
            let rendering = try draw(bytes, box: box, mimeType: "image/x-icns")
            #expect(rendering.facts.size == PixelSize(width: side, height: side))
            let check = QuadrantCheck(RGBAPicture(rendering), columns: 0.1...0.9, rows: 0.1...0.9)
            #expect(check.arrangement == .upright && check.largestError < 0.05, "\(box)")
        }
        let png = try #require(bytes.firstRange(of: Array("IDAT".utf8)))
        bytes.replaceSubrange(png.upperBound..<bytes.count, with: repeatElement(0, count: bytes.count - png.upperBound))
        #expect(try draw(bytes, box: 256, mimeType: "image/x-icns").facts.size?.width == 128)
        func code(_ file: [UInt8]) -> PluginError.Code? {
            do { _ = try draw(file, mimeType: "image/x-icns") } catch { return (error as? PluginError)?.code }
            return nil
        }
        #expect(code(Array("icns".utf8) + [0, 0, 0, 8]) == .empty)
        #expect(code(Array("icns".utf8) + [0, 0, 0, 99] + Array("ic07".utf8)) == .corrupt)
    }

    @Test("A PNG in an icon is drawn as one that is a file")
    func iconOfPNG() throws {
        // In a light of its own, so that it is left to ImageMagick, which knows nothing of colours in numbers.
        var png = PNGKind(depth: 8, colourType: 2).file
        png.insert(contentsOf: Fixtures.chunk("cICP", [9, 16, 0, 1]), at: 33)
        png.insert(contentsOf: Fixtures.chunk("gAMA", [0, 1, 0x86, 0xA0]), at: 33)
        func length(_ count: Int) -> [UInt8] { [0, 0, UInt8(count >> 8), UInt8(count & 255)] }
        let file = Array("icns".utf8) + length(png.count + 16) + Array("ic07".utf8) + length(png.count + 8) + png
        let alone = RGBAPicture(try draw(png))
        #expect(RGBAPicture(try draw(file, mimeType: "image/x-icns")).pixels == alone.pixels)
        #expect(alone.pixels != RGBAPicture(try draw(PNGKind(depth: 8, colourType: 2).file)).pixels)
    }

    /// An element of an icon of macOS, or all of it.
    private func element(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 8
        return Array(type.utf8) + [0, 0, UInt8(length >> 8), UInt8(length & 255)] + content
    }

    @Test("An icon of numbers of 1, 4 or 8 bits has the colours of its system, and is seen where its mask is set")
    func iconOfNumbers() throws {
        func colours(_ elements: [UInt8], _ side: Int = 16) throws -> [[UInt8]] {
            let picture = RGBAPicture(try draw(element("icns", elements), box: 16, mimeType: "image/x-icns"))
            #expect(picture.width == side)
            return (0..<5).map { (x: Int) in
                let pixel = picture.pixel(x: x, y: 1)
                return [pixel.red, pixel.green, pixel.blue, pixel.alpha]
            }
        }
        func row(_ numbers: [UInt8], _ bytes: Int, of count: Int) -> [UInt8] {
            let row = numbers + [UInt8](repeating: 0, count: bytes - numbers.count)
            return [UInt8](repeating: 0, count: bytes) + row + [UInt8](repeating: 0, count: count - 2 * bytes)
        }
        // The third pixel is left out by the mask.
        let bits = row([0b0111_1000, 0], 2, of: 32), mask = row([0b1101_1000, 0], 2, of: 32)
        let one = element("ics#", bits + mask), four = element("ics4", row([0x03, 0x68, 0xF0], 8, of: 128))
        let eight = element("ics8", row([0, 35, 215, 226, 255], 16, of: 256))
        let white: [UInt8] = [255, 255, 255, 255], black: [UInt8] = [0, 0, 0, 255]
        #expect(try colours(one) == [white, black, [0, 0, 0, 0], black, black])
        #expect(
            try colours(four)
                == [white, [0xDD, 8, 6, 255], [0, 0, 0xD4, 255], [0x1F, 0xB7, 0x14, 255], black])
        #expect(
            try colours(one + four + eight)
                == [white, [255, 0, 0, 255], [0xEE, 0, 0, 0], [0, 0xDD, 0, 255], black])
        // An element that is too short is damaged, and the next one is drawn.
        #expect(try colours(four + element("ics8", [1, 2, 3])) == colours(four))
        let planes: [UInt8] = [0xFF, 10, 0xFB, 10, 0xFF, 20, 0xFB, 20, 0xFF, 30, 0xFB, 30]
        #expect(try colours(element("is32", planes) + one)[1...2] == [[10, 20, 30, 255], [10, 20, 30, 0]])
        // One of all colours is preferred as long as it fills the box.
        let large = element("il32", planes + planes + planes + planes)
        #expect(try colours(large + eight, 32)[1] == [10, 20, 30, 255])
    }

    @Test("The alpha of an icon's planes is an element of its own")
    func iconMask() throws {
        // 256 pixels: runs of 130 and 126.
        let planes: [UInt8] = [0xFF, 10, 0xFB, 10, 0xFF, 20, 0xFB, 20, 0xFF, 30, 0xFB, 30]
        let mask = (0..<256).map { UInt8($0) }
        let file = element("icns", element("s8mk", mask) + element("is32", planes))
        let picture = RGBAPicture(try draw(file, box: 16, mimeType: "image/x-icns"))
        let pixel = picture.pixel(x: 3, y: 2)
        #expect(pixel.red == 10 && pixel.green == 20 && pixel.blue == 30 && pixel.alpha == 35)
        let opaque = element("icns", element("is32", planes))
        #expect(RGBAPicture(try draw(opaque, box: 16, mimeType: "image/x-icns")).pixel(x: 0, y: 0).alpha == 255)
        let short = element("icns", element("is32", Array(planes.dropLast(2))))
        let error = #expect(throws: PluginError.self) { try draw(short, mimeType: "image/x-icns") }
        #expect(error?.code == .corrupt)
    }

    @Test("A bitmap of X is read whatever its numbers are declared as, and refused when they are missing")
    func bitmapOfX() throws {
        func picture(_ text: String) throws -> [[UInt8]] {
            let picture = RGBAPicture(try draw(Array(text.utf8), mimeType: "image/x-xbitmap"))
            return (0..<picture.height).map { y in (0..<picture.width).map { picture.pixel(x: $0, y: y).red } }
        }
        let sides = "#define a_width 9\n#define a_height 2\n"
        let wanted = [[0] + [UInt8](repeating: 255, count: 7) + [0], [UInt8](repeating: 255, count: 7) + [0, 255]]
        for declaration in ["static char", "static const unsigned char", "unsigned char"] {
            #expect(try picture(sides + declaration + " a_bits[] = {\n 0x01, 0x01,0x80,0 };") == wanted)
        }
        #expect(try picture(sides + "static short a_bits[] = { 0x0101, 128 };") == wanted)
        // Words in names and comments that look like others.
        let bits = "[] = { 1, 1, 0x80, 0 };"
        #expect(try picture(sides + "/* a short one */ static char shortcut_bits" + bits) == wanted)
        #expect(try picture("#define full_width_width 9\n#define full_height_height 2\nchar a_bits" + bits) == wanted)
        for wrong in [
            sides, sides + "char a_bits[] = { 1, 1, 0x80 };", sides + "char a[] = { 1, 0x1FFFFFFFFFF, 1, 1 };", "{}",
        ] {
            let error = #expect(throws: PluginError.self) { try picture(wrong) }
            #expect(error?.code == .corrupt)
        }
        let large = "#define a_width 99999\n#define a_height 99999\n{0}"
        let error = #expect(throws: PluginError.self) { try picture(large) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("Of the resolutions of a Photo CD's picture the usual one is drawn, not the lowest")
    func photoCD() throws {
        var bytes = [UInt8](repeating: 0, count: (96 + 288) * 2048)
        bytes.replaceSubrange(2048..<2055, with: "PCD_IPI".utf8)
        // From sector 96 on, two rows of light and then a row of both colours, each half as long; the others are black.
        for rows in 0..<256 {
            let at = 96 * 2048 + rows * 2304
            bytes.replaceSubrange(at..<at + 1536, with: repeatElement(150, count: 1536))
            bytes.replaceSubrange(at + 1536..<at + 1920, with: repeatElement(156, count: 384))
            bytes.replaceSubrange(at + 1920..<at + 2304, with: repeatElement(137, count: 384))
        }
        let made = try draw(bytes, mimeType: "image/x-photo-cd")
        #expect(made.facts.size == PixelSize(width: 768, height: 512))
        #expect(RGBAPicture(made).pixel(x: 50, y: 50).green > 100)
        #expect(throws: PluginError.self) {
            try draw(bytes, mimeType: "image/x-photo-cd", maximumPixels: 768 * 512 - 1)
        }
    }

    @Test("The first picture of an animated cursor is drawn, at the size that fits best")
    func animatedCursor() throws {
        let bytes = try Fixtures.bytes("image/cursor.ani")
        let rendering = try draw(bytes, box: 64, mimeType: "application/x-navi-animation")
        #expect(rendering.facts.size == PixelSize(width: 64, height: 64))
        #expect(QuadrantCheck(RGBAPicture(rendering)).arrangement == .upright)
        let error = #expect(throws: PluginError.self) {
            try draw(Array(bytes.prefix(60)), mimeType: "application/x-navi-animation")
        }
        #expect(error?.code == .empty)
    }

    @Test("Pictures of films come with the values that they hold")
    func films() throws {
        // The headers of SMPTE 268M: where the pixels lie, how many of them there are, and that they are red, green and blue.
        var bytes = [UInt8](repeating: 0, count: 2048)
        let sides: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 4]
        for (at, value) in [
            (0, Array("SDPX".utf8)), (4, [0, 0, 8, 0]), (8, Array("V2.0".utf8)), (770, [0, 1]), (772, sides),
            (796, [0, 0, 0, 0, 50, 0, 0, 8]), (808, [0, 0, 8, 0]),
        ] { bytes.replaceSubrange(at..<at + value.count, with: value) }
        bytes += [[UInt8]](repeating: [127, 64, 200], count: 16).flatMap(\.self)
        let picture = RGBAPicture(try draw(bytes, mimeType: "image/x-dpx"))
        #expect(picture.pixels.prefix(4) == [127, 64, 200, 255])
    }

    @Test("Greys of a telescope, and bitmaps of two colours, stand upright", arguments: ["fits", "xbm", "wbmp"])
    func greys(ending: String) throws {
        let types = ["fits": "application/fits", "xbm": "image/x-xbitmap", "wbmp": "image/vnd.wap.wbmp"]
        let bytes = try Fixtures.bytes("image/plain.\(ending)")
        let picture = RGBAPicture(try draw(bytes, box: 256, mimeType: try #require(types[ending])))
        #expect(picture.width == 160 && picture.height == 120)
        // Red is darker than green, blue than yellow; the arrow's tip is above the middle.
        #expect(picture.pixel(x: 20, y: 15).red < picture.pixel(x: 140, y: 15).red)
        #expect(picture.pixel(x: 20, y: 105).red < picture.pixel(x: 140, y: 105).red)
        #expect(picture.pixel(x: 88, y: 60).red > picture.pixel(x: 83, y: 60).red)
    }

    @Test(
        "What is cut off or damaged of rare formats is refused or drawn in part, and ends nothing",
        arguments: [
            ("plain.qoi", "image/qoi"), ("icon.icns", "image/x-icns"), ("cursor.ani", "application/x-navi-animation"),
            ("plain.fits", "application/fits"), ("plain.xwd", "image/x-xwindowdump"), ("light.tiff", "image/tiff"),
            ("bc7.dds", "image/x-dds"), ("plain.xbm", "image/x-xbitmap"), ("plain.wbmp", "image/vnd.wap.wbmp"),
            ("heights.tiff", "image/tiff"),
        ])
    func rareDamaged(name: String, mimeType: String) throws {
        let bytes = try Fixtures.bytes("image/\(name)")
        let renderer = try ImageRenderer(RendererEnvironment(pluginFolder: Fixtures.pluginFolder))
        var refused = 0
        for at in Array(0..<64) + Array(stride(from: 64, to: bytes.count, by: max(1, bytes.count / 40))) {
            var other = bytes
            other[at] ^= 0x5A
            for damaged in [Array(bytes[..<at]), other] {
                do throws(PluginError) {
                    let made = try renderer.render(BytesInput(damaged), RenderRequest(box: 32, mimeType: mimeType))
                    #expect(made.bitmap.width > 0)
                } catch {
                    refused += 1
                    let codes: [PluginError.Code] = [.corrupt, .unsupported, .limitExceeded, .empty]
                    #expect(codes.contains(error.code), "\(error) at \(at)")
                }
            }
        }
        #expect(refused > 0)
    }

    @Test("A QOI picture's size is checked before there is memory for it, and one too short is damaged")
    func qoiClaims() throws {
        func code(_ width: UInt8, _ height: UInt8, _ chunks: [UInt8]) throws -> PluginError.Code? {
            let head = Array("qoif".utf8) + [0, width, 0, 1, 0, height, 0, 1, 4, 0]
            do {
                _ = try draw(head + chunks, mimeType: "image/qoi")
                return nil
            } catch { return try #require(error as? PluginError).code }
        }
        #expect(try code(0, 0, [0xFF, 1, 2, 3, 4]) == nil)
        #expect(try code(0, 0, [0xFF, 1, 2, 3]) == .corrupt)
        #expect(try code(255, 255, [0xFF, 1, 2, 3, 4]) == .limitExceeded)
        // Few pixels, but one row of them.
        #expect(try code(255, 0, [0xFF, 1, 2, 3, 4]) == .limitExceeded)
        #expect(try code(0, 255, [0xFF, 1, 2, 3, 4]) == .limitExceeded)
    }

    @Test("Bright light in wide colours is shown as a screen can", arguments: ["bright.png", "bright.avif"])
    func coded(name: String) throws {
        let bytes = try Fixtures.bytes("image/\(name)")
        let check = QuadrantCheck(RGBAPicture(try draw(bytes)))
        // What is nearly white is pressed together a little.
        #expect(check.arrangement == .upright && check.largestError < 0.1, "\(check.largestError)")
        guard name.hasSuffix("png"), let chunk = bytes.firstRange(of: Array("cICP".utf8)) else { return }
        // sRGB, and numbers that mean nothing: as stored, which is pale.
        for numbers: [UInt8] in [[1, 13], [77, 16 + 128]] {
            var other = bytes
            other.replaceSubrange(chunk.upperBound..<chunk.upperBound + 2, with: numbers)
            let stored = QuadrantCheck(RGBAPicture(try draw(other)))
            #expect(stored.largestError > 0.2)
        }
    }

    @Test("Samples with a sign or a fraction are shown in the range that they use")
    func ranges() throws {
        let heights = RGBAPicture(try draw(try Fixtures.bytes("image/heights.tiff"), box: 256))
        let grey = RGBAPicture(try draw(try Fixtures.bytes("image/grey.png"), box: 256))
        let reds = (0..<160 * 120).map { Int(grey.pixel(x: $0 % 160, y: $0 / 160).red) }
        let (darkest, lightest) = (try #require(reds.min()), try #require(reds.max()))
        #expect(darkest > 0 && lightest < 255)
        for (x, y) in [(20, 15), (140, 15), (20, 105), (140, 105), (80, 60)] {
            let wanted = (Int(grey.pixel(x: x, y: y).red) - darkest) * 255 / (lightest - darkest)
            #expect(abs(Int(heights.pixel(x: x, y: y).red) - wanted) <= 2, "\(x), \(y)")
        }
    }

    @Test(
        "Wide samples are those of other programs' ranges, in strips and tiles, with alpha",
        arguments: [
            TIFFKind(bits: 32), TIFFKind(bits: 32, isBigEndian: true),
            TIFFKind(bits: 32, photometric: 2, isTiled: true),
            TIFFKind(bits: 32, photometric: 2, alpha: 2), TIFFKind(bits: 32, photometric: 0, isSeparate: true),
            TIFFKind(bits: 32, alpha: 2, isSeparate: true), TIFFKind(bits: 32, alpha: 1),
            TIFFKind(bits: 32, photometric: 2, alpha: 1, isSeparate: true, isTiled: true),
            TIFFKind(bits: 16, isFraction: true, photometric: 2, alpha: 1),
            TIFFKind(bits: 32, isFraction: true, photometric: 2, alpha: 1, isSeparate: true),
            TIFFKind(bits: 64, isFraction: true, photometric: 2, alpha: 1, isTiled: true),
            TIFFKind(bits: 64, isFraction: true, alpha: 1), TIFFKind(bits: 32, isFraction: true, nothing: "1e+20"),
            TIFFKind(bits: 32, isFraction: true, nothing: "-12.3"),
            TIFFKind(bits: 16, isFraction: true, nothing: "-12.3"),
            TIFFKind(bits: 32, isFraction: true, photometric: 2, profile: [1, 2, 3]),
        ])
    func wideKinds(kind: TIFFKind) throws {
        let picture = RGBAPicture(try draw(kind.file))
        for y in 0..<TIFFKind.height {
            for x in 0..<TIFFKind.width where kind.alpha(x) > 0 && (kind.nothing.isEmpty || x + y > 0) {
                let pixel = picture.pixel(x: x, y: y)
                #expect(abs(Int(pixel.alpha) - kind.alpha(x)) <= 1, "\(x), \(y)")
                #expect(abs(Int(pixel.red) - kind.red(x, y)) <= 2, "\(x), \(y)")
            }
        }
    }
}
