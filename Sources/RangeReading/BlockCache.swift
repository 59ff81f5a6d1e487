import Synchronization
public import VitrineKit

/// Keeps what was read of items on servers, in blocks: the last ones in memory, more of them on disk.
///
/// It is a cache in every sense: what cannot be kept is read again, and what is damaged is not there. May be used from
/// many tasks at once, and its folder by several processes.
public final class BlockCache: Sendable {
    /// Bytes of a block; the last one of an item has fewer.
    public static let block: Int64 = 64 << 10

    private struct Key: Hashable {
        var version: ItemVersion
        var index: Int64
    }
    /// Blocks by age: when the young ones fill their half, they become the old ones, and those are dropped.
    private struct Memory {
        var young: [Key: [UInt8]] = [:]
        var old: [Key: [UInt8]] = [:]
        var youngBytes = 0

        /// Drops all other blocks.
        mutating func keep(_ isWanted: (Key) -> Bool) {
            young = young.filter { isWanted($0.key) }
            old = old.filter { isWanted($0.key) }
            youngBytes = young.values.reduce(0) { $0 + $1.count }
        }
    }

    private let memory = Mutex(Memory())
    private let memoryLimit: Int
    /// Bytes that are kept at once, at least.
    public let capacity: Int64
    /// Where blocks are kept on disk; `nil`: nowhere.
    public let folder: String?
    private let disk: BlockFolder?

    /// Creates a cache.
    /// - Parameters:
    ///   - folder: where blocks are kept on disk, made when there is something to keep; `nil`: nowhere.
    ///   - memoryLimit: bytes in memory. Default: 32 MiB.
    ///   - diskLimit: bytes on disk; 0: none. Default: 512 MiB.
    public init(folder: String?, memoryLimit: Int = 32 << 20, diskLimit: Int64 = 512 << 20) {
        self.memoryLimit = memoryLimit
        self.folder = folder
        capacity = folder == nil || diskLimit <= 0 ? Int64(memoryLimit / 2) : diskLimit
        disk = diskLimit > 0 ? folder.map { BlockFolder($0, limit: diskLimit) } : nil
    }

    /// A block that was kept.
    /// - Parameters:
    ///   - index: counted from 0.
    ///   - count: the bytes that it must have.
    func block(_ index: Int64, of version: ItemVersion, count: Int) -> [UInt8]? {
        let key = Key(version: version, index: index)
        if let bytes = memory.withLock({ $0.young[key] ?? $0.old[key] }), bytes.count == count {
            remember(bytes, key)
            return bytes
        }
        guard let bytes = disk?.read(version, index), bytes.count == count else { return nil }
        remember(bytes, key)
        return bytes
    }

    /// Keeps a block, as far as there is room.
    func keep(_ bytes: [UInt8], _ index: Int64, of version: ItemVersion) {
        remember(bytes, Key(version: version, index: index))
        disk?.write(bytes, version, index)
    }

    /// Forgets all that was read from a source's server, on disk too.
    /// - Parameter source: any source there.
    /// - Throws: `io`, `forbidden` when the disk does not let go of something.
    public func forget(serverOf source: SourceURI) throws(PluginError) {
        let name = ItemVersion.digest(ofServer: source)
        memory.withLock { memory in memory.keep { $0.version.server != name } }
        try disk?.remove(name)
    }

    /// Forgets what was read of items that are certain places or lie below them, on disk too.
    /// - Parameter places: URIs of items, folders or sources, without slashes at their ends.
    /// - Throws: `io`, `forbidden` when the disk does not let go of something; the rest is gone.
    public func forget(below places: [String]) throws(PluginError) {
        let digests = Set(places.map(ItemVersion.digest(ofPlace:)))
        memory.withLock { memory in memory.keep { digests.isDisjoint(with: $0.version.places) } }
        try disk?.remove(below: digests)
    }

    /// Forgets everything, on disk too. What others read meanwhile may be kept again.
    /// - Throws: `io`, `forbidden` when the disk does not let go of something; the rest is gone.
    public func forgetAll() throws(PluginError) {
        memory.withLock { $0 = Memory() }
        try disk?.removeAll()
    }

    /// Bytes that are kept on disk; looks at every block there is.
    public var diskUsage: Int64 { disk?.usage ?? 0 }

    /// Bytes that ``forget(below:)`` would remove from the disk.
    public func diskUsage(below places: [String]) -> Int64 {
        disk?.usage(below: Set(places.map(ItemVersion.digest(ofPlace:)))) ?? 0
    }

    private func remember(_ bytes: [UInt8], _ key: Key) {
        memory.withLock { memory in
            if memory.young.updateValue(bytes, forKey: key) == nil { memory.youngBytes += bytes.count }
            guard memory.youngBytes > memoryLimit / 2 else { return }
            memory.old = memory.young
            memory.young = [:]
            memory.youngBytes = 0
        }
    }
}
