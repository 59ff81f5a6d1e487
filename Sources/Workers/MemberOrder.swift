import CPlatform
import WorkerWire

/// Members of a container that are to be unpacked in one pass.
public struct MemberOrder: Sendable {
    /// Where each lies, and the most bytes that are taken of it, in the container's order; at most ``maximumParts``.
    public var parts: [(place: UInt64, limit: Int64)]
    /// The position in `parts` of the one that is asked for.
    public var wanted: Int

    /// The most members of one order.
    public static let maximumParts = UnpackJob.maximumParts

    /// Creates an order.
    public init(parts: [(place: UInt64, limit: Int64)], wanted: Int) {
        self.parts = parts
        self.wanted = wanted
    }
}
