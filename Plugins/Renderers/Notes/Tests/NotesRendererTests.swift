import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import NotesRenderer

@Suite struct NotesRendererTests {
    private static let type = "application/x-xopp"

    private func draw(
        _ bytes: [UInt8], box: Int = 96, page: Int = 0, embedded: EmbeddedUse = .auto, wantsText: Bool = false
    ) throws -> Rendering {
        let renderer = try NotesRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: 64_000_000))
        var request = RenderRequest(box: box, mimeType: Self.type, page: page)
        request.embedded = embedded
        request.wantsText = wantsText
        return try renderer.render(BytesInput(bytes), request)
    }

    /// A page of 96 by 72 points with something on it, as plain XML. In a box of 96 pixels, points are pixels.
    private func page(_ items: String, paper: String = "type=\"solid\" color=\"white\" style=\"plain\"") -> [UInt8] {
        Array(
            """
            <?xml version="1.0"?><xournal><page width="96" height="72"><background \(paper)/>
            <layer>\(items)</layer></page></xournal>
            """.utf8)
    }

    private func pixel(_ items: String, x: Int, y: Int) throws -> [UInt8] {
        let pixel = RGBAPicture(try draw(page(items)).bitmap).pixel(x: x, y: y)
        return [pixel.red, pixel.green, pixel.blue]
    }

    private func failure(_ bytes: [UInt8], page: Int = 0) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes, page: page) }
    }

    @Test("It keeps the renderer's contract") func conformance() throws {
        let sample = RendererSample(
            "notes", mimeType: Self.type, bytes: try Fixtures.bytes("notes/vitrine.xopp"), pages: 2)
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try NotesRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("Each page is drawn, and what is typed on it is told")
    func pages() throws {
        let bytes = try Fixtures.bytes("notes/vitrine.xopp")
        let first = try draw(bytes, box: 240, wantsText: true)
        #expect(QuadrantCheck(RGBAPicture(first.bitmap)).arrangement == .upright)
        #expect(first.bitmap.width == 240 && first.bitmap.height == 180 && first.embedded == nil)
        #expect(first.facts.pages == 2 && first.facts.text == "Vitrine")
        let second = try draw(bytes, box: 240, page: 1)
        #expect(QuadrantCheck(RGBAPicture(second.bitmap)).arrangement == .upsideDown)
        #expect(failure(bytes, page: 2) == .invalidArgument)
        // Of a smaller size it is drawn anew.
        #expect(try first.drawSmaller?(64).width == 64)
    }

    @Test("Of a page upon a document that is another file, the preview is shown where it is wanted")
    func annotated() throws {
        let bytes = try Fixtures.bytes("notes/annotated.xopp")
        let shown = try draw(bytes, box: 240)
        #expect(shown.embedded == "preview of its program" && shown.bitmap.width == 80)
        #expect(QuadrantCheck(RGBAPicture(shown.bitmap)).arrangement == .upright)
        let drawn = try draw(bytes, box: 480, embedded: .never)
        #expect(drawn.embedded == nil && drawn.bitmap.width == 480)
        let picture = RGBAPicture(drawn.bitmap)
        // Between the strokes, in the marker's line, and in the picture.
        #expect(picture.pixel(x: 450, y: 300).red == 255 && picture.pixel(x: 450, y: 300).blue == 255)
        let marker = picture.pixel(x: 200, y: 120)
        #expect(marker.red == 255 && 100...150 ~= marker.blue, "\(marker)")
        #expect(picture.pixel(x: 60, y: 180).red > 200 && picture.pixel(x: 60, y: 180).green < 60)
        // Nothing is ruled on a page that lies on another, and a damaged preview counts for none.
        let damaged = page("", paper: "type=\"pdf\" filename=\"a.pdf\" style=\"lined\"")
        let text = String(decoding: damaged, as: UTF8.self).replacing("<page", with: "<preview>AAAA</preview><page")
        #expect(try draw(Array(text.utf8)).embedded == nil)
    }

    @Test("Strokes have their colour, width and filling, a marker lets through what is below, an eraser is white")
    func strokes() throws {
        func line(_ attributes: String) -> String { "<stroke \(attributes)>10 36 86 36</stroke>" }
        let red = line("tool=\"pen\" color=\"red\" width=\"6\"")
        #expect(try pixel(red, x: 48, y: 36) == [255, 0, 0])
        #expect(try pixel(red, x: 48, y: 41) == [255, 255, 255])
        #expect(try pixel(line("color=\"#00800080\" width=\"6\""), x: 48, y: 36) == [127, 191, 127])
        // Pressed more and more.
        let pressed = "<stroke tool=\"pen\" color=\"black\" width=\"2 2 20\">10 36 40 36 86 36</stroke>"
        #expect(try pixel(pressed, x: 20, y: 42) == [255, 255, 255] && pixel(pressed, x: 60, y: 42) == [0, 0, 0])
        let filled = "<stroke color=\"#0000ffff\" width=\"1\" fill=\"255\">20 20 60 20 60 60 20 60</stroke>"
        #expect(try pixel(filled, x: 40, y: 40) == [0, 0, 255])
        let marked = red + line("tool=\"highlighter\" color=\"#00ffffff\" width=\"20\"")
        #expect(try pixel(marked, x: 48, y: 36)[1...] == [0, 0])
        #expect(try pixel(marked, x: 48, y: 44) == [127, 255, 255])
        #expect(try pixel(red + line("tool=\"eraser\" color=\"red\" width=\"6\""), x: 48, y: 36) == [255, 255, 255])
        // A point, dashes, and numbers that are none.
        #expect(try pixel("<stroke color=\"black\" width=\"8\">48 36</stroke>", x: 48, y: 36) == [0, 0, 0])
        let dashed = line("color=\"black\" width=\"4\" style=\"cust: 8 24\"")
        #expect(try pixel(dashed, x: 12, y: 36) == [0, 0, 0] && pixel(dashed, x: 30, y: 36) == [255, 255, 255])
        for odd in ["", "1", "nan nan 3 4", "1e999 2", "a b c", "48 36 48"] {
            _ = try draw(page("<stroke color=\"?\" width=\"4 x\">\(odd)</stroke><stroke width=\"-1\">\(odd)</stroke>"))
        }
    }

    @Test("Paper has its colour and its lines", arguments: ["lined", "ruled", "graph", "dotted", "staves"])
    func paper(style: String) throws {
        let bytes = Array(
            """
            <xournal><page width="400" height="600">
            <background type="solid" color="#ffffc0ff" style="\(style)"/><layer/></page></xournal>
            """.utf8)
        func colors(_ box: Int) throws -> Set<[UInt8]> {
            let picture = RGBAPicture(try draw(bytes, box: box).bitmap)
            return Set(
                (0..<picture.height).map { y in
                    let pixel = picture.pixel(x: picture.width / 2, y: y)
                    return [pixel.red, pixel.green, pixel.blue]
                })
        }
        let large = try colors(1200)
        #expect(large.contains([255, 255, 192]) && large.count > (style == "dotted" ? 0 : 1))
        // Lines that would be closer than pixels are left out.
        #expect(try colors(32) == [[255, 255, 192]])
    }

    @Test("Colours are told by number and by name")
    func colors() {
        #expect(NotebookColor("#ff000080")?.alpha == 128.0 / 255 && NotebookColor("#00ff00")?.green == 1)
        #expect(NotebookColor("black") == .black && NotebookColor("white", isPaper: true) == .white)
        #expect(NotebookColor("blue") != NotebookColor("blue", isPaper: true))
        for odd in [nil, "", "#", "#12", "#gggggg", "#123456789", "nothing"] { #expect(NotebookColor(odd) == nil) }
    }

    @Test("What is empty, damaged, something else or too large is refused")
    func bad() throws {
        let bytes = try Fixtures.bytes("notes/vitrine.xopp")
        #expect(failure([]) == .empty)
        #expect(failure(Array("<xournal/>".utf8)) == .empty)
        for part in [1, 3, 20, bytes.count / 2, bytes.count - 9] {
            #expect(failure(Array(bytes.prefix(part))) == .corrupt, "\(part)")
        }
        #expect(failure(Array("<html><body/></html>".utf8)) == .corrupt)
        #expect(failure(Array("<xournal><page width=\"9\" height=\"9\">".utf8)) == .corrupt)
        #expect(failure((0..<2048).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ 7) }) == .corrupt)
        #expect(failure(try Fixtures.bytes("archive/project.tar.gz")) == .corrupt)
        for width in ["0", "nan", "1e9", ""] {
            let page = "<page width=\"\(width)\" height=\"9\"/>"
            #expect(failure(Array("<xournal>\(page)</xournal>".utf8)) == .corrupt, "\(width)")
        }
        // A sliver has a picture, too.
        #expect(failure(Array("<xournal><page width=\"9\" height=\"90000\"/></xournal>".utf8)) == nil)
    }
}
