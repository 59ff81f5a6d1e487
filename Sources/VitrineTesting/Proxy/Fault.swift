/// What ``FaultProxy`` does to one request.
public enum Fault: Sendable, Hashable {
    /// The answer is held back for so long.
    case delay(Duration)
    /// The connection is torn down instead of an answer.
    case reset
    /// The server is asked, and does what it is asked to; the connection is torn down instead of its answer.
    case lose
    /// An answer of the proxy's own; the server is not asked.
    case answer(status: Int, headers: [String], body: String = "")
    /// After so many bytes of the body nothing more comes, until the client gives up.
    case stall(after: Int)
    /// The connection ends after so many bytes of the body.
    case truncate(after: Int)
    /// Fields of a head that never ends.
    case endlessHead
    /// The answer has these fields instead of those of the same names.
    case replace(headers: [String])

    /// The server has had enough: 429 or 503, with a time to wait.
    public static func throttle(_ status: Int = 429, retryAfter seconds: Int) -> Fault {
        .answer(status: status, headers: ["Retry-After: \(seconds)"])
    }

    /// A redirect to another place.
    public static func redirect(to location: String) -> Fault {
        .answer(status: 302, headers: ["Location: \(location)"])
    }
}

/// A request that came to ``FaultProxy``.
public struct ProxiedRequest: Sendable, Hashable {
    /// Which one it was since the proxy was started, from 0.
    public var number: Int
    /// Its method.
    public var method: String
    /// Path and query as they were sent.
    public var target: String
    /// Its fields, names in lower case.
    public var headers: [String: String]
}
