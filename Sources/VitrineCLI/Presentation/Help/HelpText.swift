/// Texts as a terminal of some width shows them, without a word that is torn apart.
enum HelpText {
    /// Two columns. What is too wide for the first has a line of its own.
    /// - Parameters:
    ///   - rows: a name, and what it means.
    ///   - width: columns of all.
    static func table(_ rows: [(name: String, meaning: String)], width: Int) -> String {
        // The meaning has more than half of the line.
        let widest = rows.map(\.name.columns).filter { $0 <= width / 2 - 4 }.max() ?? 0
        return rows.map { row in
            let margin = String(repeating: " ", count: widest + 4)
            let lines = row.meaning.broken(to: width - widest - 4).joined(separator: "\n" + margin)
            if row.name.columns > widest { return "  \(row.name)\n\(margin)\(lines)" }
            return "  \(row.name.padded(to: widest))  \(lines)"
        }
        .joined(separator: "\n")
    }
}

extension String {
    /// Breaks a paragraph into lines, anew where it was broken before. What is longer than a line stays as it is.
    /// - Parameters:
    ///   - width: columns of a line.
    ///   - indent: spaces before every line but the first. Default: none.
    func wrapped(to width: Int, indent: Int = 0) -> String {
        broken(to: width, indent: indent).joined(separator: "\n" + String(repeating: " ", count: indent))
    }

    /// The same as lines, without the spaces before them.
    func broken(to width: Int, indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(whereSeparator: \.isWhitespace) {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if line.isEmpty || longer.columns <= width - (lines.isEmpty ? 0 : indent) {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }
}
