internal import MIME

/// Reads the words of a line of Markdown.
enum Inline {
    /// Takes the marks of emphasis, code, links, pictures and HTML away, and puts characters in the place of references to them.
    /// - Parameter notes: of the whole text.
    /// - Returns: one line.
    static func plain(_ line: some StringProtocol, _ notes: MarkdownNotes = MarkdownNotes()) -> String {
        words(line, notes).text.replacing("\n", with: " ")
    }

    /// The same, with what is strongly emphasized: between two marks of a kind that stand there twice (CommonMark, 6.2); with what
    /// is struck out, and the ends of lines that tags make.
    static func words(_ line: some StringProtocol, _ notes: MarkdownNotes = MarkdownNotes()) -> InlineText {
        var result = ""
        var bold: [Range<Int>] = []
        var boldStart: Int?
        var rest = Substring(line).prefix(longestLine)
        var struck: [Range<Int>] = []
        var struckStart: Int?
        while let first = rest.first {
            if let sign = sign(rest, behind: result.last) {
                result += sign
                rest = rest[sign.endIndex...]
                continue
            }
            if isStrong(rest, behind: result.last) {
                rest = rest.dropFirst(2)
                if let start = boldStart {
                    bold.append(start..<result.utf8.count)
                    boldStart = nil
                } else if rest.first?.isWhitespace == false {
                    boldStart = result.utf8.count
                }
                continue
            }
            if let (text, end) = marked(rest, notes, behind: result.last) {
                result += text
                rest = rest[end...]
                continue
            }
            rest = rest.dropFirst()
            switch first {
            case "*", "_":
                // Between letters one below the line belongs to the word.
                if first == "_", isInWord(result.last, rest.first) { result.append(first) }
            case "~" where rest.first == "~" && (struckStart != nil || rest.dropFirst().contains("~~")):
                // Of two pairs the words between are struck out.
                if let start = struckStart { struck.append(start..<result.utf8.count) }
                struckStart = struckStart == nil ? result.utf8.count : nil
                rest = rest.dropFirst()
            case "\\":
                // A mark that is meant as it stands.
                if let next = rest.first, next.isPunctuation || next.isSymbol {
                    result.append(next)
                    rest = rest.dropFirst()
                } else {
                    result.append(first)
                }
            default: result.append(first)
            }
        }
        return InlineText(text: result, bold: bold, struck: struck).trimmed
    }

    /// What would be marks, but stands between blanks, as signs do.
    private static func sign(_ text: Substring, behind last: Character?) -> Substring? {
        guard last?.isWhitespace == true, let first = text.first, first == "*" || first == "_" else { return nil }
        let sign = text.prefix(3).prefix { $0 == first }
        return sign.count < 3 && text[sign.endIndex...].first?.isWhitespace == true ? sign : nil
    }

    private static func isInWord(_ before: Character?, _ after: Character?) -> Bool {
        guard let before, let after else { return false }
        return (before.isLetter || before.isNumber) && (after.isLetter || after.isNumber)
    }

    /// Whether a text begins with a mark that stands there twice. Two lines below between letters belong to the word.
    private static func isStrong(_ text: Substring, behind last: Character?) -> Bool {
        text.hasPrefix("**") || text.hasPrefix("__") && !isInWord(last, text.dropFirst(2).first)
    }

    /// What a construct at the beginning says, and where it ends.
    private static func marked(
        _ text: Substring, _ notes: MarkdownNotes, behind last: Character?
    ) -> (text: String, end: Substring.Index)? {
        switch text.first {
        case "<": return tag(text)
        case "!": return text.dropFirst().first == "[" ? link(text.dropFirst(), notes).map { ("", $0.end) } : nil
        case "[": return note(text, notes) ?? link(text, notes)
        case "`": return code(text)
        case "$": return last?.isLetter == true || last?.isNumber == true ? nil : formula(text)
        case "&":
            guard let end = text.prefix(12).firstIndex(of: ";") else { return nil }
            let reference = text[...end]
            let meaning = HTMLText.withoutReferences(String(reference))
            return meaning.elementsEqual(reference) ? nil : (meaning, text.index(after: end))
        default: return nil
        }
    }

