import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

// Pictures that viewers show and ImageMagick alone does not, and what is said of damaged ones.
extension ImageRendererTests {
    /// A GIF of one row of pixels, each a code of 9 bits: no more than 200, so that codes do not become longer.
    private static func gif(_ pixels: [Int], colours: [UInt8], isLocal: Bool = false, nothing: UInt8? = nil) -> [UInt8]
    {
        var bits = 0
        var count = 0
        var packed: [UInt8] = []
        for code in [256] + pixels + [257] {
            bits |= code << count
            count += 9
            while count >= 8 {
                packed.append(UInt8(bits & 255))
                bits >>= 8
                count -= 8
            }
        }
        packed.append(UInt8(bits))
        let flags: UInt8 = colours.count == 6 ? 0x80 : 0x81
        var file = Array("GIF89a".utf8) + little(pixels.count, 2) + [1, 0, isLocal ? 0 : flags, 0, 0]
        if !isLocal { file += colours }
        if let nothing { file += [0x21, 0xF9, 4, 1, 0, 0, nothing, 0] }
        file += [0x2C, 0, 0, 0, 0] + little(pixels.count, 2) + [1, 0, isLocal ? flags : 0]
        if isLocal { file += colours }
        return file + [8, UInt8(packed.count)] + packed + [0, 0x3B]
    }

    @Test("A GIF whose pixels have numbers without a colour is drawn", arguments: [false, true])
    func numbersWithoutColours(isLocal: Bool) throws {
        let colours: [UInt8] = [250, 0, 0, 0, 250, 0]
        let type = "image/gif"
        let file = Self.gif([0, 1, 255, 7], colours: colours, isLocal: isLocal, nothing: 255)
        let picture = RGBAPicture(try draw(file, mimeType: type))
        #expect(picture.pixels.prefix(8) == [250, 0, 0, 255, 0, 250, 0, 255])
        #expect(picture.pixel(x: 2, y: 0).alpha == 0)
        let last = picture.pixel(x: 3, y: 0)
        #expect(last.red == 0 && last.green == 0 && last.alpha == 255)
        // Of the pixels there is one at most.
        for count in 6..<file.count - 5 {
            let error = #expect(throws: PluginError.self) { try draw(Array(file.prefix(count)), mimeType: type) }
            #expect(error?.code == .corrupt || error?.code == .empty, "\(count): \(String(describing: error))")
        }
        let cut = RGBAPicture(try draw(Array(file.prefix(file.count - 5)), mimeType: type))
        #expect(cut.pixels.prefix(8) == [250, 0, 0, 255, 0, 250, 0, 255])
        #expect(cut.pixel(x: 2, y: 0).alpha == 0 && cut.pixel(x: 3, y: 0).alpha == 0)
    }

    @Test("Of a GIF that is cut off what is there is drawn, unless that is of one colour")
    func partOfAGIF() throws {
        let file = try Fixtures.bytes("image/animated.gif")
        let whole = RGBAPicture(try draw(file, mimeType: "image/gif"))
        // The pixels of its first picture lie between the bytes 74 and 837.
        let part = RGBAPicture(try draw(Array(file.prefix(600)), mimeType: "image/gif"))
        #expect(part.width == whole.width && part.height == whole.height)
        let rows = (0..<part.height).filter { part.pixel(x: part.width - 1, y: $0).alpha == 255 }
        #expect(rows == Array(0..<rows.count) && part.height / 4..<part.height ~= rows.count)
        #expect(part.pixels.prefix(rows.count * part.width * 4) == whole.pixels.prefix(rows.count * part.width * 4))
        #expect(part.pixel(x: part.width - 1, y: part.height - 1).alpha == 0)
        let error = #expect(throws: PluginError.self) { try draw(Array(file.prefix(80)), mimeType: "image/gif") }
        #expect(error?.code == .corrupt)
    }

