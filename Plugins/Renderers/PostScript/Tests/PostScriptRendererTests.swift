import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import PostScriptRenderer

/// Ghostscript is one for the whole process, so tests take turns.
@Suite(.serialized) struct PostScriptRendererTests {
    private static func draw(
        _ bytes: [UInt8], box: Int = 128, page: Int = 0, type: String = "application/postscript",
        maximumPixels: Int = 64_000_000
    ) throws -> Rendering {
        let renderer = try PostScriptRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: type, page: page))
    }

    private static func draw(_ program: String, box: Int = 128, type: String = "application/postscript") throws
        -> Rendering
    { try draw(Array("%!PS\n\(program)\n".utf8), box: box, type: type) }

    private static func failure(_ program: String, maximumPixels: Int = 64_000_000) throws -> PluginError {
        let error = #expect(throws: PluginError.self) {
            try draw(Array("%!PS\n\(program)\n".utf8), maximumPixels: maximumPixels)
        }
        return try #require(error)
    }

    @Test("It keeps the renderer's contract", arguments: [("drawing.eps", 1), ("dos.eps", 1), ("pages.ps", 2)])
    func conformance(name: String, pages: Int) throws {
        let sample = RendererSample(
            name, mimeType: "application/postscript", bytes: try Fixtures.bytes("postscript/\(name)"), pages: pages)
        let suite = RendererConformance(samples: [sample], enlarges: true, scales: false) {
            environment throws(PluginError) in try PostScriptRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "Drawings are cropped to their boxes, pages drawn at the size asked for",
        arguments: ["drawing.eps", "dos.eps", "pages.ps"])
    func motif(name: String) throws {
        let rendering = try Self.draw(try Fixtures.bytes("postscript/\(name)"), box: 256)
        #expect(rendering.bitmap.width == 256 && rendering.bitmap.height == 192)
        let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < 0.02)
        #expect(rendering.facts.title == (name == "pages.ps" ? "Vitrine in pages" : "Vitrine drawn"))
        #expect(rendering.facts.pages == (name == "pages.ps" ? 2 : 1))
    }

    @Test(
        "A drawing finds its corner again after it has set everything back", arguments: ["initgraphics", "initmatrix"])
    func corner(reset: String) throws {
        let drawing = "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 200 200 300 300\n\(reset) 200 200 50 50 rectfill\n"
        let picture = RGBAPicture(try Self.draw(Array(drawing.utf8), box: 100).bitmap)
        #expect(picture.width == 100 && picture.height == 100)
        #expect(picture.pixel(x: 25, y: 75).red == 0)
        #expect(picture.pixel(x: 75, y: 75).red == 255 && picture.pixel(x: 25, y: 25).red == 255)
    }

    @Test("The program may begin behind a printer's commands, at the start of a line")
    func preamble() throws {
        let page = "%!PS\n0 0 9 9 rectfill showpage\n"
        for start in ["\u{4}", "\u{1B}%-12345X@PJL ENTER LANGUAGE = POSTSCRIPT\r\n", "a\r"] {
            #expect(try Self.draw(Array((start + page).utf8)).bitmap.height == 128)
        }
        let error = #expect(throws: PluginError.self) { try Self.draw(Array("wow, 100%! \(page.dropFirst(2))".utf8)) }
        #expect(error?.code == .corrupt && error?.message.contains("no line that begins with %!") == true)
    }

    @Test("The page that is asked for is drawn, and one that is not there named as such")
    func pages() throws {
        let bytes = try Fixtures.bytes("postscript/pages.ps")
        #expect(QuadrantCheck(RGBAPicture(try Self.draw(bytes, page: 1).bitmap)).arrangement == .upsideDown)
        let error = #expect(throws: PluginError.self) { try Self.draw(bytes, page: 2) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("Paper of any size becomes as large as asked for, however it is chosen")
    func paper() throws {
        let mark = "0 0 20 20 rectfill showpage"
        #expect(try Self.draw("<< /PageSize [3000 1500] >> setpagedevice \(mark)", box: 200).bitmap.width == 200)
        #expect(try Self.draw("<< /PageSize [30 15] >> setpagedevice \(mark)", box: 200).bitmap.width == 200)
        #expect(try Self.draw("a4 \(mark)", box: 300).bitmap.height == 300)
        // A drawing by its name alone, which shows no page.
        #expect(try Self.draw("0 0 20 20 rectfill", type: "image/x-eps").bitmap.width > 0)
        // What a document says to its standard output is no part of a picture.
        #expect(try Self.draw("(%stdout) (w) file (P6 1 1 255) writestring (x) print \(mark)").bitmap.width > 1)
    }

    @Test("Programs get no files, and their pages no more than may be drawn")
    func bounds() throws {
        #expect(try Self.failure("(/etc/passwd) (r) file pop showpage").code == .unsupported)
        #expect(try Self.failure("(/dev/shm/vitrine-made) (w) file pop showpage").code == .unsupported)
        #expect(try Self.failure("(%pipe%true) (w) file pop showpage").code == .unsupported)
        // A name that comes would end the program.
        #expect(try Self.draw("(/etc/*) { pop listed } 999 string filenameforall showpage").bitmap.height == 128)
        let huge = "<< /PageSize [90000 90000] /HWResolution [90 90] >> systemdict /setpagedevice get exec showpage"
        #expect(try Self.failure(huge).code == .limitExceeded)
        #expect(try Self.failure("0 0 9 9 rectfill showpage", maximumPixels: 100).code == .pluginUnavailable)
    }

    @Test("Broken programs are named with what Ghostscript says")
    func bad() throws {
        let error = try Self.failure("(noise) print nonsense showpage")
        #expect(error.code == .corrupt && error.message.contains("(Ghostscript: undefined in nonsense)"), "\(error)")
        let long = try Self.failure("99999999 string pop showpage")
        #expect(long.code == .limitExceeded && !long.message.contains("memory"), "\(long)")
        #expect(try Self.failure("1 2 add pop").code == .corrupt)
        #expect(try Self.failure("quit").code == .corrupt)
        let resource = #expect(throws: PluginError.self) {
            try Self.draw(Array("%!PS-Adobe-3.0 Resource-CMap\n%%EOF\n".utf8))
        }
        #expect(resource?.code == .empty && resource?.message.contains("has no page") == true)
        #expect(try Self.failure("{ { showpage").code == .corrupt)
        for bytes in [
            [], [0x25], Array("no program".utf8), [0xC5, 0xD0, 0xD3, 0xC6], try Fixtures.bytes("image/rgb-8.png"),
        ] {
            let error = #expect(throws: PluginError.self) { try Self.draw(bytes) }
            #expect(error?.code == (bytes.isEmpty ? .empty : .corrupt))
        }
        var dos = try Fixtures.bytes("postscript/dos.eps")
        dos.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0x7F])
        let misplaced = #expect(throws: PluginError.self) { try Self.draw(dos) }
        #expect(misplaced?.code == .corrupt)
        // After all of it the next document is drawn.
        #expect(try Self.draw("0 0 9 9 rectfill showpage").bitmap.height == 128)
    }
}
