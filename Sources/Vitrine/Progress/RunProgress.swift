/// How far a run has come.
public struct RunProgress: Sendable {
    /// The sources of the run.
    public var sources: [String]
    /// Items whose work has ended, however it ended.
    public var done = 0
    /// Items found so far.
    public var found = 0
    /// Whether all items have been found, so that `found` is the final number.
    public var foundAll = false
    /// Bytes of the items that previews were made of.
    public var bytes: Int64 = 0
    /// Items a second, over the last seconds.
    public var rate = 0.0
    /// Seconds until the end, once that can be told.
    public var secondsLeft: Double?
    /// The item whose work began last.
    public var current: String?

    /// Creates a progress of zero.
    public init(sources: [String]) { self.sources = sources }
}
