/// Finds the blocks of a Markdown text, as CommonMark has them: near enough for a picture, and never at a loss.
enum Markdown {
    /// More than a page has.
    private static let limit = 60

    static func blocks(_ text: String) -> [TextBlock] {
        var parser = Parser()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if parser.blocks.count >= limit { break }
            parser.take(line)
        }
        parser.end()
        return parser.blocks
    }

    private struct Parser {
        var blocks: [TextBlock] = []
        private var open: TextBlock?
        private var fence: Character?
        private var isFrontMatter = false
        private var lines = 0
        /// The last line, if it may be the head of a table, and what was open before it.
        private var head: (line: Substring, before: TextBlock?)?

        mutating func take(_ line: Substring) {
            lines += 1
            let words = line.trimmingBlanks
            // Settings that generators of web sites put in front.
            if lines == 1, words == "---" {
                isFrontMatter = true
            } else if isFrontMatter {
                isFrontMatter = words != "---"
            } else if let fence {
                takeCode(line, words, fence)
            } else if open?.style == .code, words.isEmpty || Self.isCode(line) {
                open?.text += "\n" + Self.dedented(line)
            } else {
                takeText(line, words)
            }
        }

        mutating func end() {
            if let block = open, !block.text.isEmpty {
                let last = block.text.lastIndex { !$0.isWhitespace } ?? block.text.startIndex
                blocks.append(TextBlock(String(block.text[...last]), block.style, bold: block.bold))
            }
            open = nil
        }

        private mutating func takeCode(_ line: Substring, _ words: Substring, _ fence: Character) {
            if words.count >= 3, words.allSatisfy({ $0 == fence }) {
                self.fence = nil
                return end()
            }
            let text = open.map { $0.text.isEmpty ? "" : $0.text + "\n" } ?? ""
            open = TextBlock(text + line, .code)
        }

        private mutating func takeText(_ line: Substring, _ words: Substring) {
            let head = head
            self.head = nil
            if words.isEmpty { return end() }
            if case .table = open?.style, !words.hasPrefix("|") { end() }
            if let first = words.first, first == "`" || first == "~", words.prefix(3).allSatisfy({ $0 == first }),
                words.count >= 3
            {
                end()
                fence = first
                open = TextBlock("", .code)
            } else if let heading = Self.heading(words) {
                end()
                blocks.append(heading)
            } else if words.count >= 3 || words == "=", Self.isUnderline(words), underline(words) {
                return
            } else if Self.isRule(words) {
                end()
                blocks.append(TextBlock("", .rule))
            } else if let item = Self.item(line) {
                end()
                open = item
            } else if words.hasPrefix(">") {
                // Whatever is quoted in it is one with it.
                let quote = Inline.words(words.drop { $0 == ">" || $0.isWhitespace })
                if open?.style != .quote { end() }
                add(quote, .quote)
            } else if words.hasPrefix("|") {
                takeRow(words, below: head)
            } else if Self.isCode(line), open == nil {
                open = TextBlock(Self.dedented(line), .code)
            } else {
                let text = Inline.words(words)
                if text.text.isEmpty { return }
                if open?.style == .code { end() }
                add(text, .body)
            }
        }

        /// A line that begins with a bar: a row, or of a paragraph, unless the line below it says how its columns are aligned.
        private mutating func takeRow(_ line: Substring, below head: (line: Substring, before: TextBlock?)?) {
            if case .table(var table) = open?.style {
                if table.isFull { return }
                table.take(line)
                open = TextBlock(table.text, .table(table))
            } else if let head, let table = MarkdownTable(head: head.line, line) {
                open = head.before
                end()
                open = TextBlock(table.text, .table(table))
            } else {
                if open?.style == .code { end() }
                self.head = (line, open)
                add(Inline.words(line), .body)
            }
        }

        /// Adds words to the open block, or opens one.
        private mutating func add(_ words: InlineText, _ style: TextBlock.Style) {
            if open == nil {
                open = TextBlock(words.text, style, bold: words.bold)
            } else {
                open?.add(words)
            }
        }

        /// A line of = or - below a paragraph makes a heading of it.
        private mutating func underline(_ words: Substring) -> Bool {
            guard let block = open, block.style == .body else { return false }
            blocks.append(TextBlock(block.text, .heading(words.first == "=" ? 1 : 2)))
            open = nil
            return true
        }

        private static func isUnderline(_ words: Substring) -> Bool {
            words.allSatisfy { $0 == "=" } || words.allSatisfy { $0 == "-" }
        }

        private static func isRule(_ words: Substring) -> Bool {
            let marks = words.filter { $0 != " " }
            guard marks.count >= 3, let first = marks.first, "-*_".contains(first) else { return false }
            return marks.allSatisfy { $0 == first }
        }

        private static func isCode(_ line: Substring) -> Bool { line.hasPrefix("    ") || line.hasPrefix("\t") }

        private static func dedented(_ line: Substring) -> String { String(line.dropFirst(line.first == "\t" ? 1 : 4)) }

        private static func heading(_ words: Substring) -> TextBlock? {
            let level = words.prefix { $0 == "#" }.count
            let rest = words.dropFirst(level)
            guard 1...6 ~= level, rest.first?.isWhitespace == true else { return nil }
            let text = Inline.plain(rest.trimmingBlanks)
            let title = text.unicodeScalars.last == "#" ? String(text.prefix { $0 != "#" }.trimmingBlanks) : text
            return title.isEmpty ? nil : TextBlock(title, .heading(level))
        }

        private static func item(_ line: Substring) -> TextBlock? {
            let indent = line.prefix { $0 == " " }.count + 4 * line.prefix { $0 == "\t" }.count
            let words = line.trimmingBlanks
            let number = words.prefix { $0.isASCII && $0.isNumber }
            let rest = words.dropFirst(max(1, number.count))
            var marker = "•"
            let text: Substring
            if 1...9 ~= number.count, let dot = rest.first, dot == "." || dot == ")" {
                marker = number + "."
                text = rest.dropFirst()
            } else if let first = words.first, "-*+".contains(first) {
                text = rest
            } else {
                return nil
            }
            guard text.first?.isWhitespace == true else { return nil }
            let inline = Inline.words(text.trimmingBlanks)
            return TextBlock(
                checked(inline.text), .item(marker: marker, depth: min(3, indent / 2)), bold: inline.bold)
        }

        /// Boxes to tick, as many bytes as what they are written with.
        private static func checked(_ text: String) -> String {
            if text.hasPrefix("[ ] ") { return "☐ " + text.dropFirst(4) }
            return text.hasPrefix("[x] ") || text.hasPrefix("[X] ") ? "☑ " + text.dropFirst(4) : text
        }
    }
}
