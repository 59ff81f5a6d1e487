/// What ``StreamProxy`` does to one turn of a conversation: what a client says, and what it is answered.
public enum StreamFault: Sendable, Hashable {
    /// The answer is held back for so long.
    case delay(Duration)
    /// The connection is torn down after so many bytes of the answer; with none, the server never hears what was said.
    case reset(after: Int)
    /// The connection ends as the server ends it, after so many bytes of the answer.
    case cut(after: Int)
    /// After so many bytes of the answer nothing more comes, until the client gives up.
    case stall(after: Int)
}

/// A turn of a conversation that goes through ``StreamProxy``: the first one of a connection is the server's greeting, a
/// further one begins when a client that was answered speaks again.
public struct ProxiedTurn: Sendable, Hashable {
    /// Which one it is of all connections, from 0.
    public var number: Int
    /// Which connection it belongs to, from 0.
    public var connection: Int
    /// Which one of its connection it is, from 0.
    public var turn: Int
}
