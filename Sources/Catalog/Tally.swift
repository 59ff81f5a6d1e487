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

/// How the work on an item ended.
public enum ItemState: Int64, Sendable {
    /// It has not been worked on since it appeared or changed.
    case pending = 0
    /// It has previews.
    case made = 1
    /// It has none, for a reason that stays.
    case failed = 2
    /// No previews are made of such a file.
    case skipped = 3
}
