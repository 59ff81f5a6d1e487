import RendererFixtures
import Testing
import VitrineKit

@Suite struct BadPageTests {
    private func failure(_ markup: String) throws -> PluginError.Code {
        try #require(#expect(throws: PluginError.self) { try draw(Array(markup.utf8)) }).code
    }

    @Test("A page of nothing is empty, one that needs its scripts is no picture")
    func nothing() throws {
        #expect(try failure("") == .empty)
        for page in [
            " \n", "<html></html>", "<div id=app></div><script>document.write('x')</script>", "<!-- x",
            "<!DOCTYPE html",
            "<img src=http://127.0.0.1:9/a.png width=99 height=99>", "<title>x</title>", "\u{0}\u{0}\u{0}",
        ] {
            #expect(try failure(page) == .unsupported, "\(page)")
        }
        #expect(throws: PluginError.self) { try draw(Array("<p>x".utf8)) { $0.page = 1 } }
        #expect(throws: PluginError.self) { try draw(Array("<p>x".utf8)) { $0.time = 1 } }
    }

    @Test("Elements and tables that are nested too deeply are refused, and many side by side are not")
    func nesting() throws {
        #expect(try failure(String(repeating: "<div>", count: 100_000)) == .limitExceeded)
        #expect(try failure(String(repeating: "<b><i>", count: 2000) + "x") == .limitExceeded)
        #expect(try failure(String(repeating: "<div/><path/>", count: 2000) + "x") == .limitExceeded)
        #expect(try failure(String(repeating: "<table><tr><td>", count: 12) + "x") == .limitExceeded)
        #expect(try failure(String(repeating: "<div></b>", count: 1500) + "x") == .limitExceeded)
        #expect(
            try failure("x" + (0..<300).map { "<b id=\($0)>" }.joined() + String(repeating: "<p>", count: 1500))
                == .limitExceeded)
        #expect(
            try failure("<table>" + String(repeating: "<tr><td colspan=2000 rowspan=2000>x", count: 500))
                == .limitExceeded)
        #expect(try failure("<a b=x=\">" + String(repeating: "<div>", count: 20_000) + "\">x") == .limitExceeded)
        #expect(try failure("<ol start=2000000000 style='list-style: lower-roman'><li>x") == .limitExceeded)
        #expect(try draw(Array("<input value=2000000000><p>x".utf8)).bitmap.width == 182)
        // Those that browsers close by themselves are not nested.
        let anchors = (0..<600).map { "<a name=\($0)>word " }.joined()
        #expect(try draw(Array(anchors.utf8)).bitmap.width == 182)
        let tables = String(repeating: "<table><tr><td>", count: 6) + "x"
        #expect(try draw(Array(tables.utf8)).bitmap.width == 182)
        for row in [
            "<p>word", "<li>word", "<div>word</div>", "<br>word", "<svg/>word", "<svg><g></svg>word",
            "<table><tr><td>a<td>b</table>",
        ] {
            let many = String(repeating: row, count: 50_000)
            #expect(try draw(Array(many.utf8)).bitmap.width == 182, "\(row)")
        }
    }

    @Test(
        "Numbers that no window has are borne",
        arguments: [
            "font-size: 1e9px", "font-size: -5px", "font-size: 0", "width: 2147483647px; margin: 2147483647px",
            "border: 2147483647px dotted red", "border: 99999px solid red; border-radius: 2147483647px",
            "border-radius: -9px; border: 1px solid", "line-height: 1e30", "position: absolute; top: -2147483648px",
            "float: left; width: 1000000%", "letter-spacing: 1e9px; text-indent: -1e9px", "font-weight: 99999",
            "font-family: \"',,,,\\0", "background: url(data:image/png;base64,AAAA) 1e9px -1e9px", "padding: 1e38em",
        ])
    func numbers(style: String) throws {
        let page = "<p>shown<div style='\(style)'>a <b>b</b><ul><li>c</ul><hr><table border=1><td>d</table></div>"
        #expect(try draw(Array(page.utf8)).bitmap.width == 182)
    }

    @Test("A word that is wider than any number of pango")
    func widest() throws {
        let word = String(repeating: "W", count: 20_000)
        #expect(try draw(Array("<p>shown<p style='font-size: 512px'>\(word)".utf8)).bitmap.width == 182)
    }

    @Test("A style sheet that names itself is given once, and many are given up to a bound")
    func sheets() throws {
        func saved(_ head: String, _ sheet: String) -> [UInt8] {
            let boundary = "--b\r\nContent-Type: "
            return Array(
                ("From: <Saved by Blink>\r\nContent-Type: multipart/related; boundary=b\r\n\r\n\(boundary)text/html\r\n\r\n"
                    + "\(head)<p>shown\r\n\(boundary)text/css\r\nContent-Location: http://a/s.css\r\n\r\n\(sheet)\r\n--b--\r\n")
                    .utf8)
        }
        let link = "<link rel=stylesheet href=http://a/s.css>"
        let rules = (0..<9000).map { ".c\($0) { color: red }\n" }.joined()
        for page in [
            saved(link, "@import url(http://a/s.css); p { color: red }"),
            saved(String(repeating: link, count: 1500), rules),
        ] {
            #expect(try draw(page) { $0.mimeType = "application/x-mimearchive" }.bitmap.width == 182)
        }
    }

    @Test("Pictures that cannot be decoded, or may not be, are left out")
    func pictures() throws {
        // 100,000 pixels square, in a PNG that has no more than its head.
        let bomb = "iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAIAAAAAAAAA"
        for address in [
            "data:image/png;base64,\(bomb)", "data:image/png;base64,", "data:image/png,x", "data:,",
            "file:///etc/passwd",
            "/etc/passwd", "data:image/svg+xml;base64,PHN2Zy8+",
        ] {
            let page = "<p>shown<img src='\(address)'><div style='background: url(\(address))'>a</div>"
            #expect(try draw(Array(page.utf8)).bitmap.width == 182, "\(address)")
        }
        let many = (0..<2000).map { "<img src='data:image/png;base64,\($0)'>" }.joined()
        #expect(try draw(Array(("<p>shown" + many).utf8)).bitmap.width == 182)
    }

    @Test("Endless style sheets, comments, attributes and texts end")
    func endless() throws {
        let long = String(repeating: "x", count: 3_000_000)
        let choices = "i" + String(repeating: ":is(\((0..<16).map { ".c\($0)" }.joined(separator: ",")))", count: 6)
        let rules = (0..<200_000).map { ".c\($0) > b + i:hover { color: red }\n" }.joined()
        for page in [
            "<p>shown<style>\(long)", "<p>shown<style>\(rules)</style><b>a</b>", "<p>shown<!--\(long)",
            "<p>shown<a href='\(long)", "<p>shown<\(long)", "<p>\(long)", "<p>shown<script>\(long)", "<pre>\(long)",
            "<p>shown<textarea>\(long)", "<p>shown" + String(repeating: "<", count: 1_000_000),
            "<p>shown" + String(repeating: "&amp", count: 500_000), "<p>" + String(repeating: "x ", count: 1_000_000),
            "<p>shown<style>" + String(repeating: choices + " { color: red } ", count: 200) + "</style><b>a</b>",
            "<p>shown<style>p { background: url(\(String(repeating: " ", count: 1_000_000))x) }</style>",
            "<p>shown<style>div { display: grid; grid: none / \(String(repeating: "minmax(1,", count: 3000)) }</style><div><b>a",
            "<style>@import url(a.css); @media { @media { } } @font-face { src: url(a) } } } { : ; }</style><p>shown",
        ] {
            #expect(try draw(Array(page.utf8)).bitmap.width == 182, "\(page.prefix(20))")
        }
    }

    @Test("Damage anywhere ends in a picture or a reason", arguments: ["motif", "story"])
    func damage(name: String) throws {
        let bytes = try Fixtures.bytes("html/\(name).html")
        var drawn = 0
        for at in stride(from: 0, to: bytes.count, by: 23) {
            var damaged = bytes
            damaged[at] ^= 0x15
            drawn += (try? draw(damaged, box: 64)) == nil ? 0 : 1
            drawn += (try? draw(Array(bytes.prefix(at)), box: 64)) == nil ? 0 : 1
        }
        #expect(drawn > bytes.count / 46)
    }
}
