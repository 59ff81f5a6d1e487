/// A paragraph of a text and how it is set.
struct TextBlock: Equatable {
    enum Style: Equatable {
        case body
        /// A heading of a level from 1 to 6.
        case heading(Int)
        /// An item of a list.
        /// - Parameters:
        ///   - marker: what stands before it.
        ///   - depth: 0 for the outermost list.
        case item(marker: String, depth: Int)
        case quote
        /// Lines that stay lines.
        case code
        /// A line across the page, without text.
        case rule
        /// Cells in columns.
        case table(MarkdownTable)
    }

    var text: String
    var style: Style
    /// What of the text is bold, in bytes of its UTF-8.
    var bold: [Range<Int>]

    init(_ text: String, _ style: Style = .body, bold: [Range<Int>] = []) {
        self.text = text
        self.style = style
        self.bold = bold
    }

    /// Adds words behind a blank.
    mutating func add(_ words: InlineText) {
        let shift = text.utf8.count + 1
        text += " " + words.text
        bold += words.bold.map { $0.lowerBound + shift..<$0.upperBound + shift }
    }
}
