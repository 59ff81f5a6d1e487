/// Words of a line of Markdown without the marks, and what those said of them.
struct InlineText: Equatable {
    var text = ""
    /// What of the text is bold, in bytes of its UTF-8.
    var bold: [Range<Int>] = []

    /// Without blanks at both ends.
    var trimmed: InlineText {
        let kept = text.trimmingBlanks
        let start = text[..<kept.startIndex].utf8.count
        let all = 0..<kept.utf8.count
        let moved = bold.map { ($0.lowerBound - start..<$0.upperBound - start).clamped(to: all) }
        return InlineText(text: String(kept), bold: moved.filter { !$0.isEmpty })
    }
}
