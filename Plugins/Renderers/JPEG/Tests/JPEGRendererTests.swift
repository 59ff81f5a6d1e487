import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import JPEGRenderer

@Suite struct JPEGRendererTests {
    private func draw(_ bytes: [UInt8], box: Int = 128, maximumPixels: Int = 64_000_000) throws -> Rendering {
        let renderer = try JPEGRenderer(
            RendererEnvironment(pluginFolder: "/nonexistent", maximumPixels: maximumPixels))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: "image/jpeg"))
    }

    private func failure(_ bytes: [UInt8], maximumPixels: Int = 64_000_000) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, maximumPixels: maximumPixels) }
        return try #require(error).code
    }

    /// Where a segment with this marker begins.
    private func segment(_ marker: UInt8, in bytes: [UInt8]) throws -> Int {
        try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == marker })
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: ["plain.jpg", "progressive.jpg", "exif-6.jpg", "icc-wide.jpg", "cmyk.jpg", "grey.jpg"])
    func conformance(name: String) throws {
        let sample = RendererSample(name, mimeType: "image/jpeg", bytes: try Fixtures.bytes("image/\(name)"))
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try JPEGRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "Every orientation and every kind of colours is drawn upright and in its colours",
        arguments: [
            "cmyk.jpg", "exif-1.jpg", "exif-2.jpg", "exif-3.jpg", "exif-4.jpg", "exif-5.jpg", "exif-6.jpg",
            "exif-7.jpg", "exif-8.jpg", "icc-swapped.jpg", "icc-wide.jpg", "plain.jpg", "progressive.jpg",
        ])
    func motif(name: String) throws {
        let rendering = try draw(try Fixtures.bytes("image/\(name)"))
        let check = QuadrantCheck(RGBAPicture(rendering))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < (name == "cmyk.jpg" ? 0.1 : 0.04))
        #expect(rendering.facts.size == PixelSize(width: 160, height: 120))
    }

    @Test(
        "It is decoded at the smallest size that is half as large again as wanted",
        arguments: [(160, 160), (80, 160), (53, 80), (16, 40), (8, 20)])
    func reduced(box: Int, width: Int) throws {
        #expect(try draw(try Fixtures.bytes("image/plain.jpg"), box: box).bitmap.width == width)
    }

    @Test("A picture of which the end is missing shows what is there")
    func truncated() throws {
        let bytes = try Fixtures.bytes("image/plain.jpg")
        let whole = RGBAPicture(try draw(bytes))
        let part = RGBAPicture(try draw(Array(bytes[..<(bytes.count * 9 / 10)])))
        #expect(part.pixel(x: 10, y: 10) == whole.pixel(x: 10, y: 10))
        #expect(try failure(Array(bytes[..<(try segment(0xDA, in: bytes))])) == .corrupt)
    }

    @Test("Pictures beyond the limits are refused before they are decoded")
    func limits() throws {
        var bytes = try Fixtures.bytes("image/progressive.jpg")
        #expect(try failure(bytes, maximumPixels: 160 * 120 - 1) == .limitExceeded)
        #expect(try draw(bytes, maximumPixels: 160 * 120).bitmap.width == 160)
        let frame = try segment(0xC2, in: bytes)
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try failure(bytes, maximumPixels: .max) == .limitExceeded)
        // Colours one after the other, all of which are kept as well.
        var plain = try Fixtures.bytes("image/plain.jpg")
        let plainFrame = try segment(0xC0, in: plain)
        plain[try segment(0xDA, in: plain) + 4] = 1
        plain.replaceSubrange(plainFrame + 5..<plainFrame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try failure(plain, maximumPixels: .max) == .limitExceeded)
    }

    @Test("The limit holds for the pixels that are decoded: a small preview of a large picture needs few")
    func panorama() throws {
        let bytes = try Fixtures.bytes("image/plain.jpg")
        #expect(try draw(bytes, box: 16, maximumPixels: 40 * 30).bitmap.width == 40)
        #expect(throws: PluginError.self) { try draw(bytes, box: 16, maximumPixels: 40 * 30 - 1) }
        #expect(throws: PluginError.self) { try draw(bytes, box: 128, maximumPixels: 40 * 30) }
        // More pixels than the file can hold are none.
        var giant = bytes
        let frame = try segment(0xC0, in: bytes)
        giant.replaceSubrange(frame + 5..<frame + 9, with: [0x3F, 0xFF, 0x3F, 0xFF])
        let error = #expect(throws: PluginError.self) { try draw(giant, box: 16) }
        #expect(
            error?.code == .limitExceeded && error?.message.contains("too small") == true,
            "\(String(describing: error))")
    }

    @Test("A picture of thousands of scans is given up")
    func scans() throws {
        let bytes = try Fixtures.bytes("image/progressive.jpg")
        let end = bytes.count - 2
        // The last scan refines; its header is repeated, and each repetition is a pass over the whole picture.
        let start = try #require((0..<end).last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        let scan = bytes[start..<end]
        let bomb = bytes[..<end] + (0..<2000).flatMap { _ in scan } + bytes[end...]
        #expect(try failure(Array(bomb)) == .limitExceeded)
    }

    @Test("Varieties that libjpeg-turbo does not decode are named as such")
    func varieties() throws {
        var bytes = try Fixtures.bytes("image/plain.jpg")
        let frame = try segment(0xC0, in: bytes)
        bytes[frame + 4] = 12
        #expect(try failure(bytes) == .unsupported)
        bytes[frame + 4] = 8
        bytes[frame + 1] = 0xC3
        #expect(try failure(bytes) == .unsupported)
    }

    @Test("What the camera wrote is told, the place only on request")
    func camera() throws {
        let bytes = CameraBlock.insert(CameraBlock.sample, into: try Fixtures.bytes("image/plain.jpg"))
        let facts = try draw(bytes).facts
        #expect(facts.text(.camera) == "Example Works E-1" && facts.place == nil)
        #expect(facts.text(.created) == "2024-05-03T14:02:11+02:00")
        var request = RenderRequest(box: 64, mimeType: "image/jpeg")
        request.wantsPlace = true
        let renderer = try JPEGRenderer(RendererEnvironment(pluginFolder: "/nonexistent"))
        #expect(try renderer.render(BytesInput(bytes), request).facts.place?.latitude == -47.5)
    }

    /// A picture with a thumbnail that is told from it: upside down.
    /// - Parameters:
    ///   - size: what the picture says, of which a corner is there.
    ///   - columns: how many of the thumbnail's 160 there are.
    private func photograph(
        _ times: [CameraBlock.Entry] = [], size: PixelSize = PixelSize(width: 2400, height: 1800), columns: UInt8 = 80
    ) throws -> [UInt8] {
        var bytes = try Fixtures.bytes("image/plain.jpg")
        // The height and the width in the frame's header.
        let header = try segment(0xC0, in: bytes) + 5
        bytes.replaceSubrange(
            header..<header + 4,
            with: [size.height >> 8, size.height & 255, size.width >> 8, size.width & 255].map(UInt8.init))
        var thumbnail = try Fixtures.bytes("image/exif-3.jpg")
        let frame = try segment(0xC0, in: thumbnail)
        thumbnail.replaceSubrange(frame + 5..<frame + 9, with: [0, columns / 4 * 3, 0, columns])
        let main = times.filter { $0.tag == 0x0132 }
        let block = CameraBlock.make(
            [CameraBlock.text(0x0110, "E-1")] + main, camera: times.filter { $0.tag == 0x9003 },
            thumbnail: thumbnail)
        return CameraBlock.insert(block, into: bytes)
    }

    private func takes(_ bytes: [UInt8], box: Int, _ use: EmbeddedUse) throws -> Bool {
        let renderer = try JPEGRenderer(RendererEnvironment(pluginFolder: "/nonexistent"))
        var request = RenderRequest(box: box, mimeType: "image/jpeg")
        request.embedded = use
        let rendering = try renderer.render(BytesInput(bytes), request)
        #expect(rendering.embedded == nil || rendering.embedded == "EXIF thumbnail")
        // The upper left of the picture is red, that of the thumbnail is not.
        let picture = RGBAPicture(rendering)
        let isPicture = picture.pixels[0] > 180 && picture.pixels[1] < 80 && picture.pixels[2] < 80
        #expect(isPicture == (rendering.embedded == nil))
        return rendering.embedded != nil
    }

    @Test("The camera's thumbnail is taken where it is as good as the picture")
    func thumbnail() throws {
        let bytes = try photograph()
        #expect(try takes(bytes, box: 64, .auto) && takes(bytes, box: 64, .prefer))
        #expect(try !takes(bytes, box: 64, .never))
        // Less than a quarter larger than wanted; of another shape than the picture; of one that is soon decoded.
        #expect(try !takes(bytes, box: 65, .auto))
        let wide = try photograph(size: PixelSize(width: 3200, height: 1800))
        #expect(try !takes(wide, box: 64, .auto))
        let small = try photograph(size: PixelSize(width: 2000, height: 1500))
        #expect(try !takes(small, box: 64, .auto) && takes(small, box: 64, .prefer))
        // One that was taken before the picture was changed.
        let times = [CameraBlock.text(0x9003, "2024:05:03 14:02:11"), CameraBlock.text(0x0132, "2024:05:04 10:00:00")]
        #expect(try !takes(try photograph(times), box: 64, .auto))
        #expect(try takes(try photograph(times), box: 64, .prefer))
    }

    @Test("Of a file without the picture itself the camera's thumbnail is shown, if one is wanted")
    func lostPicture() throws {
        let whole = try photograph()
        // Up to the first segment behind the camera's.
        let block = Int(whole[4]) << 8 | Int(whole[5])
        let cut = Array(whole.prefix(4 + block))
        for use in [EmbeddedUse.auto, .prefer] { #expect(try takes(cut, box: 256, use)) }
        #expect(try takes(cut + [0xFF, 0xD9], box: 64, .auto))
        // Up to the last one before the pixels.
        let scan = whole.indices.dropFirst(cut.count).first { whole[$0...].starts(with: [0xFF, 0xDA]) }
        let pixels = try #require(scan)
        #expect(try takes(Array(whole.prefix(pixels)), box: 256, .auto))
        // Up to where pixels begin, and a few bytes of them.
        let head = pixels + 2 + (Int(whole[pixels + 2]) << 8 | Int(whole[pixels + 3]))
        for more in [0, 20] { #expect(try takes(Array(whole.prefix(head + more)), box: 256, .auto)) }
        #expect(try draw(cut).facts.text(.camera) == "E-1")
        let error = #expect(throws: PluginError.self) { try takes(cut, box: 64, .never) }
        // The end of the thumbnail is taken for that of the file.
        #expect(error?.code == .empty)
        #expect(try failure(Array(cut.prefix(cut.count - 2000))) == .corrupt)
    }

    @Test("A thumbnail that is damaged is none")
    func damagedThumbnail() throws {
        let thumbnail = try Fixtures.bytes("image/exif-3.jpg")
        for part in [Array(thumbnail.prefix(300)), [0xFF, 0xD8, 0xFF], Array("no picture at all".utf8)] {
            let block = CameraBlock.make([CameraBlock.text(0x0110, "E-1")], thumbnail: part)
            let bytes = CameraBlock.insert(block, into: try Fixtures.bytes("image/plain.jpg"))
            #expect(try !takes(bytes, box: 128, .prefer))
        }
    }

    @Test("Bars above and below, or at the sides, are seen")
    func bars() throws {
        func bitmap(_ isDark: (Int, Int) -> Bool) throws -> Bitmap {
            let bitmap = try Bitmap(width: 16, height: 12, format: .rgbx)
            bitmap.withUnsafeMutableBytes { rows in
                for y in 0..<12 {
                    for x in 0..<16 {
                        for channel in 0..<3 {
                            rows[y * bitmap.bytesPerRow + 4 * x + channel] = isDark(x, y) ? 8 : 200
                        }
                    }
                }
            }
            return bitmap
        }
        #expect(try bitmap { _, y in y < 2 || y > 9 }.hasBars)
        #expect(try bitmap { x, _ in x < 2 || x > 13 }.hasBars)
        #expect(try !bitmap { _, y in y < 2 }.hasBars)
        #expect(try !bitmap { _, _ in false }.hasBars)
    }
}
