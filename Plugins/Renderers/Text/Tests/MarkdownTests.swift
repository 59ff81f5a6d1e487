import Testing
import VitrineTesting

@testable import TextRenderer

/// What is more than marks in the lines of Markdown.
@Suite struct MarkdownTests {
    @Test("Footnotes are numbered as they are referred to, and stand at the foot")
    func footnotes() {
        let text = """
            First[^b], then[^long-name], again[^b] and `[^b]`.

            [^long-name]: The second
            note.

                Its end.
            [^b]: The **first**.
            [^never]: Unused.

            After[^7][^nothing].
            """
        #expect(
            Markdown.blocks(text) == [
                TextBlock("First¹, then², again¹ and [^b]."), TextBlock("After⁷[^nothing]."), TextBlock("", .rule),
                TextBlock("The first.", .item(marker: "¹", depth: 0), bold: [4..<9]),
                TextBlock("The second note.", .item(marker: "²", depth: 0)),
                TextBlock("Its end.", .item(marker: "", depth: 0)),
                TextBlock("Unused.", .item(marker: "³", depth: 0)),
            ])
        #expect(Markdown.blocks("```\na[^1]\n[^1]: b\n```").map(\.text) == ["a[^1]\n[^1]: b"])
    }

    @Test("Where links of a name lead is not shown")
    func links() {
        let text = """
            See [one], [Two][], [3][one], [four] and [a](b_(c)) x.

            [one]: https://example.org "Title"
            [two]: <a b>
            [four]: not an address
            """
        #expect(
            Markdown.blocks(text).map(\.text) == ["See one, Two, 3, [four] and a x.", "[four]: not an address"])
    }

    @Test("Comments are left out, however many lines they have, but not those that code has")
    func comments() {
        let text = "a <!-- b -->c\n<!-- d\n\n# e\n-->\nf <!--g\n--> h `<!--` i\n\n```\n<!-- j -->\n```\n<!-- k"
        #expect(Markdown.blocks(text).map(\.text) == ["a c f h <!-- i", "<!-- j -->"])
        #expect(Markdown.blocks("    <!-- a -->\n    b").map(\.text) == ["<!-- a -->\nb"])
    }

    @Test("Tags that make blocks do so, and lines end where they are meant to")
    func tags() {
        let text = """
            <h1 align="center">
              <img src="a.svg"><br>
              The *name*
            </h1>
            <p>One</p>
            <p align=center>Two<br/>three\u{20}\u{20}
            four\\
            five</p>
            <li>Item
            <hr>
            H<sub>2</sub>O, x<sup>10</sup>, a<sup>th</sup> <kbd>Ctrl</kbd>
            """
        #expect(
            Markdown.blocks(text) == [
                TextBlock("The name", .heading(1)), TextBlock("One"), TextBlock("Two\nthree\nfour\nfive"),
                TextBlock("Item", .item(marker: "•", depth: 0)), TextBlock("", .rule),
                TextBlock("H₂O, x¹⁰, ath Ctrl"),
            ])
        #expect(Markdown.blocks("# a<br>b").map(\.text) == ["a b"])
    }

    @Test("What is set apart has its title, or the word for its kind")
    func asides() {
        let text = """
            > [!NOTE]
            > Words.
            >
            > - one
            > - two

            > [!tip]- Read *on*
            > more

            !!! warning "Take care"
                Inside.

                Also.
            ::: info
            Fenced

            #words
            :::
            After
            """
        let blocks = Markdown.blocks(text)
        #expect(
            blocks.map(\.text) == [
                "Note\nWords.\n• one\n• two", "Read on\nmore", "Take care\nInside.\nAlso.", "Info\nFenced\n#words",
                "After",
            ])
        #expect(blocks.map(\.style) == [.quote, .quote, .quote, .quote, .body])
        #expect(blocks.map(\.bold) == [[0..<4], [0..<7], [0..<9], [0..<4], []])
    }

    @Test(
        "Code, headings and tables that are set apart stay what they are, and words go on behind them",
        arguments: ["", "    "])
    func blocksInAsides(indent: String) {
        let inside = [
            "Words.", "", "```sh", "# make", "  a  b", "```", "", "## Title", "more", "| a | b |", "|---|---|",
            "| 1 | 2 |",
        ]
        let lines = (inside + ["last"]).map { $0.isEmpty ? "" : indent + $0 }
        let text = (indent.isEmpty ? ["::: tip"] + lines + [":::"] : ["!!! tip"] + lines) + ["after"]
        let blocks = Markdown.blocks(text.joined(separator: "\n"))
        #expect(
            blocks.map(\.text).filter { !$0.contains("1") } == [
                "Tip\nWords.", "# make\n  a  b", "Title", "more", "last", "after",
            ])
        let kinds = blocks.map { block in
            if case .table = block.style { return "table" }
            return "\(block.style)"
        }
        #expect(kinds == ["quote", "code", "heading(2)", "quote", "table", "quote", "body"])
    }

    @Test(
        "What is set apart and never ended ends with its first paragraph, or where something else is set apart",
        arguments: [
            ("::: tip\na\n\n- b", ["Tip\na", "b"]), ("::: tip\n\na\nc\n\nb", ["Tip\n\na c", "b"]),
            ("::: tip\na\n\n::: info\nb\n:::\nc", ["Tip\na", "Info\nb", "c"]),
            ("::: tip\n```\na\n```\n\nb", ["Tip", "a", "b"]), (":::\n::: tip\na\n\nb", ["Tip\na", "b"]),
        ])
    func unended(text: String, words: [String]) {
        #expect(Markdown.blocks(text).map(\.text) == words)
    }

    @Test("Formulas are left as they are, sums of money too")
    func formulas() {
        #expect(Inline.plain("Let $a_1 * b_2$ be, or $$x_i$$.") == "Let a_1 * b_2 be, or x_i.")
        #expect(Inline.plain("$5 and $10, $a$b, US$7_8_$") == "$5 and $10, $a$b, US$7_8$")
        let text = "$$\n\\int_0^1\n# x\n$$\nafter\n\n$$ y $$\n\n$$z\n+ 1$$"
        #expect(
            Markdown.blocks(text) == [
                TextBlock("\\int_0^1\n# x", .code), TextBlock("after"), TextBlock("y", .code),
                TextBlock("z\n+ 1", .code),
            ])
    }

    @Test("Items have paragraphs and code, words have what they mean")
    func lists() {
        let text = """
            - one

              more
              of it

                  far in

            1. [ ] two
               ```sh
               run
                 it
               ```

            Word
            : its meaning
            """
        #expect(
            Markdown.blocks(text) == [
                TextBlock("one", .item(marker: "•", depth: 0)), TextBlock("more of it", .item(marker: "", depth: 0)),
                TextBlock("  far in", .code), TextBlock("two", .item(marker: "☐", depth: 0)),
                TextBlock("run\n  it", .code), TextBlock("Word", bold: [0..<4]),
                TextBlock("its meaning", .item(marker: "", depth: 0)),
            ])
    }

    @Test("Tables need no bars at their edges")
    func tables() {
        let found = Markdown.blocks("a | b\n---|:-:\n`c` | d<br>e\n\nx | y is no table")
        #expect(found.map(\.text) == ["a   b\nc   d e", "x | y is no table"])
        #expect(Markdown.blocks("    a | b\n    --|--").map(\.style) == [.code])
    }

    @Test("Settings in front are left out but for the title, where the text has none")
    func frontMatter() {
        let text = "---\ntitle: 'A post'\ntitle2: x\n---\nWords"
        #expect(Markdown.blocks(text) == [TextBlock("A post", .heading(1)), TextBlock("Words")])
        #expect(Markdown.blocks("+++\ntitle = \"B\"\n+++\n# C\n").map(\.text) == ["C"])
        // A line across the page.
        #expect(Markdown.blocks("---\nWords").map(\.text) == ["", "Words"])
        #expect(Markdown.blocks("---\n\na\n\n---\nb").map(\.text) == ["", "a", "", "b"])
    }

    @Test("Signs between blanks stay, and lines below the line in words with digits")
    func signs() {
        #expect(Inline.plain("2 * 3 _ 4 ** 5, utf_8, a*b*c _d_") == "2 * 3 _ 4 ** 5, utf_8, abc d")
    }

    @Test("What is struck out has a line through it")
    func struck() throws {
        #expect(Inline.words("a ~~b c~~ d").struck == [2..<5])
        #expect(Markdown.blocks("- a\n  ~~b~~").map(\.struck) == [[2..<3]])
        let (plain, struck) = try (
            Drawn("rrrrrr oooooo", type: "text/markdown"), Drawn("~~rrrrrr oooooo~~", type: "text/markdown")
        )
        #expect(struck.ink() > plain.ink() + 20)
    }

    @Test("Marks that are made to be hard end in no time")
    func hard() {
        let marks = [
            "<a", "[^1", "[^1]: ", "<!--", "~~", "$a", "[a](", "![", "!!! a ", "::: a ", "> [!a] ", "**", "a | ", "`",
            "<h1>",
        ]
        for mark in marks {
            for end in ["", "\n"] {
                let text = String(repeating: mark + end, count: 65_536 / (mark + end).utf8.count)
                let time = ProcessorTime.measure { _ = Markdown.blocks(text) }
                #expect(time < .seconds(20), "\(mark)")
            }
        }
    }
}
