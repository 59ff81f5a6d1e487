import HTMLRenderer
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

func draw(
    _ bytes: [UInt8], box: Int = 256, _ change: (inout RenderRequest) -> Void = { _ in }
) throws -> Rendering {
    let renderer = try HTMLRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: 1_000_000))
    var request = RenderRequest(box: box, mimeType: "text/html")
    change(&request)
    return try renderer.render(BytesInput(bytes), request)
}

func draw(_ markup: String, box: Int = 256) throws -> RGBAPicture {
    RGBAPicture(try draw(Array(markup.utf8), box: box).bitmap)
}

extension RGBAPicture {
    /// Whether a pixel has a colour, but for the last bits; the place in pixels of CSS, in a window of 640 × 900.
    func has(_ red: Int, _ green: Int, _ blue: Int, x: Double, y: Double) -> Bool {
        let found = pixel(x: Int(x / 640 * Double(width)), y: Int(y / 900 * Double(height)))
        let wanted = [red, green, blue]
        return zip([found.red, found.green, found.blue], wanted).allSatisfy { abs(Int($0) - $1) < 6 }
    }
}

@Suite struct HTMLRendererTests {
    @Test("It keeps the renderer's contract", arguments: ["motif", "story"])
    func conformance(name: String) throws {
        let sample = RendererSample(name, mimeType: "text/html", bytes: try Fixtures.bytes("html/\(name).html"))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try HTMLRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("A style sheet's boxes are where it says, in its colours; what lies elsewhere is not there")
    func boxes() throws {
        let rendering = try draw(try Fixtures.bytes("html/motif.html"))
        let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
        #expect(check.arrangement == .upright && check.largestError < 0.06)
        #expect(rendering.bitmap.width == 182 && rendering.bitmap.height == 256)
        #expect(rendering.facts.title == "Vitrine – a page")
    }

    @Test("A page without a style sheet is set as browsers do, with the picture that lies in it")
    func story() throws {
        let bytes = try Fixtures.bytes("html/story.html")
        let rendering = try draw(bytes, box: 900) { $0.wantsText = true }
        #expect(rendering.facts.title == "Kleine Vorschauen über große Dinge")
        let text = try #require(rendering.facts.text)
        #expect(text.hasPrefix("Kleine Vorschauen\nWas man sieht, muss man nicht öffnen. Mehr dazu."), "\(text)")
        #expect(text.contains("n²"))
        #expect(try draw(bytes).facts.text == nil)
        let picture = RGBAPicture(rendering.bitmap)
        // The picture lies at the right, 8 pixels from the edge.
        let places = [(480.0, 1), (625.0, 2)].map { x, _ in
            stride(from: 60.0, to: 300, by: 4).filter { y in
                picture.has(214, 48, 49, x: x, y: y) || picture.has(46, 164, 79, x: x, y: y)
            }
        }
        #expect(places.allSatisfy { $0.count > 8 }, "\(places)")
    }

    @Test("Borders, round corners, lines and marks of lists are drawn")
    func decorations() throws {
        let page = try draw(
            """
            <style>body { margin: 0 } div { position: absolute; width: 100px; height: 100px; left: 20px }
            #a { top: 20px; border: 20px solid #00ff00; background: #0000ff }
            #b { top: 220px; border-left: 40px solid #ff0000; background: #0000ff; border-top: 40px dashed #00ff00 }
            #c { top: 420px; background: #ff0000; border-radius: 50px }
            #d { top: 600px; background: url('data:image/png;base64,\(Self.dot)'); width: 300px }
            u { font-size: 100px; position: absolute; top: 750px; color: #ff0000 }</style>
            <div id=a></div><div id=b></div><div id=c></div><div id=d></div><u>&nbsp;&nbsp;&nbsp;</u>
            """, box: 900)
        #expect(page.has(0, 255, 0, x: 30, y: 90) && page.has(0, 255, 0, x: 150, y: 90))
        #expect(page.has(0, 0, 255, x: 90, y: 90) && page.has(255, 255, 255, x: 170, y: 90))
        #expect(page.has(255, 0, 0, x: 30, y: 330) && page.has(0, 0, 255, x: 100, y: 300))
        #expect(page.has(255, 0, 0, x: 70, y: 470) && page.has(255, 255, 255, x: 23, y: 423))
        // The picture of 8 × 8 red points is repeated.
        #expect(page.has(255, 0, 0, x: 25, y: 605) && page.has(255, 0, 0, x: 315, y: 695))
        #expect((760..<890).contains { page.has(255, 0, 0, x: 20, y: Double($0)) }, "no line below the blanks")
    }

    /// 8 × 8 red points, as PNG in base64.
    private static let dot =
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII="

    @Test("What style sheets elsewhere would put aside is left out, unless nothing else is there")
    func reader() throws {
        let link = "<link rel=stylesheet href=a.css>"
        let aside = "<nav style='background:#ff0000;height:300px'>aside</nav>"
        let rest = "<p style='background:#0000ff;height:300px;margin:0'>rest"
        let start = "<body style='margin:0'>"
        #expect(try draw(link + start + aside + rest).has(0, 0, 255, x: 300, y: 100))
        #expect(try draw(link + start + aside).has(255, 0, 0, x: 300, y: 100))
        #expect(try draw(start + aside + rest).has(255, 0, 0, x: 300, y: 100))
    }

    @Test(
        "Letters are read in the encoding that the page names, or has",
        arguments: [
            ("<meta charset=\"windows-1251\">", [0xCC, 0xE8, 0xF0], "Мир"), ("", Array("Größe".utf8), "Größe"),
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-15\"?>", [0xA4], "€"), ("", [0x47, 0xFC], "Gü"),
        ] as [(String, [UInt8], String)])
    func encodings(head: String, letters: [UInt8], expected: String) throws {
        let bytes = Array(head.utf8) + Array("<p>".utf8) + letters
        #expect(try draw(bytes) { $0.wantsText = true }.facts.text == expected)
        let wide: [UInt8] = [0xFF, 0xFE] + Array("<p>\(expected)".utf16).flatMap { little(Int($0), 2) }
        #expect(try draw(wide) { $0.wantsText = true }.facts.text == expected)
    }

