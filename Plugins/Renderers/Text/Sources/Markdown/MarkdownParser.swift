/// Reads a Markdown text line by line.
struct MarkdownParser {
    private(set) var blocks: [TextBlock] = []
    private let notes: MarkdownNotes
    private var open: TextBlock?
    /// What ends the code that is open, and how far that is indented.
    private var fence: (mark: Character, indent: Int)?
    private var isInComment = false
    /// The last line, if it may be the head of a table, and what was open before it.
    private var head: (line: Substring, before: TextBlock?)?
    /// Where what is indented below belongs to an item: how deep that lies, and of which footnote it is.
    private var item: (depth: Int, footnote: Int?)?
    /// The footnote that is open, and those that are read, by their numbers.
    private var footnote: Int?
    private var footnotes: [(number: Int, block: TextBlock)] = []
    /// What is set apart with a title, and by what its end is told.
    private var aside: Aside?

    /// Lines to come that end what is set apart.
    private var ends: Int

    /// That of a line that never comes is its first paragraph's.
    private enum Aside { case indented, fenced, unended }

    /// - Parameters:
    ///   - notes: of the whole text.
    ///   - ends: how many of its lines ``endsAside(_:)`` is true of.
    init(_ notes: MarkdownNotes, ends: Int) {
        self.notes = notes
        self.ends = ends
    }

    /// Takes the next line.
    mutating func take(_ whole: Substring) {
        if Self.endsAside(whole) { ends -= 1 }
        if let fence { return takeCode(whole, fence) }
        let isCode = Self.isCode(whole) && (open == nil || open?.style == .code)
        guard let line = isCode ? whole : withoutComments(whole) else { return }
        let words = line.trimmingBlanks
        if open?.style == .code, words.isEmpty || Self.isCode(line) {
            open?.text += "\n" + Self.dedented(line)
        } else {
            takeText(line, words)
        }
    }

    /// Ends the text.
    /// - Returns: its blocks; what stands at the foot comes last.
    mutating func finish() -> [TextBlock] {
        end()
        guard !footnotes.isEmpty else { return blocks }
        // The order of parts of one note stays.
        let sorted = footnotes.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
        return blocks + [TextBlock("", .rule)] + sorted.map(\.element.block)
    }

    private mutating func end() {
        defer { (open, footnote) = (nil, nil) }
        guard var block = open, let last = block.text.lastIndex(where: { !$0.isWhitespace }) else { return }
        block.text = String(block.text[...last])
        if case .heading = block.style { block = TextBlock(block.text.replacing("\n", with: " "), block.style) }
        if let footnote {
            footnotes.append((footnote, block))
        } else {
            blocks.append(block)
        }
    }

    private mutating func takeCode(_ line: Substring, _ fence: (mark: Character, indent: Int)) {
        let words = line.trimmingBlanks
        let isMath = fence.mark == "$"
        if isMath ? words.hasSuffix("$$") : words.count >= 3 && words.allSatisfy({ $0 == fence.mark }) {
            self.fence = nil
            if isMath, words.count > 2 { open?.addLine(words.dropLast(2)) }
            return end()
        }
        let indent = line.prefix(fence.indent).prefix { $0 == " " }
        open?.addLine(line[indent.endIndex...])
    }

    /// The line without comments; `nil` where nothing else is in it.
    private mutating func withoutComments(_ whole: Substring) -> Substring? {
        guard isInComment || whole.contains("<!--") else { return whole }
        var (rest, kept) = (whole, "")
        while true {
            if isInComment {
                guard let end = rest.firstRange(of: "-->") else { break }
                rest = rest[end.upperBound...]
                isInComment = false
            }
            // Not one that code mentions.
            guard let start = rest.firstRange(of: "<!--"),
                rest[..<start.lowerBound].count(where: { $0 == "`" }).isMultiple(of: 2)
            else {
                kept += rest
                break
            }
            kept += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            isInComment = true
        }
        return kept.trimmingBlanks.isEmpty ? nil : kept[...]
    }

