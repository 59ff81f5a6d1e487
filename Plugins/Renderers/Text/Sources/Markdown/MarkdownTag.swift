/// A tag of HTML at the beginning of a line of Markdown that begins a block.
enum MarkdownTag: Equatable {
    case heading(Int)
    case item
    case rule
    /// A paragraph or what holds some.
    case other

    private static let names: Set = [
        "p", "div", "center", "details", "summary", "ul", "ol", "dl", "dt", "dd", "table", "thead", "tbody", "tr",
        "blockquote",
        "section",
    ]

    /// - Returns: `nil` for a line that begins with something else.
    init?(_ words: Substring) {
        guard words.hasPrefix("<") else { return nil }
        let rest = words.dropFirst()
        let isEnd = rest.hasPrefix("/")
        let name = rest.drop { $0 == "/" }.prefix(12).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
        if name.count == 2, name.hasPrefix("h"), let level = name.last?.wholeNumberValue, 1...6 ~= level {
            self = isEnd ? .other : .heading(level)
        } else if name == "li" {
            self = isEnd ? .other : .item
        } else if name == "hr" {
            self = .rule
        } else if Self.names.contains(name) {
            self = .other
        } else {
            return nil
        }
    }

    /// Whether a line ends a heading, a paragraph or the like.
    static func isEnded(in words: Substring) -> Bool {
        guard words.contains("</") else { return false }
        return words.contains(/<\/(?:h[1-6]|p|li|summary|div|td|th|dt|dd)>/.ignoresCase())
    }

    /// Whether a line ends with the tag for a new one.
    static func breaksLine(behind words: Substring) -> Bool {
        let end = words.suffix(6).lowercased()
        return end.hasSuffix("<br>") || end.hasSuffix("<br/>") || end.hasSuffix("<br />")
    }
}
