/// How far copying has come.
public struct CopyProgress: Sendable {
    /// The destination's URI.
    public var destination: String
    /// Files whose work has ended, however it ended.
    public var done = 0
    /// Files found so far.
    public var found = 0
    /// Whether all files have been found, so that `found` and `size` are final.
    public var foundAll = false
    /// Bytes that are at the destination, those of files under way included.
    public var bytes: Int64 = 0
    /// Bytes of the files found so far, as far as their sizes are known.
    public var size: Int64 = 0
    /// Bytes a second, over the last seconds.
    public var rate = 0.0
    /// Seconds until the end, once that can be told.
    public var secondsLeft: Double?
    /// The file that was begun last, by its own URI.
    public var current: String?
}
