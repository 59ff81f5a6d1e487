import CHEIF
import PictureTraits
import Testing
import VitrineKit
import VitrineTesting

@testable import ImageRenderer

// Formats that are read by their own libraries, and what of them is left to ImageMagick.
extension ImageRendererTests {
    /// A picture with a chunk behind its first one.
    private func adding(_ name: String, _ content: [UInt8], to png: [UInt8]) -> [UInt8] {
        Array(png[..<33]) + Fixtures.chunk(name, content) + png[33...]
    }

    /// What ImageMagick makes of a PNG, which it is no longer left with.
    private func drawnByMagick(_ bytes: [UInt8], box: Int) throws -> RGBAPicture {
        // It starts ImageMagick.
        _ = try draw(bytes)
        return try bytes.withUnsafeBytes { bytes in
            var image = MagickImage(.png, page: 0)
            try image.read(.memory(bytes))
            return RGBAPicture(try image.bitmap(box: box, ColorProfileCache()))
        }
    }

    @Test("What a camera wrote into PNG and WebP pictures turns them and is told, and they are still read row by row")
    func camera() throws {
        // Orientation 6, and a maker of three letters, in their order.
        let block: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0, 0x0F, 1, 2, 0, 4, 0, 0, 0, 0x41, 0x42, 0x43, 0, 0x12, 1, 3, 0, 1, 0,
            0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
        ]
        let plain = try Fixtures.bytes("image/rgb-8.png")
        let upright = try draw(plain, box: 64).bitmap
        // Behind the pixels, and before the end.
        let png = plain.dropLast(12) + Fixtures.chunk("eXIf", block) + plain.suffix(12)
        let turned = try draw(Array(png), box: 64)
        #expect(turned.facts.details[.camera] == .text("ABC"))
        #expect(turned.bitmap.width == upright.height && turned.bitmap.height == upright.width)
        let (from, to) = (RGBAPicture(upright), RGBAPicture(turned))
        #expect(to.pixel(x: to.width - 1, y: 0) == from.pixel(x: 0, y: 0))
        let reader = try PNGReader()
        let direct = try png.withUnsafeBytes { bytes in
            let request = RenderRequest(box: 64, mimeType: "image/png")
            return try reader.rendering(bytes, request, ColorProfileCache()) { _ in }
        }
        #expect(direct?.bitmap.width == upright.height)
    }

    @Test(
        "libpng's rows are what ImageMagick reads, whole and reduced",
        arguments: ["alpha.png", "grey.png", "palette.png", "rgb-16.png", "rgb-8.png", "icc-swapped.png", "wide.png"])
    func rows(name: String) throws {
        let bytes = try Fixtures.bytes("image/\(name)")
        for box in [128, 16] {
            let direct = RGBAPicture(try draw(bytes, box: box))
            let other = try drawnByMagick(bytes, box: box)
            #expect(direct.width == other.width && direct.height == other.height)
            let differs = zip(direct.pixels, other.pixels).contains { abs(Int($0) - Int($1)) > 1 }
            #expect(!differs, "box \(box)")
        }
    }

    @Test("A PNG in a light of its own is brought to that of sRGB")
    func gamma() throws {
        let bytes = try Fixtures.bytes("image/grey.png")
        func sum(_ bytes: [UInt8]) throws -> Int {
            RGBAPicture(try draw(bytes)).pixels.reduce(0) { $0 + Int($1) }
        }
        // Linear light, in parts of 100,000; then what sRGB itself says.
        #expect(try sum(adding("gAMA", [0, 1, 0x86, 0xA0], to: bytes)) > sum(bytes))
        #expect(try sum(adding("gAMA", [0, 0, 0xB1, 0x8F], to: bytes)) == sum(bytes))
    }

    @Test("Colours in numbers go before profiles and other light where they are understood, whoever reads the picture")
    func codedColours() throws {
        func pixels(_ bytes: [UInt8]) throws -> [UInt8] { RGBAPicture(try draw(bytes)).pixels }
        func isAlike(_ one: [UInt8], _ other: [UInt8]) throws -> Bool {
            try zip(pixels(one), pixels(other)).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
        }
        let bright = try Fixtures.bytes("image/bright.png")
        let camera: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(try isAlike(adding("eXIf", camera, to: bright), bright))
        #expect(try isAlike(adding("gAMA", [0, 1, 0x86, 0xA0], to: bright), bright))
        let numbers: [UInt8] = [9, 16, 0, 1]
        let rows = PNGKind(depth: 8, colourType: 2), interlaced = PNGKind(depth: 8, colourType: 2, isInterlaced: true)
        #expect(try isAlike(adding("cICP", numbers, to: interlaced.file), adding("cICP", numbers, to: rows.file)))
        // Left to ImageMagick.
        let inOtherLight = adding("gAMA", [0, 1, 0x86, 0xA0], to: rows.file)
        #expect(try isAlike(adding("cICP", numbers, to: inOtherLight), adding("cICP", numbers, to: rows.file)))
        #expect(try !isAlike(adding("cICP", numbers, to: rows.file), rows.file))
        // Beside a profile that exchanges red and green; the first numbers mean nothing, or that nothing is said.
        let tagged = try Fixtures.bytes("image/icc-swapped.png")
        for unknown: [UInt8] in [[77, 144, 0, 1], [2, 2, 0, 1]] {
            #expect(try isAlike(adding("cICP", unknown, to: tagged), tagged))
        }
        #expect(try !isAlike(adding("cICP", [1, 13, 0, 1], to: tagged), tagged))
        #expect(
            try isAlike(
                adding("eXIf", camera, to: adding("cICP", [1, 13, 0, 1], to: tagged)),
                adding("cICP", [1, 13, 0, 1], to: tagged)))
    }

    @Test(
        "libpng's rows are what ImageMagick reads, whatever their order and depth",
        arguments: [
            PNGKind(depth: 1, colourType: 0), PNGKind(depth: 2, colourType: 0), PNGKind(depth: 4, colourType: 0),
            PNGKind(depth: 8, colourType: 0, clear: [0, 0x55]), PNGKind(depth: 16, colourType: 6),
            PNGKind(depth: 16, colourType: 4), PNGKind(depth: 8, colourType: 2, isInterlaced: true),
            PNGKind(depth: 16, colourType: 6, isInterlaced: true), PNGKind(depth: 2, colourType: 0, isInterlaced: true),
        ])
    func kinds(kind: PNGKind) throws {
        let bytes = kind.file
        let direct = RGBAPicture(try draw(bytes, box: 64))
        let other = try drawnByMagick(bytes, box: 64)
        #expect(direct.width == PNGKind.side && direct.height == PNGKind.side && other.width == PNGKind.side)
        for y in 0..<PNGKind.side {
            for x in 0..<PNGKind.side {
                let (one, two) = (direct.pixel(x: x, y: y), other.pixel(x: x, y: y))
                let wanted = kind.alpha(x, y)
                #expect(abs(Int(one.alpha) - wanted) <= 1 && abs(Int(two.alpha) - wanted) <= 1, "\(x), \(y)")
                // Of what nobody sees the colour does not matter.
                guard wanted > 0 else { continue }
                #expect(abs(Int(one.red) - kind.red(x, y)) <= 1, "\(x), \(y)")
                #expect(abs(Int(one.red) - Int(two.red)) <= 1 && abs(Int(one.blue) - Int(two.blue)) <= 1, "\(x), \(y)")
            }
        }
    }

    @Test(
        "Pixels are unpacked over the ends of chunks and of what is unpacked at once", arguments: [127, 128, 129, 200])
    func unpacked(height: Int) throws {
        // With its filter's byte a row has 256, of which 128 are unpacked at once.
        let width: UInt8 = 255
        func grey(_ x: Int, _ y: Int) -> UInt8 { UInt8((x * 7 + y * 3) % 251) }
        var rows: [UInt8] = []
        for y in 0..<height { rows += [0] + (0..<Int(width)).map { grey($0, y) } }
        let head: [UInt8] = [0, 0, 0, width, 0, 0, 0, UInt8(height), 8, 0, 0, 0, 0]
        func png(_ stream: [UInt8]) -> [UInt8] {
            var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            file += Fixtures.chunk("IHDR", head) + Fixtures.chunk("IDAT", [])
            for at in stride(from: 0, to: stream.count, by: 999) {
                file += Fixtures.chunk("IDAT", Array(stream[at..<min(at + 999, stream.count)]))
            }
            return file + Fixtures.chunk("IEND", [])
        }
        let stream = PNGKind.stored(rows), reader = try PNGReader()
        let request = RenderRequest(box: 255, mimeType: "image/png")
        func picture(_ file: [UInt8]) throws -> RGBAPicture? {
            try file.withUnsafeBytes { bytes in
                try reader.rendering(bytes, request, ColorProfileCache()) { _ in }.map { RGBAPicture($0) }
            }
        }
        let made = try #require(try picture(png(stream)))
        for y in 0..<height { #expect((0..<Int(width)).allSatisfy { made.pixel(x: $0, y: y).red == grey($0, y) }) }
        // Without its end, with a wrong sum of a chunk, and again whole.
        #expect(try picture(png(stream.dropLast(300))) == nil)
        var wrong = png(stream)
        wrong[300] ^= 1
        #expect(try picture(wrong) == nil)
        #expect(try #require(try picture(png(stream))).pixels == made.pixels)
    }

    @Test("Colours that a file has multiplied by their alpha come as they were")
    func premultiplied() throws {
        let picture = RGBAPicture(try draw(try Fixtures.bytes("image/premultiplied.avif")))
        let red = picture.pixel(x: 20, y: 15), blue = picture.pixel(x: 20, y: 105)
        #expect(abs(Int(red.alpha) - 128) <= 2)
        // The motif's own.
        let plain = RGBAPicture(try draw(try Fixtures.bytes("image/rgb-8.png")))
        #expect(abs(Int(red.red) - Int(plain.pixel(x: 20, y: 15).red)) <= 8, "\(red)")
        #expect(abs(Int(blue.blue) - Int(plain.pixel(x: 20, y: 105).blue)) <= 8, "\(blue)")
    }

    @Test("What a file says of its size does not let it be larger, nor twice the memory be taken")
    func sizes() throws {
        func code(_ bytes: [UInt8], _ maximumPixels: Int) throws -> PluginError.Code? {
            let environment = RendererEnvironment(pluginFolder: Fixtures.pluginFolder, maximumPixels: maximumPixels)
            do throws(PluginError) {
                _ = try ImageRenderer(environment).render(
                    BytesInput(bytes), RenderRequest(box: 64, mimeType: "image/heif"))
                return nil
            } catch { return error.code }
        }
        let pixels = 160 * 120
        for name in ["plain.heic", "plain.avif"] {
            var bytes = try Fixtures.bytes("image/\(name)")
            let sides = try #require(bytes.firstRange(of: Array("ispe".utf8))).upperBound + 4
            bytes.replaceSubrange(sides..<sides + 8, with: [0, 0, 0, 64, 0, 0, 0, 64])
            #expect(try code(bytes, pixels - 1) == .limitExceeded, "\(name)")
        }
        let webp = try Fixtures.bytes("image/alpha.webp")
        #expect(try code(webp, 2 * pixels - 1) == .limitExceeded)
        #expect(try code(webp, 2 * pixels) == nil)
        #expect(try code(try Fixtures.bytes("image/lossy.webp"), pixels) == nil)
    }

    @Test(
        "WebP, HEIF and AVIF are reduced by averaging",
        arguments: ["lossy.webp", "alpha.webp", "plain.heic", "plain.avif"])
    func reduced(name: String) throws {
        let rendering = try draw(try Fixtures.bytes("image/\(name)"), box: 16)
        #expect(rendering.bitmap.width == 32)
        #expect(rendering.facts.size == PixelSize(width: 160, height: 120))
        #expect(
            QuadrantCheck(RGBAPicture(rendering), columns: 0.1...0.9, rows: 0.1...0.9).arrangement == .upright)
    }

    @Test("A HEIF picture that becomes three times smaller is decoded without smoothing, and looks the same")
    func coarse() throws {
        let bytes = try Fixtures.bytes("image/plain.heic")
        // Without ImageMagick, which would draw what libheif does not.
        func picture(box: Int) throws -> RGBAPicture {
            try bytes.withUnsafeBytes { bytes in
                let file = try HEIFFile(bytes, ColorProfileCache())
                let made = try file.rendering(RenderRequest(box: box, mimeType: "image/heif")) { _ in }
                return RGBAPicture(try #require(made))
            }
        }
        let (coarse, fine) = (try picture(box: 53), try picture(box: 54))
        #expect(coarse.width == 160 && fine.width == 160)
        #expect(coarse.pixels != fine.pixels)
        let total = zip(coarse.pixels, fine.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(total) / Double(fine.pixels.count) < 1)
    }

    @Test("Samples are averaged by the pixels that they stand for", arguments: [(0, 0), (1, 0), (1, 1)], 2...5)
    func averages(shift: (x: Int, y: Int), side: Int) {
        for (width, height) in [(1, 1), (7, 5), (16, 12), (13, 21)] {
            let stride = 24
            let samples = (0..<stride * height).map { UInt8(truncatingIfNeeded: $0 * 73 + $0 / 5) }
            let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
            // One more than is written.
            var made = [UInt8](repeating: 0xEE, count: columns * rows + 1)
            let isDone = samples.withUnsafeBufferPointer { samples in
                var plane = cheif_plane(
                    rows: samples.baseAddress, stride: stride, shift_x: CInt(shift.x), shift_y: CInt(shift.y))
                return cheif_average(&plane, CInt(width), CInt(height), CInt(side), &made, columns)
            }
            #expect(isDone != 0 && made.last == 0xEE)
            for at in 0..<columns * rows {
                let left = at % columns * side, top = at / columns * side
                let (right, bottom) = (min(width, left + side), min(height, top + side))
                var sum = 0
                for y in top..<bottom {
                    for x in left..<right { sum += Int(samples[(y >> shift.y) * stride + (x >> shift.x)]) }
                }
                let count = (right - left) * (bottom - top)
                #expect(Int(made[at]) == (sum + count / 2) / count, "\(width) × \(height), \(at)")
            }
        }
    }

    @Test("What is averaged as it is stored looks as what is averaged as RGB", arguments: ["plain.heic", "plain.avif"])
    func averagedAsStored(name: String) throws {
        let bytes = try Fixtures.bytes("image/\(name)")
        // Decoded alike: 160 pixels are three times as many as either box has.
        func picture(_ bytes: [UInt8], box: Int) throws -> (picture: RGBAPicture, wasReduced: Bool) {
            try bytes.withUnsafeBytes { bytes in
                let file = try HEIFFile(bytes, ColorProfileCache())
                let made = try file.rendering(RenderRequest(box: box, mimeType: "image/heif")) { _ in }
                return (RGBAPicture(try #require(made)), file.wasReduced)
            }
        }
        let (whole, wholeWasReduced) = try picture(bytes, box: 53)
        #expect(!wholeWasReduced)
        // A box that means nothing: pictures that may be cropped come in full.
        let marked = bytes + [0, 0, 0, 12] + Array("freeclap".utf8)
        for (box, side) in [(40, 2), (26, 3), (16, 5)] {
            let (reduced, wasReduced) = try picture(bytes, box: box)
            #expect(wasReduced == (name == "plain.heic"))
            #expect(try !picture(marked, box: box).wasReduced)
            #expect(whole.width == 160 && reduced.width == (160 + side - 1) / side)
            var difference = 0
            for y in 0..<120 / side {
                for x in 0..<160 / side {
                    var sum = 0
                    for row in y * side..<(y + 1) * side {
                        for column in x * side..<(x + 1) * side {
                            let pixel = whole.pixel(x: column, y: row)
                            sum += Int(pixel.red) + Int(pixel.green) + Int(pixel.blue)
                        }
                    }
                    let made = reduced.pixel(x: x, y: y)
                    difference += abs(sum / (side * side) - Int(made.red) - Int(made.green) - Int(made.blue))
                }
            }
            // Of three channels, in steps of 255.
            #expect(Double(difference) / Double(160 / side * 120 / side) < 3, "\(side)")
        }
    }

    @Test(
        "What is cut off or damaged is refused or drawn in part, and ends nothing",
        arguments: [
            "rgb-8.png", "palette.png", "icc-swapped.png", "lossy.webp", "alpha.webp", "plain.heic", "plain.avif",
        ])
    func damaged(name: String) throws {
        let bytes = try Fixtures.bytes("image/\(name)")
        let renderer = try ImageRenderer(RendererEnvironment(pluginFolder: Fixtures.pluginFolder))
        var refused = 0
        for at in stride(from: 16, to: bytes.count, by: max(1, bytes.count / 24)) {
            var other = bytes
            other[at] ^= 0x5A
            for damaged in [Array(bytes[..<at]), other] {
                do throws(PluginError) {
                    let made = try renderer.render(BytesInput(damaged), RenderRequest(box: 32, mimeType: "image/png"))
                    #expect(made.bitmap.width > 0)
                } catch {
                    refused += 1
                    #expect(error.code == .corrupt, "\(error)")
                }
            }
        }
        #expect(refused > 0)
    }
}
