import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import PackageRenderer

@Suite(.serialized) struct PackageRendererTests {
    private static func draw(
        _ bytes: [UInt8], box: Int = 128, page: Int = 0, embedded: EmbeddedUse = .auto,
        type: String = "application/x-krita", wantsText: Bool = false
    ) throws -> Rendering {
        let renderer = try PackageRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: box, mimeType: type, page: page)
        (request.embedded, request.wantsText) = (embedded, wantsText)
        return try renderer.render(BytesInput(bytes), request)
    }

    private static func failure(
        _ bytes: [UInt8], embedded: EmbeddedUse = .auto, type: String = "application/x-krita"
    ) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, embedded: embedded, type: type) }
        return try #require(error).code
    }

    private static let code = "text/x.gcode", card = "text/vcard"

    @Test("A document that is cut off before its preview is damaged, and not one without a preview")
    func cutOff() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png")
        let document = zipFile([
            (name: "a.xml", bytes: [UInt8](repeating: 65, count: 100)), (name: "preview.png", bytes: picture),
        ])
        #expect(try Self.draw(document).embedded != nil)
        #expect(try Self.failure(Array(document.prefix(60))) == .corrupt)
        #expect(try Self.failure(zipFile([(name: "a.xml", bytes: [65])])) == .unsupported)
    }

    @Test("Of a document of iWork the first page is drawn; what LibreOffice knows of it is left to that")
    func firstPageOfWork() throws {
        let type = "application/vnd.apple.pages"
        let picture = try Fixtures.bytes("image/rgb-8.png"), blank = try Fixtures.bytes("image/one-pixel.png")
        func document(_ picture: [UInt8], beside: String = "index.xml") -> [UInt8] {
            zipFile(
                [(name: "QuickLook/Thumbnail.png", bytes: picture), (name: beside, bytes: [1])], checksum: nil)
        }
        #expect(try Self.draw(document(picture), box: 1024, type: type).embedded != nil)
        #expect(try Self.failure(document(picture), embedded: .never, type: type) == .unsupported)
        #expect(try Self.failure(document(picture, beside: ".iwpv2"), type: type) == .unsupported)
        #expect(try Self.failure(document(blank), type: type) == .unsupported)
        // Zip files of others may have such a name, and other pictures.
        #expect(try Self.failure(document(picture, beside: "a.xml"), type: type) == .unsupported)
        for name in ["Thumbnails/thumbnail.png", "mergedimage.png"] {
            let other = zipFile([(name: name, bytes: picture), (name: "index.xml", bytes: [1])], checksum: nil)
            #expect(try Self.failure(other, type: type) == .unsupported, "\(name)")
        }
        let renderer = try PackageRenderer(RendererEnvironment(pluginFolder: "/"))
        for (page, wantsText) in [(1, false), (0, true)] {
            var request = RenderRequest(box: 128, mimeType: type, page: page)
            request.wantsPageText = wantsText
            let error = #expect(throws: PluginError.self) {
                try renderer.render(BytesInput(document(picture)), request)
            }
            #expect(error?.code == .unsupported)
        }
    }

    @Test("FreeCAD's sign, which it saves where it has no view, is no preview of the model")
    func sign() throws {
        let type = "application/x-extension-fcstd"
        let sign = try Fixtures.bytes("image/alpha.png"), view = try Fixtures.bytes("image/rgb-8.png")
        func document(_ picture: [UInt8]) -> [UInt8] {
            zipFile(
                [
                    (name: "Document.xml", bytes: Array("<Document/>".utf8)),
                    (name: "thumbnails/Thumbnail.png", bytes: picture),
                ],
                checksum: nil)
        }
        #expect(try Self.failure(document(sign), type: type) == .unsupported)
        #expect(try Self.draw(document(view), type: type).embedded != nil)
        // Others leave pictures with nothing behind them.
        #expect(try Self.draw(document(sign)).embedded != nil)
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: [
            "slides.key", "table.numbers", "letter.pages", "painting.kra", "layers.ora", "part.3mf", "part.FCStd",
            "scene.blend", "scene-old.blend", "part.gcode", "person.vcf",
        ])
    func conformance(name: String) throws {
        let type = name.hasSuffix("gcode") ? Self.code : name.hasSuffix("vcf") ? Self.card : "application/x-krita"
        let sample = RendererSample(name, mimeType: type, bytes: try Fixtures.bytes("package/\(name)"))
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try PackageRenderer(environment)
        }
        #expect(suite.violations() == [])
        let rendering = try Self.draw(try Fixtures.bytes("package/\(name)"), type: type)
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
    }

    @Test("The smallest picture that is large enough is taken, and previews not at all when they are not wanted")
    func choice() throws {
        let painting = try Fixtures.bytes("package/painting.kra")
        let small = try Self.draw(painting, box: 64)
        #expect(small.bitmap.width == 80 && small.embedded != nil && small.facts.size == nil)
        let whole = try Self.draw(painting, box: 128)
        #expect(whole.bitmap.width == 160 && whole.embedded == nil)
        #expect(whole.facts.size == PixelSize(width: 160, height: 120))
        #expect(try Self.draw(painting, box: 64, embedded: .never).bitmap.width == 160)
        let letter = try Fixtures.bytes("package/letter.pages")
        #expect(try Self.draw(letter, box: 512).bitmap.width == 160)
        #expect(try Self.failure(letter, embedded: .never) == .unsupported)
    }

    @Test("A scene of Blender is cut off, lies about its preview, or has none")
    func scenes() throws {
        let bytes = try Fixtures.bytes("package/scene.blend")
        #expect(try Self.failure(bytes, embedded: .never) == .unsupported)
        let block = try #require(bytes.firstRange(of: Array("TEST".utf8))).lowerBound
        for count in [4, 12, 20, block + 8, block + 30] { #expect(try Self.failure(Array(bytes.prefix(count))) != .io) }
        #expect(try Self.failure(Array(bytes.prefix(block + 400))) == .corrupt)
        func changed(_ at: Int, _ new: [UInt8]) -> [UInt8] {
            var other = bytes
            other.replaceSubrange(at..<at + new.count, with: new)
            return other
        }
        // Its name, its width, its length, and the length of the block before it.
        #expect(try Self.failure(changed(block, Array("GLOB".utf8))) == .unsupported)
        #expect(try Self.failure(changed(block + 24, [0, 0, 0, 0x7F])) == .unsupported)
        #expect(try Self.failure(changed(block + 4, [9, 0, 0, 0])) == .unsupported)
        #expect(try Self.failure(changed(16, [255, 255, 255, 255])) == .unsupported)
        #expect(try Self.failure(changed(7, [0x31, 0x37])) == .unsupported)
    }

    @Test("Of the pictures in a printer's code the smallest that is large enough is taken; one that is damaged is not")
    func printerCode() throws {
        let bytes = try Fixtures.bytes("package/part.gcode")
        #expect(try Self.draw(bytes, box: 16, type: Self.code).bitmap.width == 32)
        #expect(try Self.draw(bytes, box: 64, type: Self.code).bitmap.width == 160)
        #expect(try Self.failure(bytes, embedded: .never, type: Self.code) == .unsupported)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try Self.failure(Array(text.replacing(" end", with: "").utf8), type: Self.code) == .unsupported)
        #expect(try Self.failure(Array("G28\n; thumbnail end\n".utf8), type: Self.code) == .unsupported)
        let half = "; thumbnail begin 9x9 9\n; iVBORw0KGgo=\n; thumbnail end\n"
        #expect(try Self.failure(Array(half.utf8), type: Self.code) == .corrupt)
        #expect(try Self.draw(Array((half + text).utf8), box: 64, type: Self.code).bitmap.width == 160)
    }

    @Test("The photograph of a person is shown as each version of cards holds it")
    func cards() throws {
        let good = String(decoding: try Fixtures.bytes("package/person.vcf"), as: UTF8.self)
        let shown = try Self.draw(Array(good.utf8), type: Self.card)
        #expect(shown.facts.title == "Example, Alice" && shown.embedded == "photograph")
        let photo = try #require(good.split(separator: "TYPE=PNG:").last?.split(separator: "END:").first)
        let letters = photo.filter { !$0.isWhitespace }
        func card(_ photo: String) -> [UInt8] { Array("BEGIN:VCARD\r\n\(photo)\r\nEND:VCARD\r\n".utf8) }
        let lines = letters.prefix(76) + "\r\n" + letters.dropFirst(76)
        for photo in [
            "photo;png;encoding=base64:\(lines)\r\n", "PHOTO:data:image/png;base64,\(letters)",
            "item1.PHOTO;X-NOTE=\"a:b\";ENCODING=b:\(letters)",
        ] {
            let picture = try Self.draw(card(photo), type: Self.card).bitmap
            #expect(QuadrantCheck(RGBAPicture(picture)).arrangement == .upright, "\(photo.prefix(40))")
        }
        let old = card(
            "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Andr=C3=A9 =\r\nof: =C3=84gypten\r\nNOTE:a\\nb\\, c\r\n d\r\n"
                + "LOGO:AAAA\r\nADR;QUOTED-PRINTABLE;CHARSET=utf-8:=C3=96d\r\nPHOTO;PNG;ENCODING=BASE64:\(lines)")
        let told = try Self.draw(old, type: Self.card, wantsText: true).facts
        #expect(told.title == "André of: Ägypten")
        #expect(
            told.text == "BEGIN: VCARD\nFN: André of: Ägypten\nNOTE: a\nb, cd\nADR: Öd\nEND: VCARD")
        #expect(shown.facts.text == nil)
        #expect(try Self.failure(card("FN:Alice"), type: Self.card) == .unsupported)
        #expect(try Self.failure(card("PHOTO;VALUE=uri:https://example.org/a.png"), type: Self.card) == .unsupported)
        #expect(try Self.failure(card("PHOTO:AAAA"), type: Self.card) == .unsupported)
        #expect(try Self.failure(card("PHOTO:" + letters.prefix(100)), type: Self.card) == .corrupt)
        // Several persons are a list.
        #expect(try Self.failure(Array((good + good).utf8), type: Self.card) == .unsupported)
        #expect(try Self.failure(Array(good.utf8), embedded: .never, type: Self.card) == .unsupported)
    }

    @Test("What is broken, locked, too large or without a picture says so")
    func bad() throws {
        let good = (name: "preview.png", bytes: try Fixtures.bytes("image/rgb-8.png"))
        let claim = try Fixtures.bytes("bad/huge-claim.png")
        #expect(try Self.failure([]) == .empty)
        #expect(try Self.failure([1, 2, 3, 4, 5]) == .corrupt)
        #expect(try Self.failure(zipFile([])) == .unsupported)
        #expect(try Self.failure(zipFile([(name: "picture.png", bytes: good.bytes)])) == .unsupported)
        #expect(try Self.failure(zipFile([(name: "preview.png", bytes: [1, 2, 3])])) == .unsupported)
        #expect(try Self.failure(zipFile([(name: "preview.png", bytes: claim)])) == .limitExceeded)
        #expect(try Self.failure(zipFile([(name: "preview.png", bytes: Array(good.bytes.prefix(80)))])) == .corrupt)
        // Of one name the first counts: with more of them it is no file of these programs.
        #expect(try Self.failure(zipFile([(name: "preview.png", bytes: [1, 2, 3]), good])) == .unsupported)
        // One that is damaged leaves the other.
        let rendering = try Self.draw(zipFile([(name: "mergedimage.png", bytes: [1, 2, 3]), good]))
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
        #expect(throws: PluginError.self) { try Self.draw(zipFile([good]), page: 1) }
    }
}
