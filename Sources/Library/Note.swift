public import VitrineKit

/// What the user wrote about an item or a collection.
public struct Note: Hashable, Sendable {
    /// Its number, which no other note ever gets.
    public var id: Int64
    /// What it belongs to.
    public var subject: LibrarySubject
    /// One line.
    public var title: String
    /// Any text; may be empty.
    public var text: String
    /// When it was written.
    public var created: Timestamp
    /// When it was last changed.
    public var modified: Timestamp

    /// The most characters of a title.
    public static let maximumTitle = 200

    /// The most bytes of a text: 1 MiB.
    public static let maximumText = 1 << 20

    /// - Throws: `invalidArgument` when title or text are not allowed.
    static func check(title: String, text: String) throws(PluginError) {
        guard !title.allSatisfy(\.isWhitespace) else {
            throw PluginError(.invalidArgument, "a note needs a title")
        }
        guard title.count <= maximumTitle, title.utf8.count <= 4 * maximumTitle else {
            throw PluginError(.invalidArgument, "the title of a note has at most \(maximumTitle) characters")
        }
        guard DisplayText.of(title) == title else {
            throw PluginError(
                .invalidArgument, "the title '\(DisplayText.of(title))' holds a control character; it is one line")
        }
        guard text.utf8.count <= maximumText else {
            throw PluginError(.invalidArgument, "the text of a note has at most \(maximumText) bytes")
        }
        guard !text.utf8.contains(0) else {
            throw PluginError(.invalidArgument, "the text of the note holds a NUL byte: it is no text")
        }
    }
}
