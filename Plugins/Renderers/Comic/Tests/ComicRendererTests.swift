import ArchiveReading
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ComicRenderer

@Suite(.serialized) struct ComicRendererTests {
    private static let types = [
        "cbz": "application/vnd.comicbook+zip", "cbr": "application/vnd.comicbook-rar", "cb7": "application/x-cb7",
        "cbt": "application/x-cbt",
    ]

    private static func draw(
        _ bytes: [UInt8], page: Int = 0, type: String = "application/vnd.comicbook+zip"
    ) throws -> Rendering {
        let renderer = try ComicRenderer(RendererEnvironment(pluginFolder: "/"))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: 256, mimeType: type, page: page))
    }

    /// The error that drawing ends with.
    private static func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes) }
    }

    @Test("It keeps the renderer's contract", arguments: ["cbz", "cbr", "cb7", "cbt"])
    func conformance(ending: String) throws {
        let type = try #require(Self.types[ending])
        let sample = RendererSample(
            ending, mimeType: type, bytes: try Fixtures.bytes("comic/pages.\(ending)"), pages: 3)
        let locked = RendererSample(
            "locked", mimeType: "application/x-cbz", bytes: try Fixtures.bytes("comic/locked.cbz"))
        // Pictures are made smaller by the worker, for all formats alike.
        let suite = RendererConformance(samples: [sample], encrypted: locked, scales: false) {
            environment throws(PluginError) in try ComicRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("Pages stand in the order of their numbers, and nothing else is a page", arguments: types.keys.sorted())
    func order(ending: String) throws {
        let bytes = try Fixtures.bytes("comic/pages.\(ending)")
        for page in 0..<3 {
            let rendering = try Self.draw(bytes, page: page)
            let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
            #expect(check.arrangement == (page == 0 ? .upright : .upsideDown), "page \(page)")
            #expect(rendering.facts.pages == 3 && rendering.facts.size == PixelSize(width: 160, height: 120))
        }
    }

    @Test("Names are ordered as people count")
    func naturalOrder() {
        let names = ["a/1.png", "a/2.png", "A/10.png", "a2/1.png", "b.png", "b 1.png", "c007.png", "c08.png", "é"]
        var numbers = SeededNumbers(seed: 1)
        let sorted = names.shuffled(using: &numbers).sorted { NaturalOrder.precedes(Array($0.utf8), Array($1.utf8)) }
        #expect(sorted.first == "a/1.png" && sorted[1] == "a/2.png" && sorted[2] == "A/10.png")
        #expect(sorted.suffix(3) == ["c007.png", "c08.png", "é"])
        #expect(!NaturalOrder.precedes([1], [1]) && NaturalOrder.precedes([], [1]))
    }

    @Test("Formats of pages: JPEG, inks, WebP, GIF, turned by EXIF")
    func formats() throws {
        for name in ["plain.jpg", "cmyk.jpg", "exif-6.jpg", "exif-5.jpg", "lossy.webp", "animated.gif", "palette.png"] {
            let page = (name: name, bytes: try Fixtures.bytes("image/\(name)"))
            let picture = RGBAPicture(try Self.draw(zipFile([page])).bitmap)
            #expect(QuadrantCheck(picture).arrangement == .upright, "\(name)")
        }
        let turned = (name: "a.jpg", bytes: try Fixtures.bytes("image/exif-6.jpg"))
        #expect(try Self.draw(zipFile([turned])).facts.size == PixelSize(width: 160, height: 120))
    }

    @Test("Pages in formats that are not decoded count, and the first that is stands for the book")
    func foreignPages() throws {
        let page = try Fixtures.bytes("image/plain.jpg")
        let book = zipFile([
            (name: "1.avif", bytes: [1, 2, 3]), (name: "2.jpg", bytes: page), (name: "3.JXL", bytes: [1, 2, 3]),
        ])
        for number in 0...1 {
            let drawn = try Self.draw(book, page: number)
            #expect(QuadrantCheck(RGBAPicture(drawn.bitmap)).arrangement == .upright && drawn.facts.pages == 3)
        }
        let error = #expect(throws: PluginError.self) { try Self.draw(book, page: 2) }
        #expect(error?.code == .unsupported && error?.message.contains("page 3") == true)
        #expect(Self.failure(zipFile([(name: "1.jxl", bytes: [1, 2, 3])])) == .unsupported)
    }

    @Test(
        "What a camera wrote into PNG and WebP pages turns them",
        arguments: [(UInt8(6), QuadrantCheck.Arrangement.turnedRight), (3, .upsideDown), (99, .upright)])
    func cameras(value: UInt8, arrangement: QuadrantCheck.Arrangement) throws {
        let block: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0,
        ]
        let named = Array("eXIf".utf8) + block
        let chunk = big(block.count, 4) + named + big(Int(crc32(named)), 4)
        let png = try Fixtures.bytes("image/rgb-8.png")
        // Before the pixels, and behind them.
        var pages: [[UInt8]] = [33, png.count - 12].map { png.prefix($0) + chunk + png.dropFirst($0) }
        // A simple file made an extended one (RFC 9649, 2.7), with JPEG's mark before the block.
        let webp = try Fixtures.bytes("image/lossy.webp")
        let size = try #require(try Self.draw(zipFile([(name: "a.webp", bytes: webp)])).facts.size)
        let sides = [size.width, size.height].flatMap { little($0 - 1, 3) }
        let first = try #require(webp.firstRange(of: Array("VP8 ".utf8))?.lowerBound)
        let camera = Array("Exif\0\0".utf8) + block
        let content =
            Array("WEBPVP8X".utf8) + little(10, 4) + [8, 0, 0, 0] + sides + webp[first...]
            + Array("EXIF".utf8) + little(camera.count, 4) + camera
        pages.append("RIFF".utf8 + little(content.count, 4) + content)
        for page in pages {
            let drawn = try Self.draw(zipFile([(name: "a.webp", bytes: page)]))
            #expect(QuadrantCheck(RGBAPicture(drawn.bitmap)).arrangement == arrangement)
            #expect(drawn.facts.size == PixelSize(width: drawn.bitmap.width, height: drawn.bitmap.height))
        }
    }

    @Test("Pages come in sRGB, as their profiles say", arguments: ["jpg", "png", "webp"])
    func profiles(ending: String) throws {
        let bytes = try Fixtures.bytes("image/icc-swapped.\(ending)")
        let check = QuadrantCheck(RGBAPicture(try Self.draw(zipFile([(name: "a.\(ending)", bytes: bytes)])).bitmap))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < 0.04)
        // A profile that is damaged is left aside: red and green are then exchanged.
        if ending != "png" {
            // In a PNG it is packed.
            let place = try #require(bytes.firstRange(of: Array("acsp".utf8)))
            var damaged = bytes
            damaged[place.lowerBound] ^= 1
            let drawn = RGBAPicture(try Self.draw(zipFile([(name: "a.\(ending)", bytes: damaged)])).bitmap)
            #expect(drawn.pixels[1] > drawn.pixels[0])
        }
        for count in stride(from: 16, to: bytes.count, by: 61) {
            _ = try? Self.draw(zipFile([(name: "a.\(ending)", bytes: Array(bytes.prefix(count)))]))
        }
    }

    @Test("The gamma that a PNG names beside a profile is overridden by that, and obeyed without")
    func gamma() throws {
        func pixels(_ bytes: [UInt8]) throws -> [UInt8] {
            RGBAPicture(try Self.draw(zipFile([(name: "a.png", bytes: bytes)])).bitmap).pixels
        }
        // Linear light, behind the signature and the header.
        let gamma: [UInt8] = [0, 0, 0, 4] + Array("gAMA".utf8) + [0x00, 0x01, 0x86, 0xA0, 0x31, 0xE8, 0x96, 0x5F]
        func linear(_ bytes: [UInt8]) -> [UInt8] { bytes.prefix(33) + gamma + bytes.dropFirst(33) }
        let profiled = try Fixtures.bytes("image/icc-swapped.png")
        #expect(try pixels(linear(profiled)) == pixels(profiled))
        let plain = try Fixtures.bytes("image/rgb-8.png")
        #expect(try pixels(linear(plain)) != pixels(plain))
        // 16 bits of which nothing is said are no linear light.
        #expect(try pixels(Fixtures.bytes("image/rgb-16.png")) == pixels(plain))
    }

    @Test("One page of a book far away costs a few reads of what is needed")
    func reads() throws {
        let page = try Fixtures.bytes("image/rgb-8.png")
        let filler = [UInt8](repeating: 7, count: 1 << 20)
        let pages = (1...40).map { (name: "\($0).png", bytes: $0 == 7 ? page : filler) }
        let input = CountingInput(zipFile(pages))
        let renderer = try ComicRenderer(RendererEnvironment(pluginFolder: "/"))
        _ = try renderer.render(input, RenderRequest(box: 64, mimeType: "application/x-cbz", page: 6))
        #expect(input.reads <= 6 && input.bytesRead < 200_000, "\(input.reads) reads, \(input.bytesRead) bytes")
    }

    @Test("The page that the book calls its front cover comes first, with the book's name")
    func cover() throws {
        let upright = try Fixtures.bytes("image/rgb-8.png"), turned = try Fixtures.bytes("image/exif-3.jpg")
        func book(_ info: String) -> [UInt8] {
            zipFile([
                (name: "0 advertisement.gif", bytes: [1, 2, 3]), (name: "1.png", bytes: upright),
                (name: "2.jpg", bytes: turned), (name: "ComicInfo.xml", bytes: Array(info.utf8)),
            ])
        }
        let pages = #"<Pages><Page Image="0"/><Page Image="1" Type="FrontCover"/></Pages>"#
        let named = "<Series>Quadrants</Series><Number>3</Number><Writer>Alice</Writer>"
        let drawn = try Self.draw(book("<ComicInfo>\(named)\(pages)</ComicInfo>"))
        #expect(QuadrantCheck(RGBAPicture(drawn.bitmap)).arrangement == .upright)
        #expect(drawn.facts.title == "Quadrants #3" && drawn.facts.text(.author) == "Alice" && drawn.facts.pages == 3)
        // The other pages keep their order.
        let whole = book("<ComicInfo><Title>Yellow</Title>\(pages)</ComicInfo>")
        #expect(throws: PluginError.self) { try Self.draw(whole, page: 1) }
        #expect(try Self.draw(whole, page: 2).facts.title == "Yellow")
        // What is damaged, or names no page, is left aside: the first page is the one that cannot be drawn.
        let wrong = [
            "", "<ComicInfo><Pages>", "<!DOCTYPE a><ComicInfo>\(pages)</ComicInfo>",
            #"<ComicInfo><Pages><Page Image="9" Type="FrontCover"/></Pages></ComicInfo>"#,
            #"<ComicInfo><Pages><Page Image="-1" Type="FrontCover"/></Pages></ComicInfo>"#,
            #"<ComicInfo><Pages><Page Image="1e9" Type="FrontCover"/></Pages></ComicInfo>"#,
            String(repeating: "<a>", count: 4000), "<ComicInfo>" + String(repeating: " ", count: 2 << 20),
        ]
        for info in wrong { #expect(Self.failure(book(info)) == .unsupported, "\(info.prefix(40))") }
    }

    @Test("Books that are broken or locked say so")
    func bad() throws {
        let page = (name: "a.png", bytes: try Fixtures.bytes("image/rgb-8.png"))
        #expect(Self.failure([]) == .empty)
        #expect(Self.failure(zipFile([])) == .empty)
        #expect(Self.failure(zipFile([(name: "a.txt", bytes: [65])])) == .empty)
        // In one that is cut off they may have been behind the cut.
        let cut = zipFile([(name: "a.txt", bytes: [UInt8](repeating: 65, count: 100)), page]).prefix(60)
        #expect(Self.failure(Array(cut)) == .corrupt)
        #expect(Self.failure(Array("%PDF-1.4 nothing".utf8)) == .corrupt)
        #expect(Self.failure(zipFile([(name: "a.png", bytes: [1, 2, 3])])) == .unsupported)
        #expect(Self.failure(try Fixtures.bytes("archive/hidden.7z")) == .locked)
        // An archive in an archive is a file.
        #expect(Self.failure(zipFile([(name: "b.cbz", bytes: zipFile([page]))])) == .empty)
        // A claim of 3,600 megapixels.
        let claim = (name: "a.png", bytes: try Fixtures.bytes("bad/huge-claim.png"))
        #expect(Self.failure(zipFile([claim])) == .limitExceeded)
        // What the list says of itself is not believed.
        #expect(Self.failure(zipFile([page], count: 60_000)) == nil)
        #expect(Self.failure(zipFile([page], listAt: 0)) == nil)
        #expect(Self.failure(zipFile([page], listAt: 1 << 30)) == nil)
        // The first half of a book has its first pages.
        let two = zipFile([page, (name: "b.png", bytes: [UInt8](repeating: 0, count: 5000))])
        #expect(Self.failure(Array(two.prefix(page.bytes.count + 200))) == nil)
    }
}