    @Test(
        "Colours that the library does not know, and what is meant for other media, are written anew",
        arguments: [
            ("div { background: linear-gradient(to right, #00ff00 10%, red) }", [0, 255, 0]),
            (
                "div { background: -webkit-repeating-radial-gradient(circle at center, rgb(0, 0, 255) 0, red) }",
                [0, 0, 255]
            ),
            ("div { background-color: hsl(120, 100%, 50%) }", [0, 255, 0]),
            ("div { background-color: hsla(240deg 100% 50% / 1) }", [0, 0, 255]),
            ("div { background: #0f0 } @media (prefers-color-scheme: dark) { div { background: red } }", [0, 255, 0]),
            ("@media print { div { background: red } } div { background: lime }", [0, 255, 0]),
            ("@media (max-width: 700px) { div { background: #00f } }", [0, 0, 255]),
            ("@media (width <= 700px) { div { background: #00f } }", [0, 0, 255]),
            ("@media (width >= 700px) { div { background: red } } div { background: #00f }", [0, 0, 255]),
            ("@media print, screen { div { background: #00f } }", [0, 0, 255]),
            ("@media not print { div { background: #00f } }", [0, 0, 255]),
            ("@layer base { @supports (display: grid) { div { background: #00f } } }", [0, 0, 255]),
            ("div { background: #0f0; b { background: red } }", [0, 255, 0]),
            (":root { --a: #00f } :where(p, div) { background: var(--a) }", [0, 0, 255]),
            ("div { background: var(--b, rgba(0, 0, 255, 1)) }", [0, 0, 255]),
            ("div { background: var(--b, var(--c, #00f)) }", [0, 0, 255]),
            ("div { --a: red; background: var(--a) } body div { --a: #00f }", [0, 0, 255]),
            ("div { --a: var(--b); --b: var(--a); background: var(--a, #00f) }", [0, 0, 255]),
            ("div { background: rgb(0 0 255 / 100%) } i { color: oklch(0.6 0.2 30) }", [0, 0, 255]),
            ("div { background: #0000ffff }", [0, 0, 255]),
            ("div { background: RGB(0, 0, 255) }", [0, 0, 255]),
            ("div { background: #00f } div:not(:is(.a, div)) { background: red }", [0, 0, 255]),
            ("body div:not(:where(.a, .b)) { background: #00f }", [0, 0, 255]),
            (":root { --a: 1 } div { background: rgb(0 0 255 / var(--a)) }", [0, 0, 255]),
            (":root { --someColour: #00f } div { background: var(--someColour) }", [0, 0, 255]),
            ("div { background: #00f } div { background: var(--a); background-color: var(--b) }", [0, 0, 255]),
            ("div { --a: #00f; background: red; background: var(--a) }", [0, 0, 255]),
            ("p { background: url(\"a(b)'c.png\") } div { background: #00f } p { content: 'a' }", [0, 0, 255]),
            ("p { background: url( 'a)' ) } div { background: #00f }", [0, 0, 255]),
            ("div { background: #00f } p { --a: </**//style><div style='background: red'>", [0, 0, 255]),
            ("div { background: #00f; margin-left: calc(100% - 200px) }", [0, 0, 255]),
            ("div { background-image: Linear-Gradient(90deg, #00f, red) }", [0, 0, 255]),
            (
                "div { background-color: red; background-image: url(a.png), radial-gradient(#00f 10%, red) }",
                [0, 0, 255]
            ),
            ("div { background-color: #00f; background-image: linear-gradient(rgb(0 0 0 / 50%), red) }", [0, 0, 255]),
            ("div { background-image: linear-gradient(rgba(0, 0, 255, 1), red) }", [0, 0, 255]),
            ("div { background-image: linear-gradient(rgba(0, 0, 255, .5), red) }", [127, 127, 255]),
            (
                "div { background-image: linear-gradient(red, red); background-image: none; color: red }",
                [255, 255, 255]
            ),
            ("div { background-image: linear-gradient(red, red); background: #00f }", [0, 0, 255]),
            (":root { --a: #00f 0%, red } div { background-image: linear-gradient(90deg, var(--a)) }", [0, 0, 255]),
            (
                "div { background: #00f; inset-inline-start: 0; margin-inline: auto 0; width: min(100%, 200px) }",
                [0, 0, 255]
            ),
        ])
    func rewriting(style: String, colour: [Int]) throws {
        let page = try draw("<style>body { margin: 0 } div { height: 300px } \(style)</style><div>word</div>")
        #expect(page.has(colour[0], colour[1], colour[2], x: 500, y: 200), "\(style)")
    }

