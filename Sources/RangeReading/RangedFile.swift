import CPlatform
import FileBytes
import Glibc
public import VitrineKit
public import Workers

/// An open item of a storage that is not on this machine, as memory of its size in which the parts are filled that
/// somebody asked for.
///
/// Each block of 64 KiB comes from the cache, or from the storage, which is asked for a whole run of blocks at once, and
/// for more of them the longer somebody reads on. What is read again costs nothing. The memory that is taken is that of
/// the blocks that are there; holes take none.
public actor RangedFile: RangeProvider {
    /// Bytes in all.
    public nonisolated let size: Int64
    /// The memory, open for reading only: what a worker gets. Closed with this object.
    public nonisolated let window: CInt

    private let source: any ByteSource
    private let version: ItemVersion?
    private let cache: BlockCache
    private let limits: ReadLimits
    private let memory: CInt
    private let name: String
    /// The blocks that are there. Not a table of all: a server may say that an item is as large as it likes.
    private var present: Set<Int> = []
    private let blocks: Int
    /// Where the last run that was fetched ends, and how long the next one may be if it begins there.
    private var lastEnd: Int64 = -1
    private var stride = 1
    /// What it cost so far.
    public private(set) var traffic = ItemTraffic()

    private static let block = BlockCache.block
    /// Blocks that are fetched at once when somebody reads on: 1 MiB.
    private static let longestStride = 16
    /// Blocks that are fetched at once when somebody asks for many: 4 MiB.
    private static let mostAtOnce = 64

    /// Makes the memory; nothing is read yet.
    /// - Parameters:
    ///   - source: the open item.
    ///   - size: its bytes.
    ///   - name: the item, for sentences.
    ///   - version: the name of what is kept of it; `nil` when nothing may be.
    ///   - cache: where blocks are kept.
    ///   - limits: how much may be read.
    /// - Throws: what making memory throws; `limitExceeded` for items of more than 4 TiB.
    public init(
        _ source: any ByteSource, size: Int64, name: String, version: ItemVersion?, cache: BlockCache,
        limits: ReadLimits
    ) throws(PluginError) {
        guard 0...(4 << 40) ~= size else {
            throw PluginError(.limitExceeded, "'\(name)' has \(size) bytes, more than are read by ranges")
        }
        let memory = vp_sealed_memory("vitrine-item", Int(size))
        guard memory >= 0 else { throw PluginError(errno: -memory, "cannot make memory for parts of '\(name)'") }
        let window = open("/proc/self/fd/\(memory)", O_RDONLY | O_CLOEXEC)
        guard window >= 0 else {
            let failure = errno
            close(memory)
            throw PluginError(errno: failure, "cannot open memory for parts of '\(name)' a second time")
        }
        self.source = source
        self.size = size
        self.memory = memory
        self.window = window
        self.version = version
        self.cache = cache
        self.limits = limits
        self.name = name
        blocks = Int((size + Self.block - 1) / Self.block)
    }

    deinit {
        close(memory)
        close(window)
    }

    /// The first bytes.
    /// - Parameter count: how many; fewer when the item has fewer.
    /// - Throws: as ``bring(_:_:)``.
    public func head(_ count: Int) async throws(PluginError) -> [UInt8] {
        let count = Int(min(Int64(count), size))
        guard count > 0 else { return [] }
        _ = try await bring(0, Int64(count))
        var done = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            done = pread(memory, room.baseAddress, count, 0)
            filled = max(0, done)
        }
        guard done == count else {
            throw PluginError(errno: errno, "cannot read the parts of '\(name)' that are there")
        }
        return bytes
    }

    /// Brings a range into the window, from the cache or the storage.
    public func bring(_ offset: Int64, _ count: Int64) async throws(PluginError) -> Range<Int64> {
        guard offset >= 0, count > 0, offset < size else {
            throw PluginError(.invalidArgument, "'\(name)' has no \(count) bytes at \(offset)")
        }
        let end = count > size - offset ? size : offset + count
        let asked = Int(offset / Self.block)..<Int((end - 1) / Self.block) + 1
        var wanted = 0
        for index in asked where !present.contains(index) {
            if takeKept(index) { continue }
            wanted += 1
            // At once: of an item without an end not every block is looked for.
            try checkWhole(blocks: wanted)
        }
        var next = asked.lowerBound
        while next < asked.upperBound, let first = asked[next...].first(where: { !present.contains($0) }) {
            try Task.checkAlive("while '\(name)' was read")
            next = try await fetch(from: first, wantedUpTo: asked.upperBound)
        }
        // What lies there in one piece already need not be asked for.
        var last = asked.upperBound
        while present.contains(last) { last += 1 }
        return Int64(asked.lowerBound) * Self.block..<min(size, Int64(last) * Self.block)
    }

    /// Refuses at once what cannot end well, before a part of it is fetched.
    private func checkWhole(blocks: Int) throws(PluginError) {
        let bytes = min(size, Int64(blocks) * Self.block)
        try Task.checkAlive("while '\(name)' was read")
        guard traffic.bytes + bytes > limits.perItem else { return }
        throw PluginError(
            .overBudget,
            "\(bytes) bytes of it are needed\(traffic.bytes > 0 ? " besides the \(traffic.bytes) that were read" : ""), and "
                + "at most \(limits.perItem) may be read of one item: raise --max-bytes")
    }

    /// - Returns: whether the block was kept, and is there now.
    private func takeKept(_ index: Int) -> Bool {
        guard let version else { return false }
        let start = Int64(index) * Self.block
        let count = Int(min(Self.block, size - start))
        guard let bytes = cache.block(Int64(index), of: version, count: count),
            FileBytes.write(bytes, to: memory, at: start) == nil
        else { return false }
        present.insert(index)
        traffic.cached += Int64(count)
        return true
    }

    /// Fetches one run of blocks with one request, beginning at `first`: as many as are wanted and missing, and more
    /// when somebody reads on.
    /// - Returns: the first block that was not fetched.
    private func fetch(from first: Int, wantedUpTo wantedEnd: Int) async throws(PluginError) -> Int {
        let start = Int64(first) * Self.block
        stride = start == lastEnd ? min(stride * 2, Self.longestStride) : 1
        var last = first
        while last < wantedEnd, !present.contains(last), last - first < Self.mostAtOnce { last += 1 }
        let needed = last
        while last < blocks, !present.contains(last), last - first < stride { last += 1 }
        // What nobody asked for may not use up what was allowed.
        if min(size, Int64(last) * Self.block) - start > limits.perItem - traffic.bytes { last = needed }
        let count = Int(min(size, Int64(last) * Self.block) - start)
        try limits.run.take(Int64(count))
        let bytes = try await read(at: start, count: count)
        if let failure = FileBytes.write(bytes, to: memory, at: start) {
            throw PluginError(errno: failure, "cannot keep \(count) bytes of '\(name)' in memory")
        }
        for index in first..<last {
            present.insert(index)
            guard let version else { continue }
            let from = (index - first) * Int(Self.block)
            cache.keep(Array(bytes[from..<min(count, from + Int(Self.block))]), Int64(index), of: version)
        }
        lastEnd = start + Int64(count)
        return last
    }

    /// Reads a range whole, however many calls a storage needs for it.
    private func read(at start: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let began = ContinuousClock.now
            let part = try await source.read(at: start + Int64(bytes.count), count: count - bytes.count)
            traffic.requests += 1
            traffic.bytes += Int64(part.count)
            traffic.time += began.duration(to: .now)
            guard !part.isEmpty, part.count <= count - bytes.count else {
                throw PluginError(
                    .changed, "'\(name)' ended before the \(size) bytes that it was said to have; it may have changed")
            }
            if bytes.isEmpty { bytes = part } else { bytes += part }
        }
        return bytes
    }
}

extension Task where Success == Never, Failure == Never {
    /// - Throws: `cancelled` when somebody asked this task to stop.
    fileprivate static func checkAlive(_ moment: @autoclosure () -> String) throws(PluginError) {
        if isCancelled { throw PluginError(.cancelled, "stopped \(moment())") }
    }
}
