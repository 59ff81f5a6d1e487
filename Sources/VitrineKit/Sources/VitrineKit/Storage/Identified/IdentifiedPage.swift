/// Some of the items of a folder.
public struct IdentifiedPage: Hashable, Sendable {
    /// The items, in the service's order.
    public var items: [IdentifiedItem]
    /// Where the next page begins; `nil` behind the last one.
    public var next: String?

    /// Creates a page.
    public init(items: [IdentifiedItem], next: String? = nil) {
        self.items = items
        self.next = next
    }
}