    @Test("The rows of an interlaced GIF that is cut off lie where they belong")
    func interlacedGIF() throws {
        // Nine rows of one pixel, each a code of 9 bits; they are stored as 0, 8, 4, 2, 6, 1, 3, 5 and 7.
        var file = Self.gif([1, 2, 3, 1, 2, 3, 1, 2, 3], colours: [0, 0, 0, 250, 0, 0, 0, 250, 0, 0, 0, 250])
        let frame = try #require(file.firstRange(of: [0x2C, 0, 0, 0, 0])).lowerBound
        for at in [6, frame + 5] { file.replaceSubrange(at..<at + 4, with: [1, 0, 9, 0]) }
        file[frame + 9] = 0x40
        // The code that nothing follows, and the five bits before it, are missing.
        let cut = RGBAPicture(try draw(Array(file.dropLast(4)), mimeType: "image/gif"))
        #expect((0..<9).map { cut.pixel(x: 0, y: $0).alpha } == [255, 255, 255, 255, 255, 255, 255, 0, 255])
        #expect((0..<9).map { cut.pixel(x: 0, y: $0).red } == [250, 0, 250, 250, 0, 0, 0, 0, 0])
    }

    /// An icon of PNG files.
    /// - Parameter missing: how much less the list says of a picture's length.
    private static func icon(_ pictures: [(side: UInt8, png: [UInt8])], missing: Int = 0, kind: UInt8 = 1) -> [UInt8] {
        var file: [UInt8] = [0, 0, kind, 0, UInt8(pictures.count), 0]
        var start = file.count + 16 * pictures.count
        for (side, png) in pictures {
            file += [side, side, 0, 0, 1, 0, 32, 0] + little(png.count - missing, 4) + little(start, 4)
            start += png.count
        }
        return file + pictures.flatMap(\.png)
    }

