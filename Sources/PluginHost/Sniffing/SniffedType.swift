/// The type of an item and how it was found.
public struct SniffedType: Hashable, Sendable {
    /// How a type was found.
    public enum Evidence: String, Hashable, Sendable {
        /// By the bytes that a plugin's manifest names.
        case magic
        /// By the content, as the shared MIME database or the inside of a container tells.
        case content
        /// By the name: the content does not contradict it, but does not say so either.
        case name
    }

    /// The MIME type, in lower case.
    public let mimeType: String
    /// How it was found.
    public let found: Evidence

    /// Creates a result.
    public init(mimeType: String, found: Evidence) {
        self.mimeType = mimeType
        self.found = found
    }
}
