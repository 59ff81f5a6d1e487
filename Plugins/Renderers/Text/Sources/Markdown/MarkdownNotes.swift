/// What a Markdown text says in one place for others: footnotes, and where links of a name lead.
struct MarkdownNotes {
    /// Footnotes by their labels, counted as they are referred to.
    private var numbers: [Substring: Int] = [:]
    /// The names of links, in small letters.
    private var links: Set<String> = []

    /// More than a page has, and letters of a label.
    private static let most = 500, longestLabel = 80

    /// No notes.
    init() {}

    /// Looks for them in a text, but for what is code.
    init(_ text: String) {
        var order: [Substring] = []
        var defined: Set<Substring> = []
        var fence: Character?
        for line in text.split(separator: "\n") where order.count + links.count < Self.most {
            let words = line.trimmingBlanks
            let mark = words.first.flatMap { $0 == "`" || $0 == "~" ? $0 : nil }
            if let mark, words.prefix(3).count(where: { $0 == mark }) == 3 {
                if fence == nil { fence = mark } else if fence == mark { fence = nil }
                continue
            }
            if fence != nil { continue }
            var rest = words
            if let definition = Self.definition(words) {
                if definition.isFootnote {
                    defined.insert(definition.label)
                } else {
                    links.insert(definition.label.lowercased())
                }
                rest = definition.rest
            }
            while let start = rest.firstRange(of: "[^") {
                rest = rest[start.upperBound...]
                let label = rest.prefix(Self.longestLabel).prefix { $0 != "]" && !$0.isWhitespace }
                if rest[label.endIndex...].first == "]" { order.append(label) }
            }
        }
        for label in order + defined.sorted() where defined.contains(label) && numbers[label] == nil {
            numbers[label] = numbers.count + 1
        }
    }

    /// The number of a footnote, which is its label where that is a number of a note that is not in this part of the text.
    /// - Returns: `nil` when there is no such note.
    func number(_ label: Substring) -> Int? {
        if let number = numbers[label] { return number }
        return label.count <= 3 && label.allSatisfy { $0.isASCII && $0.isNumber } ? Int(label) : nil
    }

    /// Whether it is told elsewhere where a link of this name leads.
    func isLink(_ name: Substring) -> Bool { links.contains(name.lowercased()) }

    /// A line that says what a label stands for: `[^label]: text` or `[label]: address`.
    static func definition(_ words: Substring) -> (label: Substring, isFootnote: Bool, rest: Substring)? {
        guard words.hasPrefix("["), let close = words.prefix(longestLabel + 3).firstIndex(of: "]"),
            words[close...].hasPrefix("]:")
        else { return nil }
        let isFootnote = words.hasPrefix("[^")
        let label = words[..<close].dropFirst(isFootnote ? 2 : 1)
        let rest = words[close...].dropFirst(2).trimmingBlanks
        guard !label.isEmpty, isFootnote ? !label.contains(where: \.isWhitespace) : isAddress(rest) else { return nil }
        return (label, isFootnote, rest)
    }

    /// An address without blanks, or in angles, with a title behind it or not.
    private static func isAddress(_ text: Substring) -> Bool {
        let end = text.hasPrefix("<") ? text.firstIndex(of: ">") : text.firstIndex(where: \.isWhitespace)
        guard let end else { return !text.isEmpty }
        let title = text[end...].dropFirst().trimmingBlanks
        return title.first.map { "\"'(".contains($0) } ?? true
    }

    /// A number, or digits with signs, in small letters above the line.
    static func raised(_ text: some StringProtocol) -> String? { letters(text, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻") }

    /// The same below the line.
    static func lowered(_ text: some StringProtocol) -> String? { letters(text, "₀₁₂₃₄₅₆₇₈₉₊₋") }

    private static func letters(_ text: some StringProtocol, _ small: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= 8 else { return nil }
        let pairs = zip("0123456789+-", small)
        let found = text.compactMap { letter in pairs.first { $0.0 == letter }?.1 }
        return found.count == text.count ? String(found) : nil
    }
}