    @Test("Of an icon of PNG files the one that fits best is drawn, whatever length the list gives it")
    func iconOfFiles() throws {
        let whole = try Fixtures.bytes("image/rgb-8.png")
        let small = PNGKind(depth: 8, colourType: 2).file
        for kind in [1, 2] as [UInt8] {
            let file = Self.icon([(13, small), (160, whole)], missing: 8, kind: kind)
            let rendering = try draw(file, mimeType: "image/vnd.microsoft.icon")
            #expect(QuadrantCheck(RGBAPicture(rendering)).arrangement == .upright)
            #expect(rendering.facts.size == PixelSize(width: 160, height: 120))
            let least = try draw(file, box: 12, mimeType: "image/vnd.microsoft.icon")
            #expect(least.facts.size == PixelSize(width: PNGKind.side, height: PNGKind.side))
        }
        let error = #expect(throws: PluginError.self) {
            try draw(Array(Self.icon([(160, whole)]).prefix(200)), mimeType: "image/vnd.microsoft.icon")
        }
        #expect(error?.code == .corrupt)
    }

    @Test("A bitmap without the head of a file is drawn, and one with it under the same name")
    func bitmapOfClipboard() throws {
        let bitmap = try Fixtures.bytes("image/plain.bmp")
        for file in [bitmap, Array(bitmap.dropFirst(14))] {
            #expect(QuadrantCheck(RGBAPicture(try draw(file, mimeType: "image/x-dib"))).arrangement == .upright)
        }
    }

    @Test("Numbers in words are read up to the last, also where the file ends with it")
    func endOfNumbers() throws {
        let picture = RGBAPicture(
            try draw(Array("P3\n2 1\n15\n15 0 0  0 0 15".utf8), mimeType: "image/x-portable-pixmap"))
        #expect(picture.pixels == [255, 0, 0, 255, 0, 0, 255, 255])
        let error = #expect(throws: PluginError.self) {
            try draw(Array("P3\n2 1\n15\n15 0 0  0 0".utf8), mimeType: "image/x-portable-pixmap")
        }
        #expect(error?.code == .corrupt)
    }

    @Test("Of a bitmap that is cut off what is there is drawn, unless that is nothing")
    func partOfABitmap() throws {
        func file(_ content: [UInt8]) -> [UInt8] {
            // Two colours, eight rows of eight pixels, packed as runs.
            func words(_ values: [Int]) -> [UInt8] { values.flatMap { little($0, 4) } }
            let head = words([62 + content.count, 0, 62, 40, 8, 8]) + [1, 0, 8, 0]
            let rest = words([1, content.count, 0, 0, 2, 2])
            return Array("BM".utf8) + head + rest + [0, 0, 200, 0, 0, 200, 0, 0] + content
        }
        let rows: [UInt8] = (0..<4).flatMap { _ in [8, 1, 0, 0] as [UInt8] }
        let picture = RGBAPicture(try draw(file(rows), mimeType: "image/bmp"))
        #expect(picture.pixel(x: 2, y: 7).green == 200)
        let error = #expect(throws: PluginError.self) { try draw(file([]), mimeType: "image/bmp") }
        #expect(error?.code == .corrupt)
    }

    @Test("Of a bitmap whose end is missing that is said, not that its header were wrong")
    func endOfABitmap() throws {
        let file = Array(try Fixtures.bytes("image/plain.bmp").prefix(2000))
        let error = #expect(throws: PluginError.self) { try draw(file, mimeType: "image/bmp") }
        #expect(error?.code == .corrupt && error?.message.contains("cut off") == true, "\(String(describing: error))")
    }

    @Test(
        "Of several pictures of one size in an icon the one with the most colours is drawn",
        arguments: [1, 2] as [UInt8])
    func deepestIcon(kind: UInt8) throws {
        /// One colour: blue, green, red, and alpha where there are 32 bits.
        func picture(side: Int, _ colour: [UInt8]) -> [UInt8] {
            let head = [40, side, 2 * side].flatMap { little($0, 4) } + [1, 0] + little(8 * colour.count, 2)
            let pixels = (0..<side * side).flatMap { _ in colour }
            return head + [UInt8](repeating: 0, count: 24) + pixels + [UInt8](repeating: 0, count: 4 * side)
        }
        let pictures = [
            picture(side: 8, [255, 0, 0]), picture(side: 8, [0, 0, 255, 255]), picture(side: 4, [255, 0, 0]),
            picture(side: 4, [0, 255, 0, 255]),
        ]
        var file = [0, 0, kind, 0, UInt8(pictures.count), 0]
        var start = 6 + 16 * pictures.count
        for (picture, side) in zip(pictures, [8, 8, 4, 4] as [UInt8]) {
            file += [side, side, 0, 0, 0, 0, 0, 0] + little(picture.count, 4) + little(start, 4)
            start += picture.count
        }
        file += pictures.joined()
        let type = "image/vnd.microsoft.icon"
        let large = RGBAPicture(try draw(file, box: 8, mimeType: type)).pixel(x: 3, y: 3)
        #expect(large.red == 255 && large.green == 0 && large.blue == 0 && large.alpha == 255)
        let small = try draw(file, box: 4, mimeType: type)
        #expect(small.bitmap.width == 4 && RGBAPicture(small).pixel(x: 2, y: 2).green == 255)
    }

    @Test("A picture in a variety that no library here knows is not called damaged")
    func varieties() throws {
        let png = Array(try Fixtures.bytes("image/rgb-8.png").prefix(33))
        let pixels = Fixtures.chunk("IDAT", [1, 5, 0, 250, 255, 0, 9, 9, 9, 9]) + Fixtures.chunk("IEND", [])
        let crushed = #expect(throws: PluginError.self) {
            try draw(png[..<8] + Fixtures.chunk("CgBI", [0x50, 0, 0x20, 2]) + png[8...] + pixels)
        }
        #expect(crushed?.code == .unsupported && crushed?.message.contains("CgBI") == true)
        for (flags, code) in [(8, .unsupported), (0, .corrupt)] as [(UInt8, PluginError.Code)] {
            let head = [0x76, 0x2F, 0x31, 0x01, 2, flags, 0, 0] + [UInt8](repeating: 0, count: 40)
            let deep = #expect(throws: PluginError.self) { try draw(head, mimeType: "image/x-exr") }
            #expect(deep?.code == code, "\(String(describing: deep))")
        }
    }

    @Test("What is wrong with a damaged picture is said in its library's words")
    func words() throws {
        var png = try Fixtures.bytes("image/rgb-8.png")
        png[30] ^= 1
        let sum = #expect(throws: PluginError.self) { try draw(png) }
        #expect(sum?.message == "the picture is damaged (libpng: IHDR: CRC error)")
        let cut = #expect(throws: PluginError.self) {
            try draw(Array(try Fixtures.bytes("image/rgb-8.png").prefix(400)))
        }
        #expect(cut?.message == "the picture is damaged (libpng: the packed pixels are cut off or damaged)")
        let heif = #expect(throws: PluginError.self) {
            try draw(Array(try Fixtures.bytes("image/plain.heic").prefix(600)), mimeType: "image/heif")
        }
        #expect(heif?.code == .corrupt && heif?.message.contains("(libheif: ") == true, "\(String(describing: heif))")
        #expect(heif?.message.hasPrefix("the picture is cut off") == true, "\(String(describing: heif))")
        #expect(heif?.message.contains("\\n") == false, "\(String(describing: heif))")
        let tiff = #expect(throws: PluginError.self) {
            try draw(Array(Fixtures.tiff(pages: [9]).prefix(20)), mimeType: "image/tiff")
        }
        #expect(tiff?.code == .corrupt, "\(String(describing: tiff))")
        let jpeg2000 = #expect(throws: PluginError.self) {
            try draw(Array(try Fixtures.bytes("image/plain.jp2").prefix(60)), mimeType: "image/jp2")
        }
        #expect(jpeg2000?.code == .corrupt, "\(String(describing: jpeg2000))")
    }

    /// A picture of PC Paintbrush of 10 by 2 pixels, of which the first and the last of each row are set.
    private static func bits(version: UInt8, colours: [UInt8], planes: UInt8 = 1) -> [UInt8] {
        let head: [UInt8] = [10, version, 1, 1, 3, 0, 0, 0, 12, 0, 1, 0, 72, 0, 72, 0]
        let palette = colours + [UInt8](repeating: 0, count: 48 - colours.count)
        // Runs and bytes as they are; one run goes on in the next row. Two bytes of four only fill a row up.
        let content: [UInt8] = [0xC1, 0x80, 0x40, 0xC3, 0x00, 0x40, 0xC2, 0x00]
        return head + palette + [0, planes, 4, 0] + [UInt8](repeating: 0, count: 60) + content
    }

    @Test("A picture of one bit of PC Paintbrush is white where bits are set, whatever its header says of colours")
    func bitsOfPaintbrush() throws {
        for colours in [[], [0, 0, 0, 255, 255, 255], [255, 255, 255, 0, 0, 0], [0, 0, 0, 0, 0, 170]] as [[UInt8]] {
            for version in [2, 3, 5] as [UInt8] {
                let file = Self.bits(version: version, colours: colours)
                let fax: [UInt8] = [0xB1, 0x68, 0xDE, 0x3A, 12, 0, 0, 0, 0, 0, 0, 0] + file
                for (bytes, type) in [(file, "image/vnd.zbrush.pcx"), (fax, "image/x-dcx")] {
                    let picture = RGBAPicture(try draw(bytes, mimeType: type))
                    #expect(picture.width == 10 && picture.height == 2)
                    let reds = (0..<20).map { picture.pixel(x: $0 % 10, y: $0 / 10).red }
                    let row: [UInt8] = [255, 0, 0, 0, 0, 0, 0, 0, 0, 255]
                    #expect(reds == row + [0, 0, 0, 0, 0, 0, 0, 0, 0, 255], "\(version)")
                }
            }
        }
        let file = Self.bits(version: 5, colours: [])
        let error = #expect(throws: PluginError.self) {
            try draw(file.dropLast(4), mimeType: "image/vnd.zbrush.pcx")
        }
        #expect(error?.code == .corrupt)
        #expect(throws: PluginError.self) { try draw(Array(file.prefix(100)), mimeType: "image/vnd.zbrush.pcx") }
        let fax: [UInt8] = [0xB1, 0x68, 0xDE, 0x3A, 255, 255, 255, 255, 0, 0, 0, 0]
        #expect(throws: PluginError.self) { try draw(fax, mimeType: "image/x-dcx") }
    }

    @Test("Where no grey of a TGA has alpha, all are opaque")
    func emptyAlphaOfGreys() throws {
        let head: [UInt8] = [0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 0, 40, 0, 16, 0x28]
        let file = head + (0..<1600).flatMap { _ in [90, 0] as [UInt8] }
        for box in [10, 128] {
            let pixel = RGBAPicture(try draw(file, box: box, mimeType: "image/x-tga")).pixel(x: 1, y: 1)
            #expect(pixel.alpha == 255 && pixel.red == 90 && pixel.blue == 90, "\(pixel)")
        }
    }

    @Test("Where no pixel of a TGA has alpha, all are opaque", arguments: [16, 32] as [UInt8])
    func emptyAlpha(depth: UInt8) throws {
        func file(side: UInt8, last: [UInt8]) -> [UInt8] {
            let pixel: [UInt8] = depth == 16 ? [0, 0x7C] : [0, 0, 255, 0]
            let head: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, side, 0, side, 0, depth, depth == 16 ? 1 : 8]
            return head + (1..<Int(side) * Int(side)).flatMap { _ in pixel } + last
        }
        // As it is, and one that is made smaller before it leaves the renderer.
        for (side, box) in [(4, 128), (80, 10)] as [(UInt8, Int)] {
            let empty = try draw(
                file(side: side, last: depth == 16 ? [0, 0x7C] : [0, 0, 255, 0]), box: box, mimeType: "image/x-tga")
            let pixel = RGBAPicture(empty).pixel(x: 1, y: 1)
            #expect(pixel.alpha == 255 && pixel.red == 255 && pixel.green == 0, "\(pixel)")
        }
        let used = RGBAPicture(
            try draw(file(side: 4, last: depth == 16 ? [0, 0xFC] : [0, 0, 255, 255]), mimeType: "image/x-tga"))
        // The lowest row comes first.
        #expect(used.pixel(x: 3, y: 0).alpha == 255 && used.pixel(x: 0, y: 0).alpha == 0)
    }

    @Test("ImageMagick's own pictures are read, and what they call RGB is no light", arguments: ["RGB", "sRGB"])
    func ownPictures(colours: String) throws {
        let head = "id=ImageMagick  version=1.0\nclass=DirectClass  matte=False\ncolumns=2  rows=1  depth=8\n"
        let file = Array("\(head)colorspace=\(colours)\n\u{0C}\n:\u{1A}".utf8) + [10, 100, 200, 128, 128, 128]
        let picture = RGBAPicture(try draw(file, mimeType: "image/x-miff"))
        #expect(picture.pixels == [10, 100, 200, 255, 128, 128, 128, 255])
        // With profiles of the old kind between head and pixels, and with a remark that only looks like one.
        let lengths = "profile-icm=3 profile-iptc=40\ncompose={profile-a=5}\n"
        let old = Array("\(head)\(lengths)\u{0C}\n:\u{1A}".utf8) + [UInt8](repeating: 77, count: 43)
        let pixels: [UInt8] = [10, 100, 200, 128, 128, 128]
        #expect(RGBAPicture(try draw(old + pixels, mimeType: "image/x-miff")).pixels == picture.pixels)
        let error = #expect(throws: PluginError.self) { try draw(Array(file.prefix(60)), mimeType: "image/x-miff") }
        #expect(error?.code == .corrupt || error?.code == .empty, "\(String(describing: error))")
    }
}
