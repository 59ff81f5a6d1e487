/// Where in the two stores an entry lies.
enum CachePlace: Hashable, Sendable {
    /// A size folder of the thumbnail standard.
    case standard(PreviewSize)
    /// Vitrine's own store.
    case own
    /// The failures of a program and version, by the folder's name.
    case failures(String)
}
