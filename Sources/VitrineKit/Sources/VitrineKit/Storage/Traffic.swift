/// What a source was asked for, and how long its answers took.
public struct Traffic: Hashable, Sendable {
    /// Requests that were sent, those that were sent again included.
    public var requests: Int
    /// How many of them were sent again, since the first try failed.
    public var retries: Int
    /// Bytes that came, heads of answers included.
    public var bytesReceived: Int64
    /// The time of all requests together, from sending to the last byte. Requests at the same time count each.
    public var time: Duration

    /// Creates figures.
    public init(requests: Int = 0, retries: Int = 0, bytesReceived: Int64 = 0, time: Duration = .zero) {
        self.requests = requests
        self.retries = retries
        self.bytesReceived = bytesReceived
        self.time = time
    }

    /// What was asked for between an earlier look and this one.
    public func since(_ earlier: Traffic) -> Traffic {
        Traffic(
            requests: requests - earlier.requests, retries: retries - earlier.retries,
            bytesReceived: bytesReceived - earlier.bytesReceived, time: time - earlier.time)
    }
}