    private mutating func takeText(_ line: Substring, _ words: Substring) {
        let (head, last) = (head, item)
        self.head = nil
        if words.isEmpty {
            if case .item(_, let depth) = open?.style { item = (depth, footnote) }
            return takeGap()
        }
        item = nil
        if let aside, takeAside(line, words, aside, below: head) { return }
        if case .table = open?.style, !words.contains("|") { end() }
        if takeNote(line, words) || takeContinuation(line, words, last) { return }
        if takeFence(line, words) { return }
        if let heading = heading(words) {
            end()
            blocks.append(heading)
        } else if words.count >= 3 || words == "=", Self.isUnderline(words), underline(words) {
            return
        } else if Self.isRule(words) {
            end()
            blocks.append(TextBlock("", .rule))
        } else if let item = item(line) {
            end()
            open = item
        } else if words.hasPrefix(">") {
            takeQuote(words)
        } else if Self.isCode(line), open == nil {
            open = TextBlock(Self.dedented(line), .code)
        } else if words.hasPrefix("|") || words.contains(" | ") || head != nil && MarkdownTable.isRuling(words) {
            takeRow(words, line, below: head)
        } else if !takeMark(words) {
            takeWords(line, words)
        }
    }

    /// Words of a paragraph, with the tags of HTML that make blocks.
    private mutating func takeWords(_ line: Substring, _ words: Substring) {
        if open?.style == .code { end() }
        let tag = MarkdownTag(words)
        if let tag {
            end()
            switch tag {
            case .heading(let level): open = TextBlock("", .heading(level))
            case .item: open = TextBlock("", .item(marker: "•", depth: 0))
            case .rule: blocks.append(TextBlock("", .rule))
            case .other: break
            }
        }
        let text = inline(words, of: line)
        if !text.text.isEmpty { add(text, .body) }
        if MarkdownTag.isEnded(in: words) { end() }
    }

    /// What a label stands for, which is drawn at the foot, or not at all where it is an address.
    private mutating func takeNote(_ line: Substring, _ words: Substring) -> Bool {
        guard !Self.isCode(line), let definition = MarkdownNotes.definition(words) else { return false }
        if !definition.isFootnote { return open == nil }
        guard let number = notes.number(definition.label), let marker = MarkdownNotes.raised("\(number)") else {
            return false
        }
        end()
        let text = inline(definition.rest, of: line)
        open = TextBlock(text, .item(marker: marker, depth: 0))
        footnote = number
        return true
    }

    /// A further paragraph of an item.
    private mutating func takeContinuation(
        _ line: Substring, _ words: Substring, _ item: (depth: Int, footnote: Int?)?
    ) -> Bool {
        guard let item, 2...(5 + 2 * item.depth) ~= Self.indent(of: line), open == nil, self.item(line) == nil,
            !["```", "~~~", "$$", ">", "|", "#", "<"].contains(where: { words.hasPrefix($0) })
        else { return false }
        open = TextBlock(inline(words, of: line), .item(marker: "", depth: item.depth))
        footnote = item.footnote
        return true
    }

    /// The beginning of code, or of a formula.
    private mutating func takeFence(_ line: Substring, _ words: Substring) -> Bool {
        guard let first = words.first else { return false }
        if first == "`" || first == "~", words.prefix(3).count(where: { $0 == first }) == 3 {
            // All of it may stand on one line.
            if first == "`", words.drop(while: { $0 == "`" }).contains("`") { return false }
        } else if words.hasPrefix("$$") {
            let formula = words.dropFirst(2)
            if formula.contains("$$") {
                guard formula.hasSuffix("$$"), formula.count > 2 else { return false }
                end()
                blocks.append(TextBlock(String(formula.dropLast(2).trimmingBlanks), .code))
                return true
            }
        } else {
            return false
        }
        end()
        fence = (first, Self.indent(of: line))
        open = TextBlock(first == "$" ? String(words.dropFirst(2)) : "", .code)
        return true
    }

