import Testing
import VitrineKit
import VitrineTesting

@testable import TextRenderer

@Suite(.serialized) struct TextRendererTests {
    private static let markdown = "# Title\n\nSome *words* and `code`.\n\n* one\n* two\n\n> said\n\n    let a = 1\n"
    private static let table = "name,amount\n\"Müller, A.\",12.50\nO'Hara,7\n"
    private static let code = "/* A remark. */\nint main(void)\n{\n\treturn 0;\n}\n"

    @Test("It keeps the renderer's contract")
    func conformance() {
        let samples = [
            ("prose", "text/plain", "All human beings are born free and equal.\n"), ("code", "text/x-csrc", Self.code),
            ("markdown", "text/markdown", Self.markdown), ("a table", "text/csv", Self.table),
        ].map { RendererSample($0.0, mimeType: $0.1, bytes: Array($0.2.utf8)) }
        let suite = RendererConformance(samples: samples, enlarges: true) { environment throws(PluginError) in
            try TextRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("The text is told when it is asked for, without what steers a terminal")
    func text() throws {
        let renderer = try TextRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: 64, mimeType: "text/plain")
        let input = BytesInput(Array("Z\u{FC}rich\u{1B}[31m \r\n東京".utf8))
        #expect(try renderer.render(input, request).facts.text == nil)
        request.wantsText = true
        let facts = try renderer.render(input, request).facts
        #expect(facts.text == "Z\u{FC}rich \n東京")
        #expect(facts.text(.encoding) == "UTF-8" && facts.details[.lines] == .number(2))
    }

    @Test("A page is as high as asked for, has the shape of A4, and begins at the top")
    func page() throws {
        let drawn = try Drawn("Words.\n")
        #expect(drawn.bitmap.height == 256 && drawn.bitmap.width == 181 && drawn.bitmap.isOpaque)
        #expect(drawn.hasInk(columns: 0...0.5, rows: 0...0.15))
        #expect(!drawn.hasInk(rows: 0.2...1) && !drawn.hasInk(columns: 0...0.06))
    }

    @Test("Lines of code in Markdown stay lines")
    func codeLines() throws {
        let lines = String(repeating: "let a = 1\n", count: 30)
        #expect(try Drawn("```\n\(lines)```\n", type: "text/markdown").hasInk(columns: 0.1...0.3, rows: 0.8...0.9))
        let wide = String(repeating: "let a = 1; ", count: 30)
        #expect(try !Drawn("```\n\(wide)\n```\n", type: "text/markdown").hasInk(rows: 0.2...1))
    }

    @Test("Two dozen lines fill a page, and what is beyond is cut off")
    func fullPage() throws {
        let code = String(repeating: "let a = [1, 2, 3]; // and so on, and so on, and so on\n", count: 100)
        let drawn = try Drawn(code, type: "text/x-csrc")
        #expect(drawn.hasInk(rows: 0.85...0.95) && !drawn.hasInk(rows: 0.97...1))
        #expect(!drawn.hasInk(columns: 0.97...1))
    }

    @Test("A heading is larger and the document's title")
    func heading() throws {
        let drawn = try Drawn("# Mmmm\n\nMmmm\n", type: "text/markdown")
        #expect(drawn.facts.title == "Mmmm")
        #expect(try Drawn("Mmmm\n").facts.title == nil)
        let width = (0..<100).last { drawn.hasInk(columns: Double($0) / 100...Double($0 + 1) / 100, rows: 0...0.15) }
        let below = (0..<100).last { drawn.hasInk(columns: Double($0) / 100...Double($0 + 1) / 100, rows: 0.16...1) }
        #expect((width ?? 0) > (below ?? 100), "\(String(describing: width)) \(String(describing: below))")
    }

    @Test(
        "What runs from right to left begins at the right", arguments: ["שלום", "مرحبا"], ["text/plain", "text/css"])
    func rightToLeft(word: String, type: String) throws {
        let drawn = try Drawn(word, type: type)
        #expect(drawn.hasInk(columns: 0.7...1) && !drawn.hasInk(columns: 0...0.5))
    }

    @Test("The mark of an item that runs from right to left stands at its right")
    func markAtTheRight() throws {
        let drawn = try Drawn("- שלום\n", type: "text/markdown")
        #expect(!drawn.hasInk(columns: 0...0.5) && drawn.hasInk(columns: 0.6...0.83))
        #expect(drawn.hasInk(columns: 0.84...0.95))
        let other = try Drawn("- hello\n", type: "text/markdown")
        #expect(other.hasInk(columns: 0.05...0.16) && !other.hasInk(columns: 0.84...0.95))
    }

    @Test("Bold words have more ink")
    func bold() throws {
        let words = try ["Mmm lll", "**Mmm** lll", "**Mmm lll**"].map { try Drawn($0, type: "text/markdown").ink() }
        #expect(words[0] < words[1] && words[1] < words[2], "\(words)")
    }

    @Test("Cells of a table in Markdown stand below each other")
    func markdownTable() throws {
        func edge(_ cell: String) throws -> Int? {
            let text = "| a | |\n|---|---|\n| | \(cell) |\n| yyyyyyyyyyyy | |\n"
            let drawn = try Drawn(text, type: "text/markdown")
            return (0..<100).last { drawn.hasInk(columns: Double($0) / 100...Double($0 + 1) / 100) }
        }
        let (without, with) = (try edge(""), try edge("1"))
        #expect((without ?? 100) < (with ?? 0), "\(String(describing: without)) \(String(describing: with))")
    }

    @Test("A table has lines around its cells and a head")
    func table() throws {
        let drawn = try Drawn("a;b\n" + String(repeating: "1;2\n", count: 40), type: "text/csv")
        let head = drawn.bitmap.withUnsafeMutableBytes { $0[20 * drawn.bitmap.bytesPerRow + 40 * 4 + 2] }
        #expect(head < 240 && drawn.hasInk(rows: 0.85...0.95))
        // A small one is larger, so that its head reaches further down.
        let small = try Drawn("m;m\n1;2\n", type: "text/csv")
        let rows = 0.09...0.1
        #expect(small.ink(rows: rows) != drawn.ink(rows: rows))
    }

    @Test("Everything is drawn alike at every size")
    func sizes() throws {
        let text = String(repeating: "All human beings are born free and equal in dignity and rights. ", count: 40)
        func rows(_ drawn: Drawn) -> [Bool] {
            (0..<60).map { drawn.ink(rows: Double($0) / 60...Double($0 + 1) / 60) * 512 > drawn.bitmap.width }
        }
        let (small, large) = (try Drawn(text, box: 512), try Drawn(text, box: 1024))
        #expect(zip(rows(small), rows(large)).count { $0 != $1 } <= 2)
        // The same words in the last line.
        let last = 0.5...1.0
        #expect(abs(small.ink(columns: last) * 4 - large.ink(columns: last)) < large.ink(columns: last) / 4)
    }
}