    @Test(
        "Declarations in attributes may be written with references to characters, and without quotes",
        arguments: [
            "style=\"font-family: &quot;a b&quot;, c; background: #00f\"",
            "style='font-family: &#39;a b&#x27;, c; background: #00f'",
            "style=font-family:'a',\"b\";background:#00f", "style=x id=a", "style=\"--a: #00f; background: var(--a)\"",
            "style=\"background: var(--b)\" id=a",
        ])
    func attributes(attributes: String) throws {
        let page = try draw(
            "<style>body { margin: 0 } div { height: 300px } #a { background: #00f }</style><div \(attributes)>word</div>"
        )
        #expect(page.has(0, 0, 255, x: 500, y: 200), "\(attributes)")
    }

    @Test("Of letters that let see the ground they stand on, it is the colour")
    func letterGround() throws {
        let ground = "background-image: linear-gradient(#00f, red); color: transparent"
        for name in ["background-clip", "-webkit-background-clip"] {
            let page = try draw(
                "<body style='margin:0'><p style='margin:0;font-size:300px;\(ground);\(name):text'>■", box: 900)
            let places = stride(from: 0.0, to: 600, by: 5).flatMap { y in [(100.0, y), (600, y)] }
            #expect(places.contains { page.has(0, 0, 255, x: $0.0, y: $0.1) }, "\(name)")
            #expect(!places.contains { page.has(0, 0, 255, x: 600, y: $0.1) }, "\(name)")
        }
    }

