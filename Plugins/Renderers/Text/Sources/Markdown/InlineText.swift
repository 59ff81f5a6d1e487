/// Words of a line of Markdown without the marks, and what those said of them.
struct InlineText: Equatable {
    var text = ""
    /// What of the text is bold, in bytes of its UTF-8.
    var bold: [Range<Int>] = []
    /// What is struck out.
    var struck: [Range<Int>] = []

    /// Adds words.
    mutating func append(_ words: InlineText) {
        let shift = text.utf8.count
        func moved(_ range: Range<Int>) -> Range<Int> { range.lowerBound + shift..<range.upperBound + shift }
        text += words.text
        bold += words.bold.map(moved)
        struck += words.struck.map(moved)
    }

    /// Without blanks at both ends.
    var trimmed: InlineText {
        let kept = text.trimmingBlanks
        let start = text[..<kept.startIndex].utf8.count
        let all = 0..<kept.utf8.count
        func moved(_ ranges: [Range<Int>]) -> [Range<Int>] {
            ranges.map { ($0.lowerBound - start..<$0.upperBound - start).clamped(to: all) }.filter { !$0.isEmpty }
        }
        return InlineText(text: String(kept), bold: moved(bold), struck: moved(struck))
    }
}
