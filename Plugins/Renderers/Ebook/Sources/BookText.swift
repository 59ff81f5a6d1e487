internal import VitrineKit

/// Gathers the words of a book's pages, line by line, until there are enough.
final class BookText {
    private var gathered = ""
    private var line = ""
    /// Depth inside of what is not read: heads, styles, scripts.
    private var hidden = 0

    private static let unread: Set = ["head", "style", "script", "binary", "description"]
    /// What ends a line: of HTML, and of FictionBook.
    private static let blocks: Set = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "div", "tr", "br", "blockquote", "title", "v", "subtitle",
        "section",
    ]

    /// Whether more would not be kept.
    var isFull: Bool { gathered.utf8.count >= Facts.textLimit }

    /// What was gathered; `nil` for nothing.
    var text: String? { gathered.isEmpty ? nil : Facts.bounded(gathered) }

    /// - Returns: whether there is room for more.
    func take(_ event: XMLEvents.Event) -> Bool {
        switch event {
        case .start(let name, _):
            if Self.unread.contains(name) { hidden += 1 }
            if Self.blocks.contains(name) { endLine() }
        case .end(let name):
            if Self.unread.contains(name) { hidden = max(0, hidden - 1) }
            if Self.blocks.contains(name) { endLine() }
        case .text(let part):
            if hidden == 0, line.utf8.count < Facts.textLimit { line += part }
        }
        return !isFull
    }

    /// Ends a page, whatever was left open.
    func endPart() {
        hidden = 0
        endLine()
    }

    private func endLine() {
        if let words = Facts.line(line, limit: Facts.textLimit) { gathered += words + "\n" }
        line = ""
    }
}
