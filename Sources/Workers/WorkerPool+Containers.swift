public import VitrineKit

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
