/// Where the time of one item went.
public struct StageTimes: Sendable {
    /// Looking into the cache.
    public var lookup: Duration = .zero
    /// Opening the item, reading its head, finding its type.
    public var sniff: Duration = .zero
    /// Waiting for a turn.
    public var wait: Duration = .zero
    /// Getting a warm worker.
    public var start: Duration = .zero
    /// Waiting for ranges of an item that lies elsewhere.
    public var read: Duration = .zero
    /// In the renderer.
    public var render: Duration = .zero
    /// Scaling and encoding.
    public var encode: Duration = .zero
    /// Checking and writing.
    public var store: Duration = .zero
    /// All together, from the item's turn to its end.
    public var total: Duration = .zero
}
