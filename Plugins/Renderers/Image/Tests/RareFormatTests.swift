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
            let check = QuadrantCheck(RGBAPicture(rendering.bitmap), columns: 0.1...0.9, rows: 0.1...0.9)
            #expect(check.arrangement == .upright && check.largestError < 0.05, "\(box)")
        }
        let png = try #require(bytes.firstRange(of: Array("IDAT".utf8)))
        bytes.replaceSubrange(png.upperBound..<bytes.count, with: repeatElement(0, count: bytes.count - png.upperBound))
        #expect(try draw(bytes, box: 256, mimeType: "image/x-icns").facts.size?.width == 128)
        #expect(throws: PluginError.self) { try draw(Array("icns".utf8) + [0, 0, 0, 8], mimeType: "image/x-icns") }
    }

    @Test("The alpha of an icon's planes is an element of its own")
    func iconMask() throws {
        func element(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let length = content.count + 8
            return Array(type.utf8) + [0, 0, UInt8(length >> 8), UInt8(length & 255)] + content
        }
        // 256 pixels: runs of 130 and 126.
        let planes: [UInt8] = [0xFF, 10, 0xFB, 10, 0xFF, 20, 0xFB, 20, 0xFF, 30, 0xFB, 30]
        let mask = (0..<256).map { UInt8($0) }
        let file = element("icns", element("s8mk", mask) + element("is32", planes))
        let picture = RGBAPicture(try draw(file, box: 16, mimeType: "image/x-icns").bitmap)
        let pixel = picture.pixel(x: 3, y: 2)
        #expect(pixel.red == 10 && pixel.green == 20 && pixel.blue == 30 && pixel.alpha == 35)
        let opaque = element("icns", element("is32", planes))
        #expect(RGBAPicture(try draw(opaque, box: 16, mimeType: "image/x-icns").bitmap).pixel(x: 0, y: 0).alpha == 255)
        let short = element("icns", element("is32", Array(planes.dropLast(2))))
        let error = #expect(throws: PluginError.self) { try draw(short, mimeType: "image/x-icns") }
        #expect(error?.code == .corrupt)
    }

    @Test("The first picture of an animated cursor is drawn, at the size that fits best")
    func animatedCursor() throws {
        let bytes = try Fixtures.bytes("image/cursor.ani")
        let rendering = try draw(bytes, box: 64, mimeType: "application/x-navi-animation")
        #expect(rendering.facts.size == PixelSize(width: 64, height: 64))
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
        let error = #expect(throws: PluginError.self) {
            try draw(Array(bytes.prefix(60)), mimeType: "application/x-navi-animation")
        }
        #expect(error?.code == .empty)
    }

    @Test("Greys of a telescope, and bitmaps of two colours, stand upright", arguments: ["fits", "xbm", "wbmp"])
    func greys(ending: String) throws {
        let types = ["fits": "application/fits", "xbm": "image/x-xbitmap", "wbmp": "image/vnd.wap.wbmp"]
        let bytes = try Fixtures.bytes("image/plain.\(ending)")
        let picture = RGBAPicture(try draw(bytes, box: 256, mimeType: try #require(types[ending])).bitmap)
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
            ("plain.xbm", "image/x-xbitmap"), ("plain.wbmp", "image/vnd.wap.wbmp"), ("heights.tiff", "image/tiff"),
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
            let head = Array("qoif".utf8) + [width, 0, 0, 1, height, 0, 0, 1, 4, 0]
            do {
                _ = try draw(head + chunks, mimeType: "image/qoi")
                return nil
            } catch { return try #require(error as? PluginError).code }
        }
        #expect(try code(0, 0, [0xFF, 1, 2, 3, 4]) == nil)
        #expect(try code(0, 0, [0xFF, 1, 2, 3]) == .corrupt)
        #expect(try code(1, 1, [0xFF, 1, 2, 3, 4]) == .limitExceeded)
    }

    @Test("Bright light in wide colours is shown as a screen can", arguments: ["bright.png", "bright.avif"])
    func coded(name: String) throws {
        let bytes = try Fixtures.bytes("image/\(name)")
        let check = QuadrantCheck(RGBAPicture(try draw(bytes).bitmap))
        // What is nearly white is pressed together a little.
        #expect(check.arrangement == .upright && check.largestError < 0.1, "\(check.largestError)")
        guard name.hasSuffix("png"), let chunk = bytes.firstRange(of: Array("cICP".utf8)) else { return }
        // sRGB, and numbers that mean nothing: as stored, which is pale.
        for numbers: [UInt8] in [[1, 13], [77, 16 + 128]] {
            var other = bytes
            other.replaceSubrange(chunk.upperBound..<chunk.upperBound + 2, with: numbers)
            let stored = QuadrantCheck(RGBAPicture(try draw(other).bitmap))
            #expect(stored.largestError > 0.2)
        }
    }

    @Test("Samples with a sign or a fraction are shown in the range that they use")
    func ranges() throws {
        let heights = RGBAPicture(try draw(try Fixtures.bytes("image/heights.tiff"), box: 256).bitmap)
        let grey = RGBAPicture(try draw(try Fixtures.bytes("image/grey.png"), box: 256).bitmap)
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
            TIFFKind(bits: 32, alpha: 2, isSeparate: true),
        ])
    func wideKinds(kind: TIFFKind) throws {
        let picture = RGBAPicture(try draw(kind.file).bitmap)
        for y in 0..<TIFFKind.height {
            for x in 0..<TIFFKind.width where kind.alpha(x) > 0 {
                let pixel = picture.pixel(x: x, y: y)
                #expect(abs(Int(pixel.alpha) - kind.alpha(x)) <= 1, "\(x), \(y)")
                #expect(abs(Int(pixel.red) - kind.red(x, y)) <= 2, "\(x), \(y)")
            }
        }
    }
}