    private mutating func takeQuote(_ words: Substring) {
        // Whatever is quoted in it is one with it.
        let quoted = words.drop { $0 == ">" || $0.isWhitespace }
        if open?.style != .quote {
            end()
            if quoted.hasPrefix("[!"), let close = quoted.firstIndex(of: "]") {
                let kind = quoted[..<close].dropFirst(2)
                let title = quoted[close...].dropFirst().drop { $0 == "-" || $0 == "+" }.trimmingBlanks
                if kind.count <= 20, !kind.isEmpty, kind.allSatisfy({ $0.isLetter || $0 == "-" }) {
                    return openAside(kind, title)
                }
            }
        }
        takeQuoted(quoted)
    }

    /// Words that are quoted, or set apart; a list among them has lines of its own.
    private mutating func takeQuoted(_ words: Substring) {
        if words.isEmpty {
            if open?.style == .quote { open?.text += "\n" }
        } else if let item = item(words), case .item(let marker, _) = item.style {
            var text = InlineText(text: marker + " ")
            text.append(InlineText(text: item.text, bold: item.bold, struck: item.struck))
            if open?.style == .quote, open?.text.hasSuffix("\n") == false { open?.text += "\n" }
            add(text, .quote)
        } else {
            add(inline(words, of: words), .quote)
        }
    }

    /// Begins what is set apart: with a title, or else the word for its kind, in bold.
    private mutating func openAside(_ kind: some StringProtocol, _ title: Substring) {
        end()
        let word = kind.prefix(1).uppercased() + kind.dropFirst().lowercased()
        let text = title.isEmpty ? word : Inline.plain(title, notes)
        open = TextBlock(text + "\n", .quote, bold: [0..<text.utf8.count])
    }

    /// An empty line.
    private mutating func takeGap() {
        if open?.style == .quote, aside != nil {
            // A title alone is no paragraph.
            if aside != .unended || open?.text.dropLast().contains("\n") != true {
                open?.text += "\n"
                return
            }
        }
        end()
        if aside == .unended { aside = nil }
    }

    /// A line of what is set apart. Code, headings and tables in it are blocks of their own, between which it goes on.
    /// - Returns: whether it is one.
    private mutating func takeAside(
        _ line: Substring, _ words: Substring, _ aside: Aside, below head: (line: Substring, before: TextBlock?)?
    ) -> Bool {
        if aside == .indented, Self.indent(of: line) < 2 {
            end()
            self.aside = nil
            return false
        }
        if aside != .indented, words.hasPrefix(":::") {
            end()
            self.aside = nil
            return takeMark(words)
        }
        var isTable = head != nil && MarkdownTable.isRuling(words)
        if case .table = open?.style { isTable = words.contains("|") }
        if words.hasPrefix("|") || isTable {
            if open?.style == .quote { end() }
            takeRow(words, line, below: head)
            return true
        }
        if open?.style != .quote { end() }
        if takeFence(line, words) { return true }
        if let heading = heading(words) {
            end()
            blocks.append(heading)
        } else {
            takeQuoted(words)
        }
        return true
    }

    /// What generators of web sites put on a line by itself: the beginning of what is set apart, attributes, includes, and the
    /// place of the table of contents.
    private mutating func takeMark(_ words: Substring) -> Bool {
        for (mark, kind) in [("!!! ", Aside.indented), ("??? ", .indented), (":::", .fenced)]
        where words.hasPrefix(mark) {
            let rest = words.drop { "!?:+ ".contains($0) }
            let name = rest.prefix { $0.isLetter || $0 == "-" }
            guard !name.isEmpty else { return kind == .fenced && words.allSatisfy { $0 == ":" } }
            let title = rest[name.endIndex...].trimmingBlanks
            openAside(name, title.hasPrefix("{") ? "" : title.filter { $0 != "\"" }[...])
            aside = kind == .fenced && ends <= 0 ? .unended : kind
            return true
        }
        if words.hasPrefix(": "), let term = open, term.style == .body {
            // What a word means, below it.
            open?.bold = [0..<term.text.utf8.count]
            end()
            open = TextBlock(inline(words.dropFirst(2).trimmingBlanks, of: words), .item(marker: "", depth: 0))
            return true
        }
        let isAlone = [("{%", "%}"), ("{:", "}"), ("{{<", ">}}"), ("{{%", "%}}")].contains {
            words.hasPrefix($0.0) && words.hasSuffix($0.1)
        }
        return isAlone || ["[toc]", "[[toc]]", "[[_toc_]]"].contains(words.lowercased())
    }

