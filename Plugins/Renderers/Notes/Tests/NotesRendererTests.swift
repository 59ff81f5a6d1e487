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
        // Where it crosses itself, and on what it fills, it is as pale as elsewhere.
        let crossed =
            "<stroke tool=\"highlighter\" color=\"#8080807f\" width=\"12\" fill=\"128\">10 10 80 60 80 10 10 60</stroke>"
        let pale = try pixel(crossed, x: 20, y: 17)
        #expect(
            try pale == pixel(crossed, x: 45, y: 35) && pale == pixel(crossed, x: 70, y: 35) && 185...195 ~= pale[0],
            "\(pale)")
        #expect(try pixel(red + line("tool=\"eraser\" color=\"red\" width=\"6\""), x: 48, y: 36) == [255, 255, 255])
        // A point, dashes, and numbers that are none.
        #expect(try pixel("<stroke color=\"black\" width=\"8\">48 36</stroke>", x: 48, y: 36) == [0, 0, 0])
        let dashed = line("color=\"black\" width=\"4\" style=\"cust: 8 24\"")
        #expect(try pixel(dashed, x: 12, y: 36) == [0, 0, 0] && pixel(dashed, x: 30, y: 36) == [255, 255, 255])
        for odd in ["", "1", "nan nan 3 4", "1e999 2", "a b c", "48 36 48"] {
            _ = try draw(page("<stroke color=\"?\" width=\"4 x\">\(odd)</stroke><stroke width=\"-1\">\(odd)</stroke>"))
        }
    }

    @Test(
        "Paper has its colour and its lines",
        arguments: [
            ("lined", 200.0, 80.0), ("ruled", 200, 80), ("graph", 14.17, 100), ("dotted", 14.17, 28.34),
            ("staves", 200, 85),
            ("isograph", 200, 300), ("isodotted", 200, 300),
        ])
    func paper(style: String, x: Double, y: Double) throws {
        let bytes = Array(
            """
            <xournal><page width="400" height="600">
            <background type="solid" color="#ffffc0ff" style="\(style)"/><layer/></page></xournal>
            """.utf8)
        let plain: [UInt8] = [255, 255, 192]
        func colors(_ box: Int, columns: ClosedRange<Double>, rows: ClosedRange<Double>) throws -> Set<[UInt8]> {
            let picture = RGBAPicture(try draw(bytes, box: box).bitmap)
            let scale = Double(box) / 600
            var found: Set<[UInt8]> = []
            for y in Int(rows.lowerBound * scale)..<Int(rows.upperBound * scale) {
                for x in Int(columns.lowerBound * scale)..<Int(columns.upperBound * scale) {
                    let pixel = picture.pixel(x: x, y: y)
                    found.insert([pixel.red, pixel.green, pixel.blue])
                }
            }
            return found
        }
        // Something is printed where it should be, and hardly anywhere beside.
        let reach = style.hasPrefix("iso") ? 8.0 : 1
        #expect(
            try colors(1200, columns: x - reach...x + reach, rows: y - reach...y + reach).subtracting([plain]).count > 0
        )
        #expect(try colors(1200, columns: 0...400, rows: 0...600).contains(plain))
        // Lines that would be closer than pixels are left out.
        #expect(try colors(32, columns: 0...400, rows: 0...600) == [plain])
    }

    @Test("A staff on dark paper is light, and Xournal++ prints the last one that fits")
    func staves() throws {
        let bytes = Array(
            """
            <xournal><page width="595" height="842"><background type="solid" color="#000000ff" style="staves"/></page></xournal>
            """.utf8)
        let picture = RGBAPicture(try draw(bytes, box: 842).bitmap)
        let bright = (0..<picture.height).filter { picture.pixel(x: picture.width / 2, y: $0).red > 60 }
        // Twelve staves of five lines, which may lie on two rows of pixels each.
        #expect(60...120 ~= bright.count && bright.last.map { 780...795 ~= $0 } == true, "\(bright)")
    }

    @Test("A text has its font, its lines and its blanks; a picture fills its rectangle")
    func texts() throws {
        func dark(_ text: String, _ font: String = "Sans") throws -> [SIMD2<Int>] {
            let item = "<text font=\"\(font)\" size=\"24\" x=\"2\" y=\"2\" color=\"black\">\(text)</text>"
            let picture = RGBAPicture(try draw(page(item), box: 96).bitmap)
            return (0..<picture.height).flatMap { y in
                (0..<picture.width).compactMap { picture.pixel(x: $0, y: y).red < 128 ? SIMD2($0, y) : nil }
            }
        }
        let letter = try dark("I")
        #expect(try dark("I", "Sans Bold").count > letter.count + 10)
        #expect(try dark("I", "Sans Italic") != letter && dark("I", "Sans Italic").count > 10)
        #expect(try dark("  I").map(\.x).min() ?? 0 > (letter.map(\.x).max() ?? 0))
        #expect(try dark("\n I").map(\.y).min() ?? 0 > (letter.map(\.y).min() ?? 0) + 20)
        // One pixel, in a rectangle of another shape.
        let picture =
            "<image left=\"8\" top=\"8\" right=\"88\" bottom=\"28\">R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=</image>"
        for x in [10, 48, 86] { #expect(try pixel(picture, x: x, y: 20) == [255, 0, 0], "\(x)") }
        #expect(try pixel(picture, x: 48, y: 34) == [255, 255, 255])
    }

    @Test("What has absurd sizes, or lies far away, leaves the rest of the page as it is")
    func absurd() throws {
        let red = "<stroke color=\"red\" width=\"6\">10 36 86 36</stroke>"
        let gif = "R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs="
        let long = String(repeating: "word ", count: 200_000), lines = String(repeating: "a\n", count: 100_000)
        for odd in [
            "<image left=\"0\" top=\"99\" right=\"1e30\" bottom=\"1e300\">\(gif)</image>",
            "<image left=\"-1e308\" top=\"99\" right=\"1e308\" bottom=\"100\">\(gif)</image>",
            "<image left=\"0\" top=\"0\" right=\"1e-300\" bottom=\"1e-300\">\(gif)</image>",
            "<text x=\"0\" y=\"99\" size=\"1e300\">a</text>", "<text x=\"0\" y=\"60\" size=\"9\">\(long)</text>",
            "<text x=\"0\" y=\"-1e9\" size=\"9\">\(lines)</text>", "<text x=\"0\" y=\"60\" size=\"9\">\(lines)</text>",
            "<stroke color=\"blue\" width=\"1\" style=\"cust: 1e-9\">0 70 1e300 70</stroke>",
            "<stroke color=\"blue\" width=\"8388607\" style=\"dash\">0 1e9 -1e300 1e9</stroke>",
        ] {
            #expect(try pixel(odd + red, x: 48, y: 36) == [255, 0, 0], "\(odd.prefix(60))")
        }
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
        // A mark of UTF-8 and blanks may stand before it.
        #expect(failure([0xEF, 0xBB, 0xBF, 0x0A] + page("")) == nil)
        // A sliver has a picture, too.
        #expect(failure(Array("<xournal><page width=\"9\" height=\"90000\"/></xournal>".utf8)) == nil)
    }
}