    @Test("Of what is closed the summary is shown, and what is open is shown whole")
    func details() throws {
        let details = "<p>a</p><details><summary>word</summary>rest <b>of it</b></details><p>b</p>"
        let closed = try draw(details)
        #expect(try draw("<p>a</p><div>word</div><p>b</p>").bytesDiffer(from: closed) == false)
        #expect(try draw(details.replacing("<details", with: "<details open")).bytesDiffer(from: closed))
        let bare = try draw("<p>a</p><details>rest</details><p>b</p>")
        #expect(try draw("<p>a</p><div>Details</div><p>b</p>").bytesDiffer(from: bare) == false)
    }

    @Test(
        "What cannot be seen through and through is not there, unless it begins to be seen by itself",
        arguments: [
            ("<b style='opacity: 0'>word <i>more</i></b>", false), ("<b style='opacity: 0.0'>word</b>", false),
            ("<div style='opacity: 0%; background: red'>word<ul><li>word</ul></div>", false),
            ("<table style='opacity: 0' border=1><tr><td>word</table>", false),
            ("<div style='opacity: 0'><p style='position: absolute; top: 0'>word</div>", false),
            ("<b style='opacity: .01'>word</b>", true), ("<b style='opacity: 1'>word</b>", true),
            ("<b style='opacity: 0; animation: a 1s'>word</b>", true),
            ("<b style='opacity: 0; transition: opacity .6s'>word</b>", true),
        ])
    func opacity(markup: String, isSeen: Bool) throws {
        let empty = try draw("<p>a")
        #expect(try draw("<p>a" + markup).bytesDiffer(from: empty) == isSeen, "\(markup)")
        #expect(try draw("<body style='opacity:0'><p>a").bytesDiffer(from: empty) == false)
    }

    @Test("In XHTML any element may be closed where it begins")
    func closed() throws {
        let page = "<html><head><title/><script src='a'/></head><body><a id='a'/><p>word</p></body></html>"
        #expect(try draw(Array(page.utf8)) { $0.mimeType = "application/xhtml+xml" }.bitmap.width == 182)
        #expect(throws: PluginError.self) { try draw(Array(page.utf8)) }
    }

    @Test("A line break breaks the line")
    func breaks() throws {
        let page = try draw("<body style='margin:0;font-size:100px;line-height:200px'>a<br>b", box: 900)
        #expect((200..<400).contains { !page.has(255, 255, 255, x: 20, y: Double($0)) })
    }

