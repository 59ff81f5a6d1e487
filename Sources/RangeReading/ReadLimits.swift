/// How much may be read of storages that are not on this machine.
public struct ReadLimits: Sendable {
    /// Bytes of one item. Renderers that cannot ask for ranges get an item only if all of it is no more.
    public var perItem: Int64
    /// All items of a run together.
    public var run: ByteAllowance

    /// 64 MiB.
    public static let standardPerItem: Int64 = 64 << 20

    /// Creates limits.
    /// - Parameters:
    ///   - perItem: in bytes. Default: 64 MiB.
    ///   - run: shared by all items of a run. Default: no limit.
    public init(perItem: Int64 = standardPerItem, run: ByteAllowance = ByteAllowance()) {
        self.perItem = perItem
        self.run = run
    }
}