    /// A tag or a comment; an address in angles stays.
    private static func tag(_ text: Substring) -> (text: String, end: Substring.Index)? {
        guard let next = text.dropFirst().first, next.isLetter || next == "/" || next == "!",
            let close = text.prefix(longestLink).firstIndex(of: ">")
        else { return nil }
        let inside = text[text.index(after: text.startIndex)..<close]
        let end = text.index(after: close)
        let name = inside.lowercased()
        switch name {
        case "br", "br/", "br /": return ("\n", end)
        case "sup", "sub":
            let content = text[end...].prefix { $0 != "<" }
            let small = name == "sup" ? MarkdownNotes.raised(content) : MarkdownNotes.lowered(content)
            return (small ?? "", small == nil ? end : content.endIndex)
        default: return (inside.contains("://") || inside.contains("@") ? String(inside) : "", end)
        }
    }

    /// A reference to a footnote, which stands there as its number.
    private static func note(
        _ text: Substring, _ notes: MarkdownNotes
    ) -> (text: String, end: Substring.Index)? {
        guard text.hasPrefix("[^"), let close = text.prefix(82).firstIndex(of: "]"),
            let number = notes.number(text[..<close].dropFirst(2)), let raised = MarkdownNotes.raised("\(number)")
        else { return nil }
        return (raised, text.index(after: close))
    }

    /// A formula between dollars, in which nothing else is a mark. Sums of money have blanks or digits behind the second one.
    private static func formula(_ text: Substring) -> (text: String, end: Substring.Index)? {
        let marks = text.hasPrefix("$$") ? 2 : 1
        let rest = text.dropFirst(marks).prefix(longestCode)
        guard rest.first?.isWhitespace == false, let close = rest.firstIndex(of: "$"), close > rest.startIndex,
            let last = rest[..<close].last, !last.isWhitespace, last != "\\"
        else { return nil }
        let after = text[close...].dropFirst(marks)
        guard text[close...].prefix(marks).allSatisfy({ $0 == "$" }),
            after.first.map({ $0.isLetter || $0.isNumber }) != true
        else { return nil }
        return (String(rest[..<close]), after.startIndex)
    }

    /// Code between as many marks as it begins with, in which nothing else is a mark (CommonMark, 6.1). Marks that nothing ends are
    /// left out.
    private static func code(_ text: Substring) -> (text: String, end: Substring.Index) {
        let marks = text.prefix { $0 == "`" }
        var rest = text[marks.endIndex...].prefix(longestCode)
        let start = rest.startIndex
        while let mark = rest.firstIndex(of: "`") {
            let end = rest[mark...].prefix { $0 == "`" }
            if end.count == marks.count { return (String(text[start..<mark].trimmingBlanks), end.endIndex) }
            rest = rest[end.endIndex...]
        }
        return ("", marks.endIndex)
    }

    /// Letters of code in a line within which its end is looked for.
    private static let longestCode = 500

    /// `[words](address)`, `[words][name]`, or `[name]` of a link that is told elsewhere.
    private static func link(
        _ text: Substring, _ notes: MarkdownNotes
    ) -> (text: String, end: Substring.Index)? {
        guard let close = end(of: text, "[", "]") else { return nil }
        let words = text[text.index(after: text.startIndex)..<close]
        let after = text[text.index(after: close)...]
        let end =
            switch after.first {
            case "(": self.end(of: after, "(", ")")
            case "[": self.end(of: after, "[", "]")
            default: notes.isLink(words) ? close : nil
            }
        guard let end else { return nil }
        // A picture with a link around it says nothing in words.
        return (words.hasPrefix("![") ? "" : plain(words, notes), text.index(after: end))
    }

    /// Where what a bracket begins is ended by its like.
    private static func end(of text: Substring, _ open: Character, _ close: Character) -> Substring.Index? {
        var depth = 0
        var isEscaped = false
        for index in text.indices.prefix(longestLink) {
            let letter = text[index]
            if letter == open, !isEscaped { depth += 1 }
            if letter == close, !isEscaped { depth -= 1 }
            if depth == 0 { return index }
            isEscaped = letter == "\\" && !isEscaped
        }
        return nil
    }

    /// Letters of a line that are read: more than a page has.
    private static let longestLine = 8000

    /// Letters of a link's words, of its address, and of a tag.
    private static let longestLink = 1000
}
