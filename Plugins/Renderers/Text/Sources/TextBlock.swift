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
    }

    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .body) {
        self.text = text
        self.style = style
    }
}
