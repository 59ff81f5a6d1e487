import CPlatform
import Glibc
public import VitrineKit
import WorkerWire

/// A container as a worker reads it.
public struct ContainerInput: Sendable {
    /// Open for reading; borrowed, and only used until the call returns.
    public var input: CInt
    /// Fills `input` as the reader asks for ranges of it; `nil` for a file, which is there whole.
    public var ranges: (any RangeProvider)?

    /// Creates an input.
    public init(input: CInt, ranges: (any RangeProvider)? = nil) {
        self.input = input
        self.ranges = ranges
    }
}

/// What a container holds, as its worker says: nobody vouches for any of it.
public struct MemberList: Sendable {
    /// The members, in the container's order.
    public var members: [ContainerMember]
    /// How they are read, and what ended the list too early.
    public var outline: ContainerOutline

    /// The most members that are listed.
    public static let memberLimit = MemberTable.memberLimit

    /// Creates a list.
    public init(members: [ContainerMember], outline: ContainerOutline) {
        self.members = members
        self.outline = outline
    }
}

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

/// What was unpacked.
public struct UnpackedMembers: Sendable {
    /// The member that was asked for, or why it cannot be had.
    public var wanted: Result<MemberMemory, PluginError>
    /// Those that were read ahead, by their position in the order. Some may be missing.
    public var others: [(index: Int, bytes: [UInt8])]
}

extension WorkerPool {
    /// Lists what a container holds.
    /// - Throws: what the reader said (`corrupt`, `locked`, `limitExceeded`), what its input threw, and as
    ///   ``render(_:by:failed:)`` does.
    public func list(
        _ container: ContainerInput, by specification: WorkerSpecification
    ) async throws(PluginError) -> MemberList {
        try await serve(specification) { process, _ in await process.list(container) }
    }

    /// Unpacks members of a container.
    /// - Throws: as ``list(_:by:)``. What is wrong with the wanted member alone is in the result.
    public func unpack(
        _ order: MemberOrder, of container: ContainerInput, by specification: WorkerSpecification
    ) async throws(PluginError) -> UnpackedMembers {
        try await serve(specification) { process, _ in await process.unpack(order, of: container) }
    }
}

/// A member's content, in memory that nobody can write to any more. Given back when the last reference goes.
public final class MemberMemory: Sendable {
    /// Open for reading.
    public let fd: CInt
    /// Bytes.
    public let size: Int64

    /// Makes the memory.
    /// - Parameters:
    ///   - size: in bytes.
    ///   - fill: writes all of it to a descriptor.
    /// - Throws: `workerLost` without memory, or what `fill` throws.
    public init(size: Int64, _ fill: (CInt) throws(PluginError) -> Void) throws(PluginError) {
        let memory = vp_growing_memory("vitrine-member")
        guard memory >= 0 else { throw Self.lack(-memory, size) }
        defer { close(memory) }
        try fill(memory)
        fd = vp_finished_memory(memory)
        guard fd >= 0 else { throw Self.lack(-fd, size) }
        self.size = size
    }

    deinit { close(fd) }

    private static func lack(_ failure: CInt, _ size: Int64) -> PluginError {
        // The item is not to blame, whatever the errno says.
        let reason = PluginError(errno: failure, "cannot make \(size) bytes of memory for a member of an archive")
        return PluginError(.workerLost, reason.message)
    }
}
