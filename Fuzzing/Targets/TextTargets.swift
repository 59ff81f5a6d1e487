@testable import TextRenderer

extension FuzzTarget {
    /// A text of Markdown.
    static let markdown = FuzzTarget(
        name: "markdown", maximumLength: 1 << 13,
        seeds: {
            [
                "---\ntitle: \"a\"\n---\n# b\n\nc **d** _e_ ~~f~~ `g` $h$ [i](j \"k\") ![l](m)\n\n* n\n  1. o\n\n    p\n",
                "| a | b |\n|:--|--:|\n| c \\| d | e |\n\n> [!NOTE] f\n> g\n\n```swift\nh\n```\n\ni\n===\n\n$$\nj\n$$\n",
                "::: tip a\nb\n```\nc\n```\n| d |\n|---|\n| e |\n:::\n\n!!! note \"f\"\n    g\n\n    # h\n\ni[^1] j\n\n[^1]: k\n",
                "<h1 align=center>a<br>b</h1>\n<!-- c\nd --> e\n<details><summary>f</summary>\n\n- [x] g<sup>2</sup> &amp;\n",
            ].map { Array($0.utf8) }
        },
        words: [
            "```", "~~~", "$$", ":::", "!!! a", "> ", "    ", "\n\n", "|---|", " | ", "[^1]:", "[^1]", "](", "**", "__",
            "~~", "<!--", "-->", "<li>", "</p>", "# ", "* ", "1. ", "\\", "\u{301}", "👨‍👩‍👧", "---\n", "===\n",
        ],
        check: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let blocks = Markdown.blocks(text)
            // One line may end one block and be two more; footnotes, of which there are no more than lines, come after.
            try hold(blocks.count <= 64 + 500, "\(blocks.count) blocks")
            let size = blocks.reduce(0) { $0 + $1.text.utf8.count }
            // Bytes that are no UTF-8 take three, and cells are set apart by blanks.
            try hold(size <= 16 * bytes.count + 64, "\(bytes.count) bytes became \(size) of text")
            for block in blocks {
                guard case .table(let table) = block.style else { continue }
                try hold(
                    1...40 ~= table.rows.count && table.columns <= 24,
                    "a table has \(table.rows.count) rows and \(table.columns) columns")
            }
        })

    /// A notebook of Jupyter, which may be cut off anywhere.
    static let notebook = FuzzTarget(
        name: "notebook", maximumLength: 1 << 13,
        seeds: {
            [
                #"{"cells":[{"cell_type":"markdown","source":["> a\n","b"]},{"cell_type":"code","source":"c","outputs":[]}]}"#,
                #"{"cells":[{"cell_type":"code","outputs":[{"data":{"image/png":"AQID","text/plain":["<d>"]}}]}],"metadata":{}}"#,
                #"{"worksheets":[{"cells":[{"cell_type":"heading","level":3,"source":"e"},{"input":"f","cell_type":"code"}]}]}"#,
                #"\#u{FEFF}{"cells":[{"cell_type":"code","outputs":[{"evalue":"PRIVATE KEY---- b:\nPRIVATE KEY---- c:\n"}]}]}"#,
            ].map { Array($0.utf8) }
        },
        words: [
            "{", "}", "[", "]", "\"", ",", ":", "\\", "\\u00e4", "\"cells\":[", "\"outputs\":[", "\"text\":",
            "\"source\":",
            "\"name\":\"stderr\"", "\"evalue\":", "\"attachments\":{", "\"image/jpeg\":", "\n",
            "PRIVATE KEY----", " a:\\n",
        ],
        check: { bytes in
            let notebook = Notebook(bytes)
            let size = notebook.blocks.reduce(0) { $0 + $1.text.utf8.count + $1.picture.count }
            // Bytes that are no UTF-8 take three, and cells of tables are set apart by blanks.
            try hold(size <= 16 * bytes.count + 64, "\(bytes.count) bytes became \(size)")
            try hold(notebook.text.utf8.count <= 4 * bytes.count, "the text is longer than the notebook")
            try hold(notebook.blocks.count <= 700, "\(notebook.blocks.count) blocks")
            // A key may be there; looking for it has to end.
            _ = PrivateKey.isHeld(in: notebook.text)
        })

    /// A table whose cells are separated by a character. The first byte says whether it is known by which.
    static let delimitedTable = FuzzTarget(
        name: "delimited-table", maximumLength: 1 << 13,
        seeds: {
            [
                "0# by a program\na,b,c\n1,\"x, \"\"y\"\"\nz\",2.5\n-,n/a,€ 3\n", "0sep=;\na;b\n1;2\n",
                "1##x\na\tb\n#1\t2\n", "0\"a\"|\"b\"\n\n\"c", "0#,Name\n1,Ann,\n2,Bo,,,\n",
            ].map { Array($0.utf8) }
        },
        words: [",", ";", "\t", "|", "\"", "\"\"", "\n", "\r\n", "#", "## ", "sep=", "1e9", "\u{A0}", "\u{301}"],
        check: { bytes in
            guard let kind = bytes.first else { return }
            let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
            let table = DelimitedTable(text, separator: kind == UInt8(ascii: "1") ? "\t" : nil)
            let columns = table.isNumeric.count
            try hold(table.rows.count <= 41 && columns <= 24, "\(table.rows.count) rows and \(columns) columns")
            try hold(table.rows.allSatisfy { $0.count == columns }, "rows are of several lengths")
            try hold(table.rows.joined().allSatisfy { $0.count <= 80 }, "a cell is too long")
        })
}