    @Test("A page that was saved whole has its style sheet and its pictures")
    func savedPage() throws {
        let pixel = Self.dot
        let saved = """
            From: <Saved by Blink>\r
            MIME-Version: 1.0\r
            Content-Type: multipart/related; type="text/html"; boundary="b"\r
            \r
            --b\r
            Content-Type: text/html; charset=iso-8859-1\r
            Content-Transfer-Encoding: quoted-printable\r
            Content-Location: https://example.org/a/page\r
            \r
            <title>S=FC=DF</title><link rel=3Dstylesheet href=3D"cid:1@mhtml.blink"><div id=3Da></div>\r
            <img src=3D"https://example.org/a/dot.png" width=3D100 height=3D100><img src=3Ddot.png width=3D100>\r
            --b\r
            Content-Type: text/css\r
            Content-ID: <1@mhtml.blink>\r
            \r
            body { margin: 0; font-size: 0 } img { display: block; margin-bottom: 100px } #a { background: #00f; height: 100px }\r
            --b\r
            Content-Type: image/png\r
            Content-Transfer-Encoding: base64\r
            Content-Location: https://example.org/a/dot.png\r
            \r
            \(pixel)\r
            --b--\r

            """
        let drawn = try draw(Array(saved.utf8), box: 900) { $0.mimeType = "application/x-mimearchive" }
        let page = RGBAPicture(drawn.bitmap)
        #expect(drawn.facts.title == "Süß")
        #expect(page.has(0, 0, 255, x: 300, y: 50) && page.has(255, 0, 0, x: 50, y: 150))
        #expect(page.has(255, 255, 255, x: 50, y: 250) && page.has(255, 0, 0, x: 50, y: 350))
        let error = #expect(throws: PluginError.self) {
            try draw(Array(saved.replacing("text/html", with: "text/plain").utf8)) {
                $0.mimeType = "application/x-mimearchive"
            }
        }
        #expect(error?.code == .corrupt)
        for cut in stride(from: 0, to: saved.utf8.count, by: 61) {
            _ = try? draw(Array(saved.utf8.prefix(cut))) { $0.mimeType = "application/x-mimearchive" }
        }
    }

    private func saved(_ page: String, _ parts: [(String, String)]) -> [UInt8] {
        let head = "From: <Saved by Blink>\r\nContent-Type: multipart/related; boundary=b\r\n\r\n"
        let first = "--b\r\nContent-Type: text/html\r\nContent-Location: https://a.org/x/y/page.html\r\n\r\n\(page)\r\n"
        return Array((head + first + parts.map { "--b\r\n\($0.0)\r\n\r\n\($0.1)\r\n" }.joined() + "--b--\r\n").utf8)
    }

    @Test(
        "Addresses count from the file that they stand in",
        arguments: [
            ("", "../z/dot.png"), ("", "/x/z/dot.png"), ("", "//a.org/x/z/dot.png#part"),
            ("", "https://a.org/x/z/dot.png"),
            ("<base href=../z/>", "dot.png"), ("<base href=https://a.org/x/>", "./z/./dot.png"),
        ])
    func addresses(base: String, address: String) throws {
        let picture = "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-Location: ../z/dot.png"
        let sheet = "Content-Type: text/css\r\nContent-Location: https://a.org/x/z/deep/sheet.css"
        let page = saved(
            "\(base)<link rel=stylesheet href=https://a.org/x/z/deep/sheet.css><style>body { margin: 0 }</style>"
                + "<img src='\(address)' style='display:block;width:100px;height:100px'><div>.</div>",
            [(picture, Self.dot), (sheet, "div { height: 100px; background: url(../dot.png) }")])
        let drawn = RGBAPicture(try draw(page, box: 900) { $0.mimeType = "application/x-mimearchive" }.bitmap)
        #expect(drawn.has(255, 0, 0, x: 50, y: 50) && drawn.has(255, 0, 0, x: 500, y: 150), "\(address)")
    }

    @Test("Of a saved page that cannot be laid out its text is drawn")
    func fallback() throws {
        let deep = saved("<style>p { color: red }</style>" + String(repeating: "<div>", count: 1000) + "A &amp; b", [])
        let drawn = try draw(deep) { ($0.mimeType, $0.wantsText) = ("application/x-mimearchive", true) }
        #expect(drawn.facts.text == "A & b")
        #expect(RGBAPicture(drawn.bitmap).bytesDiffer(from: try draw("<p>B")))
    }

    @Test("Pictures in style sheets need no quotes, and texts stand for pictures that are not there")
    func pictures() throws {
        for quote in ["", "\"", "'", "&quot;"] {
            let address = "url(\(quote)data:image/png;base64,\(Self.dot)\(quote))"
            let page = try draw(
                "<style>body { margin: 0 } p { height: 300px; margin: 0; background: \(address) }</style><p>.", box: 900
            )
            #expect(quote == "&quot;" || page.has(255, 0, 0, x: 300, y: 200), "\(quote)")
            let attribute = quote == "\"" ? "'" : "\""
            let bare = try draw(
                "<body style='margin:0'><p style=\(attribute)height:300px;margin:0;background:\(address)\(attribute)>.",
                box: 900)
            #expect(bare.has(255, 0, 0, x: 300, y: 200), "\(quote)")
        }
        #expect(try draw("<p>a<img src=b.png alt='a picture'>").bytesDiffer(from: try draw("<p>a")))
        #expect(try draw("<p>a<img src=b.png alt=''>").bytesDiffer(from: try draw("<p>a")) == false)
        #expect(try draw("<font size=+3>a").bytesDiffer(from: try draw("<font size=3>a")))
    }
}
