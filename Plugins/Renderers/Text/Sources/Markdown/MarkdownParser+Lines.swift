/// What a line of Markdown is by itself.
extension MarkdownParser {
    static func isUnderline(_ words: Substring) -> Bool {
        words.allSatisfy { $0 == "=" } || words.allSatisfy { $0 == "-" }
    }

    static func isRule(_ words: Substring) -> Bool {
        let marks = words.filter { $0 != " " }
        guard marks.count >= 3, let first = marks.first, "-*_".contains(first) else { return false }
        return marks.allSatisfy { $0 == first }
    }

    static func indent(of line: Substring) -> Int {
        line.prefix { $0 == " " }.count + 4 * line.prefix { $0 == "\t" }.count
    }

    static func isCode(_ line: Substring) -> Bool { line.hasPrefix("    ") || line.hasPrefix("\t") }

    static func dedented(_ line: Substring) -> String { String(line.dropFirst(line.first == "\t" ? 1 : 4)) }

    /// Whether a line ends what is set apart by colons.
    static func endsAside(_ line: Substring) -> Bool {
        let words = line.trimmingBlanks
        return words.hasPrefix(":::") && words.allSatisfy { $0 == ":" }
    }
}
