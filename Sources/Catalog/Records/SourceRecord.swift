/// What the catalog knows of a source.
public struct SourceRecord: Hashable, Sendable {
    /// How the last look at it went.
    public enum State: Int64, Sendable {
        /// It was never looked at.
        case new = 0
        /// All of it was seen.
        case complete = 1
        /// Some of its folders could not be listed; what the catalog knows of them is kept.
        case partial = 2
        /// It could not be reached, or its disk is not mounted; all that the catalog knows of it is kept.
        case absent = 3
        /// The look was stopped before its end.
        case interrupted = 4
        /// It was moved as a whole, and nobody has looked at its new place yet.
        case moved = 5
        /// All of it is at another place, but what vanished from it before still has its time of grace.
        case left = 6
    }

    /// Its number.
    public let id: SourceID
    /// Its URI.
    public let uri: String
    /// Its root folder.
    public let root: FolderID
    /// How the last look went.
    public var state: State
    /// Why it is not complete.
    public var reason: String?
    /// When all of it was last seen, in seconds since 1970; `nil` for never.
    public var indexed: Int64?
    /// When it was last looked at, in seconds since 1970; `nil` for never.
    public var checked: Int64?
}
