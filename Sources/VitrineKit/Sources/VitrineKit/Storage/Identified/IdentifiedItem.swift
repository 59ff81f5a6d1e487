/// A file or folder of a service that knows it by an id.
public struct IdentifiedItem: Hashable, Sendable {
    /// What the service calls it for ever: 1 to 256 printable characters of ASCII.
    public var id: String
    /// The folder that it lies in; `nil` where the service does not say.
    public var parent: String?
    /// What is known of it. From a service with the name as it is written there; from the tree with the name that it has
    /// in paths, and with an ``Entry/identifier`` that is made of the id.
    public var entry: Entry

    /// Describes an item.
    public init(id: String, parent: String? = nil, entry: Entry) {
        self.id = id
        self.parent = parent
        self.entry = entry
    }
}
