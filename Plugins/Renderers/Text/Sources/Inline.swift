internal import MIME

/// Reads the words of a line of Markdown.
enum Inline {
    /// Takes the marks of emphasis, code, links, pictures and HTML away, and puts characters in the place of references to them.
    static func plain(_ line: some StringProtocol) -> String { words(line).text }

    /// The same, with what is strongly emphasized: between two marks of a kind that stand there twice (CommonMark, 6.2).
    static func words(_ line: some StringProtocol) -> InlineText {
        var result = ""
        var bold: [Range<Int>] = []
        var boldStart: Int?
        var rest = Substring(line)
        var isStruck = false
        while let first = rest.first {
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
            if let (text, end) = marked(rest) {
                result += text
                rest = rest[end...]
                continue
            }
            rest = rest.dropFirst()
            switch first {
            case "*": continue
            case "~" where rest.first == "~" && (isStruck || rest.dropFirst().contains("~~")):
                // Of two pairs the words between are struck out.
                isStruck.toggle()
                rest = rest.dropFirst()
            case "_" where result.last?.isLetter != true || rest.first?.isLetter != true: continue
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
        return InlineText(text: result, bold: bold).trimmed
    }

    /// Whether a text begins with a mark that stands there twice. Two lines below between letters belong to the word.
    private static func isStrong(_ text: Substring, behind last: Character?) -> Bool {
        if text.hasPrefix("**") { return true }
        return text.hasPrefix("__") && !(last?.isLetter == true && text.dropFirst(2).first?.isLetter == true)
    }

    /// What a construct at the beginning says, and where it ends.
    private static func marked(_ text: Substring) -> (text: String, end: Substring.Index)? {
        switch text.first {
        case "<":
            // A tag or a comment; an address in angles stays.
            guard let next = text.dropFirst().first, next.isLetter || next == "/" || next == "!",
                let close = text.firstIndex(of: ">")
            else { return nil }
            let inside = text[text.index(after: text.startIndex)..<close]
            return (inside.contains("://") || inside.contains("@") ? String(inside) : "", text.index(after: close))
        case "!": return text.dropFirst().first == "[" ? link(text.dropFirst()).map { ("", $0.end) } : nil
        case "[": return link(text)
        case "`": return code(text)
        case "&":
            guard let end = text.prefix(12).firstIndex(of: ";") else { return nil }
            let reference = text[...end]
            let meaning = HTMLText.withoutReferences(String(reference))
            return meaning.elementsEqual(reference) ? nil : (meaning, text.index(after: end))
        default: return nil
        }
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

    /// `[words](address)` or `[words][name]`.
    private static func link(_ text: Substring) -> (text: String, end: Substring.Index)? {
        var depth = 0
        var close: Substring.Index?
        for index in text.indices.prefix(500) {
            if text[index] == "[" { depth += 1 }
            if text[index] == "]" { depth -= 1 }
            if depth == 0 {
                close = index
                break
            }
        }
        guard let close else { return nil }
        let words = text[text.index(after: text.startIndex)..<close]
        let after = text[text.index(after: close)...]
        guard let open = after.first, open == "(" || open == "[",
            let end = after.firstIndex(of: open == "(" ? ")" : "]")
        else { return nil }
        // A picture with a link around it says nothing in words.
        return (words.hasPrefix("![") ? "" : plain(words), after.index(after: end))
    }
}
