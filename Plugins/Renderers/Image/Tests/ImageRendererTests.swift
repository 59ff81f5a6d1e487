import ImageRenderer
import Testing
import VitrineKit
import VitrineTesting

/// ImageMagick is one for the whole process and keeps state, so tests take turns.
@Suite(.serialized) struct ImageRendererTests {
    func draw(
        _ bytes: [UInt8], box: Int = 128, page: Int = 0, mimeType: String = "image/png", maximumPixels: Int = 64_000_000
    ) throws -> Rendering {
        let renderer = try ImageRenderer(
            RendererEnvironment(pluginFolder: Fixtures.pluginFolder, maximumPixels: maximumPixels))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: mimeType, page: page))
    }

    /// The kind of failure, for files that must fail.
    private func failure(_ bytes: [UInt8], mimeType: String = "image/png") throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, mimeType: mimeType) }
        return try #require(error).code
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: [
            ("plain.jpg", "image/jpeg"), ("exif-6.jpg", "image/jpeg"), ("icc-wide.jpg", "image/jpeg"),
            ("alpha.png", "image/png"), ("rgb-16.png", "image/png"), ("animated.gif", "image/gif"),
            ("lossy.webp", "image/webp"), ("plain.bmp", "image/bmp"), ("pages.dcx", "image/x-dcx"),
            ("plain.cin", "image/cineon"),
            ("animated.mng", "video/x-mng"), ("icon.ico", "image/vnd.microsoft.icon"),
            ("plain.jp2", "image/jp2"), ("flat.psd", "image/vnd.adobe.photoshop"), ("plain.avif", "image/avif"),
            ("plain.heic", "image/heif"), ("plain.qoi", "image/qoi"), ("icon.icns", "image/x-icns"),
            ("cursor.ani", "application/x-navi-animation"), ("light.tiff", "image/tiff"),
            ("plain.fits", "application/fits"), ("plain.xwd", "image/x-xwindowdump"),
            ("plain.xbm", "image/x-xbitmap"), ("plain.wbmp", "image/vnd.wap.wbmp"),
        ])
    func conformance(name: String, mimeType: String) throws {
        let sample = RendererSample(name, mimeType: mimeType, bytes: try Fixtures.bytes("image/\(name)"))
        #expect(suite(sample).violations() == [])
    }

    @Test("The thumbnail of a HEIF file is taken where it is as good as the picture")
    func thumbnail() throws {
        let bytes = try Fixtures.bytes("image/thumbnail.heic")
        func rendering(_ bytes: [UInt8], _ box: Int, _ use: EmbeddedUse) throws -> Rendering {
            let renderer = try ImageRenderer(RendererEnvironment(pluginFolder: Fixtures.pluginFolder))
            var request = RenderRequest(box: box, mimeType: "image/heif")
            request.embedded = use
            return try renderer.render(BytesInput(bytes), request)
        }
        let taken = try rendering(bytes, 64, .auto)
        #expect(taken.embedded == "HEIF thumbnail" && taken.bitmap.width == 80)
        #expect(taken.facts.size == PixelSize(width: 160, height: 120))
        #expect(QuadrantCheck(RGBAPicture(taken)).arrangement == .upright)
        let tagged = try rendering(try Fixtures.bytes("image/icc-swapped.heic"), 64, .auto)
        #expect(tagged.embedded == "HEIF thumbnail")
        #expect(QuadrantCheck(RGBAPicture(tagged)).arrangement == .upright)
        #expect(try rendering(bytes, 128, .auto).embedded == nil)
        #expect(try rendering(bytes, 128, .prefer).bitmap.width == 80)
        #expect(try rendering(bytes, 64, .never).embedded == nil)
        // Without one, and damaged: what is found must not be worse than the picture.
        #expect(try rendering(try Fixtures.bytes("image/plain.heic"), 64, .prefer).embedded == nil)
        for count in stride(from: 64, to: bytes.count, by: 97) {
            _ = try? rendering(Array(bytes.prefix(count)), 64, .prefer)
        }
    }

    @Test("It keeps the renderer's contract for files with pages")
    func conformanceOfPages() throws {
        let sample = RendererSample(
            "pages.tiff", mimeType: "image/tiff", bytes: try Fixtures.bytes("image/pages.tiff"), pages: 2)
        #expect(suite(sample).violations() == [])
    }

    private func suite(_ sample: RendererSample) -> RendererConformance {
        RendererConformance(samples: [sample], scales: false, pluginFolder: Fixtures.pluginFolder) {
            environment throws(PluginError) in try ImageRenderer(environment)
        }
    }

    @Test(
        "Every format and every orientation is drawn upright and in its colours",
        arguments: [
            "alpha.webp", "animated.gif", "cmyk.jpg", "exif-1.jpg", "exif-2.jpg", "exif-3.jpg", "exif-4.jpg",
            "exif-5.jpg", "exif-6.jpg", "exif-7.jpg", "exif-8.jpg", "flat.psd", "icc-swapped.avif",
            "icc-swapped.heic", "icc-swapped.jpg", "icc-swapped.png", "icc-swapped.tiff", "icc-swapped.webp",
            "icc-wide.jpg", "icon.ico", "lossy.webp", "pages.tiff", "pages.dcx", "animated.mng", "palette.png",
            "plain.avif", "plain.bmp", "plain.cin",
            "plain.heic", "plain.jp2",
            "plain.exr", "plain.jpg", "plain.ppm", "plain.tga", "progressive.jpg", "rgb-16.png", "rgb-8.png",
            "bc7.dds", "light.tiff", "plain.qoi", "plain.xwd",
        ])
    func motif(name: String) throws {
        let types = ["plain.tga": "image/x-tga", "plain.xwd": "image/x-xwindowdump"]
        let mimeType = types[name] ?? "image/png"
        let rendering = try draw(try Fixtures.bytes("image/\(name)"), mimeType: mimeType)
        let check = QuadrantCheck(RGBAPicture(rendering))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < (name == "cmyk.jpg" ? 0.1 : 0.04))
        #expect(
            rendering.facts.size
                == (name == "icon.ico" ? PixelSize(width: 64, height: 64) : PixelSize(width: 160, height: 120)))
    }

    @Test("The page of a TIFF that is asked for is drawn")
    func pages() throws {
        let rendering = try draw(try Fixtures.bytes("image/pages.tiff"), page: 1)
        #expect(QuadrantCheck(RGBAPicture(rendering)).arrangement == .upsideDown)
        #expect(rendering.facts.pages == 2)
        let greys = try (0..<3).map {
            RGBAPicture(try draw(Fixtures.tiff(pages: [10, 20, 30]), page: $0)).pixel(x: 3, y: 3).red
        }
        #expect(greys == [10, 20, 30])
    }

    @Test("A TIFF whose directories run in a circle has as many pages as directories")
    func circle() throws {
        let rendering = try draw(Fixtures.tiff(pages: [10, 20, 30], loop: true))
        #expect(rendering.facts.pages == 3)
    }

    @Test("The icon that fits the box best is taken", arguments: [(16, 32), (32, 32), (33, 64), (64, 64), (256, 64)])
    func icon(box: Int, side: Int) throws {
        let rendering = try draw(try Fixtures.bytes("image/icon.ico"), box: box)
        #expect(rendering.bitmap.width == side)
    }

    @Test("A large picture is reduced before it leaves the renderer, by averaging")
    func reduced() throws {
        // Stripes of one pixel: only an average of both gives grey.
        let bytes = Fixtures.ppm(width: 900, height: 600) { x, _ in x % 2 == 0 ? [0, 0, 0] : [255, 255, 255] }
        let rendering = try draw(bytes, box: 64)
        #expect(rendering.bitmap.width < 4 * 64 && rendering.bitmap.width >= 2 * 64)
        let pixel = RGBAPicture(rendering).pixel(x: 40, y: 40)
        #expect(abs(Int(pixel.red) - 127) <= 20)
        #expect(rendering.facts.size == PixelSize(width: 900, height: 600))
    }

    @Test("OpenEXR, whose coder opens files by path, is read from memory and shown in sRGB")
    func openEXR() throws {
        // 0x3400 is 0.25 of full light, which sRGB writes as 137.
        let bytes = Fixtures.exr(width: 40, height: 30, half: 0x3400)
        let rendering = try draw(bytes, mimeType: "image/x-exr")
        #expect(rendering.facts.size == PixelSize(width: 40, height: 30))
        #expect(abs(Int(RGBAPicture(rendering).pixel(x: 20, y: 15).red) - 137) <= 1)
        #expect(suite(RendererSample("grey.exr", mimeType: "image/x-exr", bytes: bytes)).violations() == [])
    }

    @Test("A transparent frame stays transparent when the picture is reduced, and lends no colour")
    func transparency() throws {
        let picture = RGBAPicture(try draw(try Fixtures.bytes("image/alpha.png"), box: 16))
        #expect(picture.pixel(x: 0, y: 0).alpha == 0)
        #expect(QuadrantCheck(picture, columns: 0.1...0.9, rows: 0.1...0.9).arrangement == .upright)
    }

    @Test("Pictures beyond the pixel limit are refused before they are decoded")
    func pixels() throws {
        let code = try failure(try Fixtures.bytes("bad/huge-claim.png"))
        #expect(code == .limitExceeded)
        let bytes = Fixtures.ppm(width: 100, height: 100) { _, _ in [1, 2, 3] }
        let rendering = try draw(bytes, maximumPixels: 10_000)
        #expect(rendering.bitmap.width == 100)
        let error = #expect(throws: PluginError.self) { try draw(bytes, maximumPixels: 9_999) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("A whole picture in a variety that is not decoded is not called damaged")
    func variety() throws {
        // Programming Guide for DDS, "DDS_HEADER" and "DDS_HEADER_DXT10": 4 × 4 pixels, as films have them (AYUV).
        var words = [UInt32](repeating: 0, count: 36)
        (words[0], words[1], words[2], words[3], words[4]) = (124, 0x0008_1007, 4, 4, 16)
        (words[18], words[19], words[20], words[26]) = (32, 4, 0x3031_5844, 0x1000)
        (words[31], words[32], words[34]) = (100, 3, 1)
        let bytes = Array("DDS ".utf8) + words.flatMap { word in (0..<4).map { UInt8(word >> ($0 * 8) & 0xFF) } }
        let error = #expect(throws: PluginError.self) { try draw(bytes, mimeType: "image/x-dds") }
        #expect(error?.code == .unsupported)
        // Without the file and the line of ImageMagick's source.
        #expect(error?.message.hasSuffix("(ImageMagick: image type not supported)") == true)
    }

    @Test("A comment that unpacks to 32 MiB is not unpacked, and the picture is drawn")
    func textBomb() throws {
        let rendering = try draw(try Fixtures.bytes("bad/text-bomb.png"))
        #expect(rendering.bitmap.width == 40)
    }

    @Test("A HEIF picture that is laid together of others is refused in words")
    func overlay() throws {
        var bytes = try Fixtures.bytes("image/plain.heic")
        let entry = Array("infe".utf8)
        let entries = bytes.indices.filter { bytes[$0...].starts(with: entry) }
        let picture = try #require(entries.first { bytes[($0 + 12)...].starts(with: Array("hvc1".utf8)) })
        bytes.replaceSubrange(picture + 12..<picture + 16, with: Array("iovl".utf8))
        let error = #expect(throws: PluginError.self) { try draw(bytes, mimeType: "image/heif") }
        #expect(error?.code == .unsupported && error?.message.contains("laid together") == true)
    }

    @Test("What the tiles of a HEIF picture leave bare shows nothing of what was in memory before")
    func bareGrid() throws {
        let bytes = try Fixtures.bytes("image/bare-grid.heic")
        // What the C library hands out again: pieces of the planes' sizes, and of rows.
        for size in [19_200, 76_800, 77_000, 307_200, 308_000] {
            let pieces = (0..<32).map { _ in UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16) }
            for piece in pieces { piece.copyBytes(from: (0..<size).map { UInt8(truncatingIfNeeded: $0) }) }
            for piece in pieces { piece.deallocate() }
        }
        let picture = RGBAPicture(try draw(bytes, box: 320, mimeType: "image/heif"))
        #expect(picture.width == 320 && picture.height == 240)
        // Beside the tile and below it red, green and blue are the same everywhere.
        let pixels = picture.pixels
        let bare = (0..<240).lazy.flatMap { y in ((y > 120 ? 0 : 161)..<320).lazy.map { (y * 320 + $0) * 4 } }
        let isEven = bare.allSatisfy { pixels[$0..<$0 + 4].elementsEqual(pixels.suffix(4)) }
        #expect(isEven)
    }

    @Test("A JPEG picture of which nothing can be decoded is no picture")
    func undecodable() throws {
        var bytes = try Fixtures.bytes("image/plain.jpg")
        // The tables of the first component, of which none has this number (ITU-T T.81, B.2.3).
        let scan = try #require(bytes.indices.dropLast().first { bytes[$0...].starts(with: [0xFF, 0xDA]) })
        bytes[scan + 6] = 0x55
        let error = #expect(throws: PluginError.self) { try draw(bytes, mimeType: "image/jpeg") }
        #expect(
            error?.code == .corrupt && error?.message.contains("Huffman table") == true, "\(String(describing: error))")
    }

    @Test("Only bytes choose the coder: a good PNG with any type is drawn")
    func wrongType() throws {
        let rendering = try draw(try Fixtures.bytes("bad/png-named.docx"), mimeType: "image/jpeg")
        #expect(QuadrantCheck(RGBAPicture(rendering)).arrangement == .upright)
    }

    @Test(
        "Formats that are programs, documents or other coders' names are not touched",
        arguments: [
            "push graphic-context\nimage over 0,0 0,0 'https://localhost/a'\npop graphic-context",
            "<?xml version=\"1.0\"?><image><read filename=\"/etc/passwd\"/></image>",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>", "%!PS-Adobe-3.0\nshowpage\n",
            "%PDF-1.4\n", "label:x", "@/etc/passwd", "id=ImageMagick  version=1.0\nclass=DirectClass\n",
        ])
    func programs(text: String) throws {
        let code = try failure(Array(text.utf8), mimeType: "image/x-tga")
        #expect(code == .corrupt)
    }

    @Test("Without its policy the renderer does not start")
    func noPolicy() throws {
        let error = #expect(throws: PluginError.self) {
            try ImageRenderer(RendererEnvironment(pluginFolder: "/nonexistent"))
        }
        #expect(error?.code == .pluginUnavailable)
    }
}
