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
    /// Whether it and another one have taken each other's names: previews stay where they are then. Default: no.
    var isExchanged = false
    /// What people call such items, if that is known.
    var title: String?
}