    /// A line with a bar: a row, or of a paragraph, unless the line below it says how its columns are aligned.
    private mutating func takeRow(
        _ words: Substring, _ line: Substring, below head: (line: Substring, before: TextBlock?)?
    ) {
        if case .table(var table) = open?.style {
            if table.isFull { return }
            table.take(words, notes)
            open = TextBlock(table.text, .table(table))
        } else if let head, let table = MarkdownTable(head: head.line, words, notes) {
            open = head.before
            end()
            open = TextBlock(table.text, .table(table))
        } else {
            if open?.style == .code { end() }
            self.head = (words, open)
            add(inline(words, of: line), .body)
        }
    }

    /// The words of a line, and whether another line begins behind them.
    private func inline(_ words: Substring, of line: Substring) -> InlineText {
        let isEscaped = words.hasSuffix("\\") && !words.hasSuffix("\\\\")
        var text = Inline.words(isEscaped ? words.dropLast() : words, notes)
        let breaks = isEscaped || line.hasSuffix("  ") || MarkdownTag.breaksLine(behind: words)
        if breaks, !text.text.isEmpty { text.text += "\n" }
        return text
    }

    /// Adds words to the open block, or opens one.
    private mutating func add(_ words: InlineText, _ style: TextBlock.Style) {
        if open == nil {
            open = TextBlock(words, style)
        } else {
            open?.add(words)
        }
    }

    /// A line of = or - below a paragraph makes a heading of it.
    private mutating func underline(_ words: Substring) -> Bool {
        guard let block = open, block.style == .body else { return false }
        open = TextBlock(block.text, .heading(words.first == "=" ? 1 : 2))
        end()
        return true
    }

    private func heading(_ words: Substring) -> TextBlock? {
        let level = words.prefix { $0 == "#" }.count
        var rest = words.dropFirst(level).trimmingBlanks
        guard 1...6 ~= level, words.dropFirst(level).first?.isWhitespace == true else { return nil }
        // An anchor that some put behind it.
        if rest.hasSuffix("}"), let mark = rest.firstRange(of: " {#") { rest = rest[..<mark.lowerBound] }
        let text = Inline.plain(rest, notes)
        let title = text.unicodeScalars.last == "#" ? String(text.prefix { $0 != "#" }.trimmingBlanks) : text
        return title.isEmpty ? nil : TextBlock(title, .heading(level))
    }

    private func item(_ line: Substring) -> TextBlock? {
        let indent = Self.indent(of: line)
        let words = line.trimmingBlanks
        let number = words.prefix { $0.isASCII && $0.isNumber }
        let rest = words.dropFirst(max(1, number.count))
        var marker = "•"
        var text: Substring
        if 1...9 ~= number.count, let dot = rest.first, dot == "." || dot == ")" {
            marker = number + "."
            text = rest.dropFirst()
        } else if let first = words.first, "-*+".contains(first) {
            text = rest
        } else {
            return nil
        }
        guard text.first?.isWhitespace == true else { return nil }
        text = text.trimmingBlanks
        // Boxes to tick.
        if let (mark, box) = [("[ ] ", "☐"), ("[x] ", "☑"), ("[X] ", "☑")].first(where: { text.hasPrefix($0.0) }) {
            marker = box
            text = text.dropFirst(mark.count).trimmingBlanks
        }
        return TextBlock(inline(text, of: line), .item(marker: marker, depth: min(3, indent / 2)))
    }
}
