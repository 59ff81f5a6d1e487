import Catalog

/// What was known of a file at its old place.
struct MovedItem: Sendable {
    /// Its old URI.
    var uri: String
    /// Its old name.
    var name: [UInt8]
    /// The scheme of its old source.
    var scheme: String
    /// The previews that it had there.
    var previews: [PreviewRecord]
    /// Whether the work on it had come to an end that still counts.
    var isSettled: Bool
    /// What people call such items, if that is known.
    var title: String?
}
