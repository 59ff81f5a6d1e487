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
        /// Lines that code wrote.
        case output
        /// A picture, without text.
        case picture
        /// A line across the page, without text.
        case rule
        /// Cells in columns.
        case table(MarkdownTable)
    }

    var text: String
    var style: Style
    /// What of the text is bold, in bytes of its UTF-8.
    var bold: [Range<Int>]
    /// What is struck out.
    var struck: [Range<Int>] = []
    /// The picture that it is, in JPEG or PNG.
    var picture: [UInt8] = []

    init(_ text: String, _ style: Style = .body, bold: [Range<Int>] = []) {
        self.text = text
        self.style = style
        self.bold = bold
    }

    init(picture: [UInt8]) {
        self.init("", .picture)
        self.picture = picture
    }

    init(_ words: InlineText, _ style: Style) {
        self.init(words.text, style, bold: words.bold)
        struck = words.struck
    }

    /// Adds words behind a blank, or on a line of their own where the text ends with a line.
    mutating func add(_ words: InlineText) {
        var all = InlineText(text: text, bold: bold, struck: struck)
        if !text.isEmpty, !text.hasSuffix("\n"), !text.hasSuffix(" ") { all.text += " " }
        all.append(words)
        (text, bold, struck) = (all.text, all.bold, all.struck)
    }

    /// Adds a line of code.
    mutating func addLine(_ line: Substring) { text = text.isEmpty ? String(line) : text + "\n" + line }
}
