public import VitrineKit

/// An item that was found.
public struct FoundItem: Hashable, Sendable {
    /// Where the words were found; the first is the best.
    public enum Match: String, Comparable, Sendable {
        /// All of them in the item's name.
        case name
        /// All of them in the name or the title that the document gives itself.
        case title
        /// Some in its text.
        case text

        private var order: Int { self == .name ? 0 : self == .title ? 1 : 2 }
        /// Better ones first.
        public static func < (one: Match, other: Match) -> Bool { one.order < other.order }
    }

    /// Its number.
    public var id: ItemID
    /// The URI of its source.
    public var source: String
    /// Where it lies in its source.
    public var path: ItemPath
    /// Bytes of content, if that is known.
    public var size: Int64?
    /// When it last changed, if that is known.
    public var modified: Timestamp?
    /// Its MIME type, once it was opened.
    public var type: String?
    /// Where the words were found.
    public var match: Match
    /// The title that the document gives itself, as it stands there: it may hold anything.
    public var title: String?
    /// Some words of the text around what was found; as they stand there, on one line.
    public var snippet: String?
    /// Its previews.
    public var previews: [PreviewRecord]
}
