import Testing
import VitrineKit

@testable import TextRenderer

/// Notebooks of Jupyter, which mix texts, code and what came of it.
@Suite("Notebooks of Jupyter")
struct NotebookTests {
    @Test("The cells of a notebook are found, also where its end is missing")
    func cells() {
        let text = #"""
            {"cells": [
             {"cell_type": "markdown", "metadata": {"source": "no"}, "source": ["# A \"title\"\n", "\n", "words [1]\u00e4"]},
             {"cell_type": "code", "outputs": [{"data": {"text/html": ["]}"], "source": "no"}}],
              "source": "let a = [1]\n  b\n\n"},
             {"cell_type": "raw", "source": []},
             {"source": "no kind"},
             {"cell_type": "code", "outputs": [], "source": ["cut"]}
            ], "metadata": {"kernelspec": {"source": "no"}}}
            """#
        let blocks = [
            TextBlock("A \"title\"", .heading(1)), TextBlock("words [1]ä"), TextBlock("let a = [1]\n  b", .code),
            TextBlock("cut", .code),
        ]
        let bytes = Array(text.utf8)
        #expect(Notebook(bytes).blocks == blocks)
        #expect(Notebook(bytes).text == "# A \"title\"\n\nwords [1]ä\nlet a = [1]\n  b\ncut")
        for count in bytes.indices {
            let part = Notebook(Array(bytes[..<count])).blocks
            #expect(part == Array(blocks.prefix(part.count)))
        }
        let kind = TextKind(Notebook.type, text, bytes, Notebook(bytes))
        #expect(kind == .entries(blocks) && TextKind(Notebook.type, "[1]", [], Notebook(Array("[1]".utf8))) == .code)
    }

    @Test(
        "What came of code is found: what it wrote, its value or picture, how it failed; no warnings, no names of objects"
    )
    func outputs() {
        let outputs = [
            #"{"output_type":"stream","name":"stdout","text":["a\n","b\n"]}"#,
            #"{"output_type":"stream","name":"stderr","text":"warned"}"#,
            #"{"output_type":"execute_result","data":{"text/html":"<b>","text/plain":["   x\n","0  1"]}}"#,
            #"{"output_type":"display_data","data":{"image/png":"AQI\nD","text/plain":"<Figure>"},"metadata":{"image/png":{}}}"#,
            #"{"output_type":"display_data","data":{"application/x":[[{"a":[1,-2e5,null,true]}]],"text/plain":["[<Line2D at 0x7f>]"]}}"#,
            #"{"output_type":"error","ename":"E","evalue":"\u001b[31mno","traceback":["deep"]}"#,
        ]
        let cell = #"{"cell_type":"code","outputs":[\#(outputs.joined(separator: ","))],"source":["c"]}"#
        let blocks = Notebook(Array(#"{"cells":[\#(cell)]}"#.utf8)).blocks
        #expect(
            blocks == [
                TextBlock("c", .code), TextBlock("a\nb", .output), TextBlock("   x\n0  1", .output),
                TextBlock(picture: [1, 2, 3]), TextBlock("E: no", .output),
            ])
        let long = #"{"output_type":"stream","text":"\#(String(repeating: "l\\n", count: 50))"}"#
        let first = Notebook(Array(#"{"cells":[{"cell_type":"code","outputs":[\#(long)]}]}"#.utf8)).blocks.first?.text
        #expect(first?.split(separator: "\n").count == 12)
    }

    @Test("Notebooks of before 2015 keep their cells on sheets, pictures beside words, and no ends of lines")
    func third() {
        let text = #"""
            {"nbformat":3,"worksheets":[{"cells":[
             {"cell_type":"heading","level":2,"source":["h"]},{"cell_type":"markdown","source":["a  ","b"]},
             {"cell_type":"code","input":["i"],"outputs":[
              {"output_type":"pyout","png":"AQID","text":["t"]},{"output_type":"stream","stream":"stderr","text":["w"]}]}
            ],"metadata":{}}]}
            """#
        let blocks = [
            TextBlock("h", .heading(2)), TextBlock("a\nb"), TextBlock("i", .code), TextBlock(picture: [1, 2, 3]),
        ]
        #expect(Notebook(Array(text.utf8)).blocks == blocks)
    }

    @Test("Cells behind large pictures are found, and what is attached to a text is shown below it")
    func large() {
        let picture = String(repeating: "AAAA", count: 100 << 10)
        let output = #"{"output_type":"display_data","data":{"image/png":"\#(picture)"}}"#
        let text = #"""
            {"cells":[{"cell_type":"code","outputs":[\#(output)],"source":"a"},
             {"cell_type":"markdown","attachments":{"p.png":{"image/png":"AQID"}},"source":"b ![p](attachment:p.png)"}]}
            """#
        let blocks = Notebook(Array(text.utf8)).blocks
        #expect(blocks.map(\.text) == ["a", "", "b", ""] && blocks.last?.picture == [1, 2, 3])
    }

    @Test("A picture is drawn below its code, a damaged one is left out, and a key in any cell is not drawn")
    func drawing() throws {
        let png = Self.red
        func notebook(_ picture: String, _ more: String = "") -> String {
            let output = #"{"output_type":"display_data","data":{"image/png":"\#(picture)"}}"#
            let code = #"{"cell_type":"code","outputs":[\#(output)],"source":"a"}"#
            return #"{"cells":[\#(code),{"cell_type":"code","outputs":[],"source":"\#(more)b"}]}"#
        }
        #expect(try reds(notebook(png)) > 500)
        #expect(try Drawn(notebook("AQID"), type: Notebook.type).hasInk())
        #expect(try Drawn(notebook(png), type: Notebook.type).facts.text == nil)
        let key =
            "-----BEGIN PRIVATE KEY-----\\n" + String(repeating: "A", count: 64) + "\\n-----END PRIVATE KEY-----\\n"
        let far = String(repeating: "AAAA", count: 20 << 10)
        #expect(failure(notebook(far, key).utf8, type: Notebook.type)?.code == .empty)
    }

    @Test("Behind a picture that has no room on the page, none is drawn, however small")
    func room() throws {
        // Red, 12 × 12 pixels.
        let small =
            "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAMCAIAAADZF8uwAAAAE0lEQVR42mP4z8BAEDGMKhqMigD7kI9xiN1bewAAAABJRU5ErkJggg=="
        func notebook(_ pictures: String...) -> String {
            let outputs = pictures.map { #"{"output_type":"display_data","data":{"image/png":"\#($0)"}}"# }
            let source = String(repeating: "a\\n", count: 24) + "a"
            let cell = #"{"cell_type":"code","source":"\#(source)","outputs":[\#(outputs.joined(separator: ","))]}"#
            return #"{"cells":[\#(cell)]}"#
        }
        #expect(try reds(notebook(small)) > 10)
        #expect(try reds(notebook(Self.red, small)) == 0)
    }

    @Test("However much code wrote, the text is bounded, and the page shows nothing that is not in it")
    func bounds() {
        let words = String(repeating: "PRIVATE KEY---- b:\n", count: (16 << 10) / 19)
        let failure = #"{"output_type":"error","evalue":"\#(words.replacing("\n", with: "\\n"))"}"#
        let outputs = Array(repeating: failure, count: 240).joined(separator: ",")
        let notebook = Notebook(Array(#"{"cells":[{"cell_type":"code","outputs":[\#(outputs)]}]}"#.utf8))
        #expect(64 << 10..<96 << 10 ~= notebook.text.utf8.count, "\(notebook.text.utf8.count) bytes")
        #expect(notebook.blocks.allSatisfy { notebook.text.contains($0.text) } && 4...6 ~= notebook.blocks.count)
        #expect(!PrivateKey.isHeld(in: notebook.text))
        let short = Array(repeating: #"{"text":"a"}"#, count: 500).joined(separator: ",")
        let many = Notebook(Array(#"{"cells":[{"cell_type":"code","outputs":[\#(short)],"source":"b"}]}"#.utf8))
        #expect(many.blocks.count == 61 && many.text.utf8.count == 121)
    }

    @Test("Notebooks are known in any form of Unicode that they are marked with")
    func marks() throws {
        let text = ##"{"cells":[{"cell_type":"markdown","source":"# ä"},{"cell_type":"code","source":"b"}]}"##
        let wide = Array(text.utf16)
        let forms: [[UInt8]] = [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
            [0xFF, 0xFE] + wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        ]
        let renderer = try TextRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: 64, mimeType: Notebook.type)
        request.wantsText = true
        for form in forms {
            let facts = try renderer.render(BytesInput(form), request).facts
            #expect(facts.text == "# ä\nb" && facts.title == "ä", "\(form.prefix(4))")
        }
    }

    /// A picture in PNG and Base64: red, 64 × 64 pixels.
    private static let red =
        "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQE"
        + "BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC"

    /// How many pixels of a notebook's page are red.
    private func reds(_ notebook: String) throws -> Int {
        let pixels = try Drawn(notebook, type: Notebook.type).pixels
        return stride(from: 0, to: pixels.count, by: 4).count {
            pixels[$0] < 40 && pixels[$0 + 1] < 40 && pixels[$0 + 2] > 200
        }
    }
}
