/// A moment in time as file systems keep it, counted from 1970-01-01T00:00:00Z; may be negative.
@frozen
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Whole seconds, rounded down.
    public var seconds: Int64
    /// The rest in nanoseconds, 0 to 999,999,999.
    public var nanoseconds: UInt32

    /// Creates a moment.
    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Earlier before later.
    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
    }
}
