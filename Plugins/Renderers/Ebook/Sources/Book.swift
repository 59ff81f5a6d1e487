internal import VitrineKit

/// What is known of a book.
struct Book {
    var title: String?
    var author: String?
    /// When it was published.
    var created: FactDate?
    /// How its text begins, when that was asked for.
    var text: String?
    /// The cover's file: a picture in a format of its own.
    var cover: [UInt8]?

    /// A title or a name on one line; `nil` when there is none.
    static func line(_ text: String) -> String? {
        let words = text.split { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.value < 32 } }
        let line = String(words.joined(separator: " ").prefix(500))
        return line.isEmpty ? nil : line
    }
}
