/// How many items of a folder ended how.
public struct Tally: Hashable, Sendable {
    /// The renderer's title, such as "PDF documents"; `nil` for items that nothing renders.
    public var title: String?
    /// How they ended.
    public var state: ItemState
    /// How many there are.
    public var count: Int

    /// Creates a tally.
    public init(title: String?, state: ItemState, count: Int) {
        self.title = title
        self.state = state
        self.count = count
    }
}
