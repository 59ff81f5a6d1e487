import Testing

@testable import TextRenderer

@Suite struct MarkupTests {
    @Test("The blocks of Markdown are found")
    func blocks() throws {
        let text = """
            ---
            layout: post
            ---
            # A *heading* #
            Under
            lined
            =====
            Words that go
            on here.

            - one
              and more
            2. two
                - deep
            - [x] done

            > said
            > twice
            > > and
            >> again

            ```swift
            let a = 1

              b
            ```
            ***
                indented

                code
            | a | b |
            |---|:-:|
            """
        let table = try #require(MarkdownTable(head: "| a | b |", "|---|:-:|"))
        #expect(
            Markdown.blocks(text) == [
                TextBlock("A heading", .heading(1)), TextBlock("Under lined", .heading(1)),
                TextBlock("Words that go on here."), TextBlock("one and more", .item(marker: "•", depth: 0)),
                TextBlock("two", .item(marker: "2.", depth: 0)), TextBlock("deep", .item(marker: "•", depth: 2)),
                TextBlock("done", .item(marker: "☑", depth: 0)), TextBlock("said twice and again", .quote),
                TextBlock("let a = 1\n\n  b", .code), TextBlock("", .rule), TextBlock("indented\n\ncode", .code),
                TextBlock("a   b", .table(table)),
            ])
    }

    @Test("The rows of a table are one block with columns")
    func tables() throws {
        let text = """
            Before
            | Name | **Sum** | No |
            |:-----|--------:|:--:|
            | a \\| b | 1 |
            | | `2` | ☑ |
            | - | : |
            after
            | x
            """
        let blocks = Markdown.blocks(text)
        #expect(blocks.map(\.text) == ["Before", "Name   Sum   No\na | b   1\n   2   ☑\n-   :", "after | x"])
        let found: [MarkdownTable] = blocks.compactMap { if case .table(let table) = $0.style { table } else { nil } }
        try #require(found.count == 1)
        let table = found[0]
        #expect(table.rows == [["Name", "Sum", "No"], ["a | b", "1"], ["", "2", "☑"], ["-", ":"]])
        #expect(table.alignments == [.left, .right, .center] && table.columns == 3)
        // Without a line below it that says so, a bar begins a paragraph like any other sign; a head may be empty.
        #expect(Markdown.blocks("|psi> is a state\nof a system").map(\.style) == [.body])
        #expect(Markdown.blocks("| | |\n|:-:|\t--:|\n|a|b|").map(\.text) == ["   \na   b"])
        let long = "|a|\n|-|\n" + String(repeating: "|" + String(repeating: "b|", count: 1000) + "\n", count: 1000)
        #expect(Markdown.blocks(long).count == 1)
    }

    @Test(
        "Marks inside of lines are taken away",
        arguments: [
            ("**bold** and _thin_ and `code`", "bold and thin and code"), ("a_name_here", "a_name_here"),
            ("see [the docs](https://a.b/c) now", "see the docs now"), ("![picture](a.png) words", "words"),
            ("[![badge](a.svg)](b) words", "words"), ("a <b>tag</b> <https://a.b>", "a tag https://a.b"),
            ("2 < 3 \\* 4", "2 < 3 * 4"), ("[not a link] x", "[not a link] x"), ("[", "["), ("a]( b", "a]( b"),
            ("AT&amp;T &lt;b&gt; &copy; &#8212; &#x41;", "AT&T <b> © — A"), ("&nope; a & b; &", "&nope; a & b; &"),
            ("&lt;b>", "<b>"), ("`&amp;` and `` a*`b ``", "&amp; and a*`b"), ("`a *b*", "a b"),
            ("~~old~~ new", "old new"), ("a ~~b", "a ~~b"), ("~home and ~~~two~~ a~", "~home and ~two a~"),
        ])
    func inline(line: String, words: String) { #expect(Inline.plain(line) == words) }

    @Test(
        "What is strongly emphasized is bold",
        arguments: [
            ("a **b c** d", "a b c d", [2..<5]), ("__ä__ and **b**", "ä and b", [0..<2, 7..<8]),
            ("**a", "a", []), ("2 ** 3 ** 4", "2 ** 3 ** 4", []), ("a_b **c**", "a_b c", [4..<5]),
            ("***a*** b", "a b", [0..<1]),
            ("- **a**", "- a", [2..<3]), ("`**a**`", "**a**", []), ("**** a", "a", []),
        ] as [(String, String, [Range<Int>])])
    func strong(line: String, words: String, bold: [Range<Int>]) {
        #expect(Inline.words(line) == InlineText(text: words, bold: bold))
    }

    @Test("Bold words stay bold where lines are joined")
    func strongInBlocks() {
        let blocks = Markdown.blocks("One **two**\nand __three__\n\n- [x] **four**\n> **five**\n> six\n")
        let bold = blocks.map { block in
            block.bold.map { String(decoding: Array(block.text.utf8)[$0], as: UTF8.self) }
        }
        #expect(bold == [["two", "three"], ["four"], ["five"]])
        #expect(blocks.map(\.text) == ["One two and three", "four", "five six"])
    }

    @Test("Hard line ends are joined where the writer's program made them, and kept where a person did")
    func paragraphs() {
        let long = String(repeating: "words ", count: 10)
        #expect(Prose.blocks("\(long)\nmore\n\nnext").map(\.text) == [long + "more", "next"])
        #expect(Prose.blocks("Milk\nBread\n").map(\.text) == ["Milk\nBread"])
    }

    @Test(
        "Tables are read whatever separates their cells",
        arguments: [
            ("a,b\n1,2\n", nil, [["a", "b"], ["1", "2"]]), ("a;b\n1,5;2\n", nil, [["a", "b"], ["1,5", "2"]]),
            ("a\tb,c\n", "\t", [["a", "b,c"]]), ("\"a,\"\"b\"\"\",c\n\nd\n", nil, [["a,\"b\"", "c"], ["d", ""]]),
            ("\"open\nend", nil, [["open end"]]), ("a\"b,c", nil, [["a\"b", "c"]]),
            ("sep=;\na,b;c\n", nil, [["a,b", "c"]]), ("\"SEP=|\"\na|b\n", nil, [["a", "b"]]),
            ("sep=\t\na,b\tc\n", nil, [["a,b", "c"]]), ("sep=,x\n", nil, [["sep=", "x"]]),
            ("sep=\n,\n", nil, [["sep=", ""], ["", ""]]),
            ("\"a, b, c\";\"d\"\n\"e, f, g\";1\n", nil, [["a, b, c", "d"], ["e, f, g", "1"]]),
            ("a,b\n1,\"x;\ny; z;\n;\"\n2,\"p;q;r\"\n", nil, [["a", "b"], ["1", "x; y; z; ;"], ["2", "p;q;r"]]),
            ("# by, x\n# a\nid;n,m;k\n1;2,5;3\n", nil, [["id", "n,m", "k"], ["1", "2,5", "3"]]),
            ("#id,n\n1,2\n", nil, [["#id", "n"], ["1", "2"]]), ("# a\n# b\n", nil, [["# a"], ["# b"]]),
            ("#,Name\n1,Ann,\n", nil, [["#", "Name", ""], ["1", "Ann", ""]]),
            ("# Name,Age,\nBob,3,x\n", nil, [["# Name", "Age", ""], ["Bob", "3", "x"]]),
            ("#fff,white\n#000,black,dark\n", nil, [["#fff", "white", ""], ["#000", "black", "dark"]]),
            ("# by,,\n##x,y,\n#\na,b,c\n1,2,3\n", nil, [["a", "b", "c"], ["1", "2", "3"]]),
            (",,\n,\na,b\n", nil, [["a", "b"]]), ("a\t\"b\n\"c\td\" e\n", "\t", [["a", "\"b"], ["\"c", "d\" e"]]),
            ("a\t\"b\tc\"\n\"d\te\n", "\t", [["a", "b c"], ["\"d", "e"]]),
        ] as [(String, Character?, [[String]])])
    func tables(text: String, separator: Character?, rows: [[String]]) {
        #expect(DelimitedTable(text, separator: separator).rows == rows)
    }

    @Test("What a bank says in front of a table is no part of it, and does not hide what separates its cells")
    func introductions() {
        let head = ["Day", "To", "For", "Sum"]
        let rows = (1...9).map { ["\($0).1.", "A, B", "C", "-\($0),00"] }
        let table = ([head] + rows).map { $0.joined(separator: ";") }.joined(separator: "\n")
        #expect(
            DelimitedTable("Account;\"DE1 2,3\"\nFrom 1.1., to 9.1.\n\n;;;\n" + table, separator: nil).rows == [head]
                + rows)
        // Few columns, rows that are more than a name and its value, and nothing behind.
        for text in ["a\nb,c,d\n1,2,3\n4,5,6\n7,8,9\n", "a,b,c\n1,2,3,4,5\n1,2,3,4,5\n1,2,3,4,5\n", "a\nb,c,d,e\n"] {
            #expect(DelimitedTable(text, separator: nil).rows.count == text.count { $0 == "\n" })
        }
        // Rows of which some are longer: what has numbers in it heads no table.
        for text in [
            "id,comment\n1,nice\n2,well, it is good, ok\n3,yes, no, maybe\n4,a,b,c\n",
            "name,mail,,\nA,a@x\nB,b@x\nC,c,1,2\nD,d,1,2\nE,e,3,4\n",
        ] {
            let rows = DelimitedTable(text, separator: nil).rows
            #expect(rows.count == text.count { $0 == "\n" } && rows.first?.count == 4)
        }
    }

    @Test("Of two signs that stand in the rows, the one that parts the headings separates cells, if all rows have it")
    func headings() {
        let places =
            "Name;Street;Note\nA;Str. 1, Berlin\nB;Str. 2, Bonn;x\nC;Str. 3, Cologne\nD;Str. 4, Ulm;y\nE;Str. 5, Ulm\n"
        let rows = DelimitedTable(places, separator: nil).rows
        #expect(rows.map(\.count) == Array(repeating: 3, count: 6) && rows[1] == ["A", "Str. 1, Berlin", ""])
        let notes = "Name,Street,Note\n" + String(repeating: "A,b,c; d; e\n", count: 3) + "A,b; c\n"
        #expect(DelimitedTable(notes, separator: nil).rows[1] == ["A", "b", "c; d; e"])
        let remark = "Sums; in thousands; 2024\n" + String(repeating: "a,1,2\n", count: 5)
        #expect(DelimitedTable(remark, separator: nil).rows[1] == ["a", "1", "2"])
    }

    @Test func numbersAreKnown() {
        let table = DelimitedTable("name,sum,day\na,\"1,234.50 €\",2024-01-01\nb,-7%,x\n", separator: ",")
        #expect(table.isNumeric == [false, true, false])
        let gaps = DelimitedTable("sum,all,name\n(5.00),—,-\n−1,n/a,x\n-,NaN,y\n", separator: ",")
        #expect(gaps.isNumeric == [true, false, false])
    }

    @Test("JSON without line ends gets some")
    func json() {
        let text = #"{"a":[1,"x,\"{"],"b":{}}"#
        #expect(
            JSONIndenter.indented(text) == """
                {
                  "a": [
                    1,
                    "x,\\"{"
                  ],
                  "b": {
                \("    ")
                  }
                }
                """)
        #expect(JSONIndenter.indented("]]]") == "\n]\n]\n]")
    }

    @Test("Statements without line ends get some, and texts in them stay whole")
    func statements() {
        let text = "a{b:c;d:url(e;f)}for(;;){g(\"{;}'\");h(function(){i})}// {\n j"
        #expect(
            StatementIndenter.indented(text) == """
                a{
                  b:c;
                  d:url(e;f)
                }
                for(;;){
                  g("{;}'");
                  h(function(){
                    i
                  }
                  )
                }
                // {
                  j
                """)
        #expect(StatementIndenter.indented("}}'\n{").split(separator: "\n") == ["}", "}", "'", "{"])
        let rules = String(repeating: "a{b:c}", count: 100)
        #expect(CodeListing(rules, mimeType: "text/css").lines.prefix(3).map(\.text) == ["a{", "  b:c", "}"])
        #expect(CodeListing(rules, mimeType: "text/x-csrc").lines.count == 1)
        let notice = String(repeating: "// it's ours\n", count: 4)
        #expect(CodeListing(notice + rules, mimeType: "text/css").lines.dropFirst(4).first?.text == "a{")
    }

    @Test("Where a line ends what looked like a text, the next one is set as others are, and remarks stay as they are")
    func remarks() {
        #expect(
            StatementIndenter.indented("f(){\n    return /['\"]/.test(x);\n    }\ng")
                == "f(){\n  return /['\"]/.test(x);\n}\ng")
        #expect(
            StatementIndenter.indented("/*! it's\n    a;{b} */body{color:red;a:b}p{c:d}")
                == "/*! it's\n    a;{b} */body{\n  color:red;\n  a:b\n}\np{\n  c:d\n}\n")
        #expect(StatementIndenter.indented("a/*/;*/;b") == "a/*/;*/;\nb")
        // What is no remark, though it looks like the beginning of one: in a text, a line's remark, a set of letters.
        for text in ["'/*';b", "//*\n;b", "/[/*]/;b"] {
            #expect(StatementIndenter.indented(text).hasSuffix(";\nb"))
        }
    }

    @Test("Scripts and styles that a person wrote stay as they are, also with a picture or a text on one long line")
    func writtenByHand() {
        let data = String(repeating: "iVBORw0KGgo/", count: 100)
        let style = "a { b: c; d: e }\n\np {\n    f: url(\"data:image/png;base64,\(data)\");\n}\n"
        let listing = CodeListing(style, mimeType: "text/css").lines.map(\.text)
        #expect(listing.count == 5 && listing.first == "a { b: c; d: e }")
        let long = "f({" + String(repeating: "a: {b: 1}, ", count: 30) + "});\n"
        let script = String(repeating: "if (a) { b(); }\n", count: 25)
        #expect(CodeListing(script + long, mimeType: "application/javascript").lines.first?.text == "if (a) { b(); }")
    }

    @Test("Lines of chats are broken, those of tables are not")
    func chats() {
        let said = String(repeating: "[1.2.24, 10:00] Ann: \(String(repeating: "word ", count: 10))\n", count: 5)
        #expect(CodeListing(said, mimeType: "text/plain").lines.count == 10)
        let table = String(repeating: "word     \(String(repeating: "1 ", count: 30))\n", count: 5)
        #expect(CodeListing(table, mimeType: "text/plain").lines.count == 5)
    }

    @Test("Lines of logs are broken, those of code are not")
    func lines() {
        let line = String(repeating: "word ", count: 20)
        #expect(CodeListing(line, mimeType: "text/x-csrc").lines.count == 1)
        let log = CodeListing(line, mimeType: "text/x-log").lines.map(\.text)
        #expect(log.count == 3 && log.allSatisfy { $0.count <= 42 } && log[1].hasPrefix("  word"))
        let listing = CodeListing("\n\n/* a\n b */\nint c; // d\n// e\n\n", mimeType: "text/x-csrc").lines
        #expect(listing.map(\.isComment) == [true, true, false, true])
        let mixed = CodeListing("/* a */ int b;\nint c;\n/* d */\nint e;\n", mimeType: "text/x-csrc").lines
        #expect(mixed.map(\.isComment) == [false, false, true, false])
        #expect(CodeListing("a\tb\n", mimeType: "text/css").lines.map(\.text) == ["a   b"])
    }

    @Test("Prose is told from what has columns")
    func kinds() {
        #expect(TextKind("text/plain", "Some words, and more of them.\nAnd so on.") == .prose)
        #expect(TextKind("text/plain", "すべての人間は、自由であり、かつ、平等である。") == .prose)
        #expect(TextKind("text/plain", "a = 1;\nb = c[2] + {3};\n") == .code)
        #expect(TextKind("text/plain", "name      size\nfirst       12\nsecond      17\n") == .code)
        #expect(TextKind("text/css", "Some words.") == .code)
    }
}
