/// Finds the paragraphs of a plain text.
enum Prose {
    /// Lines of at least so many letters were broken by a program or by habit; shorter ones end where they are meant to.
    private static let brokenLine = 45
    /// More than a page has.
    private static let limit = 60

    static func blocks(_ text: String) -> [TextBlock] {
        var blocks: [TextBlock] = []
        var paragraph = ""
        var lastLength = 0
        func end() {
            if !paragraph.isEmpty { blocks.append(TextBlock(paragraph)) }
            paragraph = ""
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if blocks.count >= limit { break }
            let words = line.trimmingBlanks
            if words.isEmpty {
                end()
            } else if !paragraph.isEmpty, lastLength >= brokenLine {
                // Scripts without blanks between words have none at the end of a line.
                let isIdeographic = paragraph.unicodeScalars.last.map { $0.value >= 0x2E80 } ?? false
                paragraph += (isIdeographic ? "" : " ") + words
            } else if paragraph.isEmpty {
                paragraph = String(words)
            } else {
                paragraph += "\n" + words
            }
            lastLength = words.unicodeScalars.count
        }
        end()
        return blocks
    }
}

extension StringProtocol {
    /// The text without blanks at either end.
    var trimmingBlanks: SubSequence {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
        return start[...last]
    }
}
