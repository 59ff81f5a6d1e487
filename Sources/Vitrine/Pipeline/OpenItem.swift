import CPlatform
import Catalog
import Glibc
import RangeReading
import VitrineKit

/// An item that was opened: what it was at that moment, its first bytes, and what a worker can read it by: the descriptor
/// of a file of this machine, or memory that is filled with ranges of it on demand, where there is none or workers are
/// refused it.
final class OpenItem {
    let item: Item
    let source: WatchedFile
    /// What it was when it was opened.
    let entry: Entry
    let head: [UInt8]
    /// What tells its content from that of others; `nil` when nobody asked, or it has no descriptor.
    let fingerprint: ContentFingerprint?
    /// The item as ranges; `nil` where workers read from its descriptor, and for storages that do not tell sizes.
    let ranges: RangedFile?
    /// The document that is packed as this item, once somebody unpacked it.
    var inner: OpenItem?
    /// What it cost before it was copied or read by ranges.
    private var copied = ItemTraffic()
    private var copy: CInt = -1

    /// Bytes of the head: what sniffing looks at.
    static let headSize = 4096
    /// The most bytes of an item of which no part is left on its server: 256 KiB.
    private static let smallSize: Int64 = 256 << 10

    /// - Parameter takesFingerprint: whether its content is hashed, at the price of no further change of threads.
    init(
        _ item: Item, _ cache: BlockCache, _ limits: ReadLimits, takesFingerprint: Bool = false
    ) async throws(PluginError) {
        self.item = item
        (source, fingerprint) = try await item.storage.open(
            item.path, listedAs: item.entry.size == nil ? nil : item.entry
        ) { takesFingerprint ? ContentHash.fingerprint(of: $0) : nil }
        entry = source.entry
        guard source.fileDescriptor == nil || source.isClosedToWorkers, let size = entry.size else {
            ranges = nil
            if let head = source.head {
                self.head = head
            } else {
                head = try await source.read(at: 0, count: Self.headSize)
            }
            return
        }
        let ranges = try RangedFile(
            source, size: size, name: DisplayText.of(item.path.name),
            // Of what may be encrypted where it lies nothing is kept elsewhere.
            version: source.isClosedToWorkers
                ? nil : ItemVersion(entry, uri: item.uri, source: item.storage.source), cache: cache,
            // It lies on this machine, and is no part of what a run may read from others.
            limits: source.isClosedToWorkers ? ReadLimits(perItem: limits.perItem) : limits)
        self.ranges = ranges
        // What is small comes whole, so that it costs one request, and no worker waits for it.
        if 1...min(Self.smallSize, max(1, limits.perItem)) ~= size { _ = try await ranges.bring(0, size) }
        head = try await ranges.head(Self.headSize)
    }

    /// What its name ends in, without a dot: at most ten letters and digits, else nothing.
    var suffix: String {
        let name = item.path.name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        let end = name[(dot + 1)...]
        guard 1...10 ~= end.count, end.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 }) else { return "" }
        return String(decoding: end, as: UTF8.self)
    }

    deinit { if copy >= 0 { close(copy) } }

    var isEmpty: Bool { head.isEmpty }

    /// Whether it is a file on a disk of this machine, and nothing was unpacked of it: then it has no traffic.
    var isLocalFile: Bool { source.isOnDisk && source.fileDescriptor != nil && inner == nil }

    /// What was asked of the storage so far; `nil` for files of this machine.
    var traffic: ItemTraffic? {
        get async {
            guard let inner = await inner?.traffic else { return await ownTraffic }
            var all = await ownTraffic ?? ItemTraffic()
            all += inner
            return all
        }
    }

    private var ownTraffic: ItemTraffic? {
        get async {
            if source.isClosedToWorkers { return nil }
            if let ranges { return await ranges.traffic }
            if let traffic = source.traffic { return traffic }
            return source.fileDescriptor == nil ? copied : nil
        }
    }

    /// Where a local file really lies, all links on the way resolved; `nil` for other storages.
    var resolvedPath: [UInt8]? {
        guard let fd = source.fileDescriptor else { return nil }
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/fd/\(fd)", &room, room.count)
        let path = room.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
        return path.first == UInt8(ascii: "/") ? path : nil
    }

    /// A descriptor that a worker can read from; valid while this lives.
    /// - Parameter limit: the most bytes that are copied from a storage that has neither descriptors nor sizes.
    func descriptor(limit: Int64) async throws(PluginError) -> CInt {
        if let ranges { return ranges.window }
        if let fd = source.fileDescriptor { return fd }
        if copy >= 0 { return copy }
        let fd = vp_growing_memory("vitrine-input")
        guard fd >= 0 else { throw PluginError(errno: -fd, "cannot make memory for a copy of the item") }
        // Half a copy is none: another renderer would draw it.
        defer { close(fd) }
        try await fetch(into: fd, limit: limit)
        // Nor is one that a worker could write to.
        let opened = vp_finished_memory(fd)
        guard opened >= 0 else { throw PluginError(errno: -opened, "cannot open a copy of the item a second time") }
        copy = opened
        return opened
    }

    private func fetch(into fd: CInt, limit: Int64) async throws(PluginError) {
        var offset: Int64 = 0
        while true {
            let bytes = try await source.read(at: offset, count: 1 << 20)
            copied.requests += 1
            copied.bytes += Int64(bytes.count)
            if bytes.isEmpty { return }
            offset += Int64(bytes.count)
            guard offset <= limit else {
                throw PluginError(
                    .limitExceeded, "the item is larger than \(limit) bytes, the most that is fetched from this source")
            }
            guard pwrite(fd, bytes, bytes.count, off_t(offset) - off_t(bytes.count)) == bytes.count else {
                throw PluginError(errno: errno, "cannot keep a copy of the item in memory")
            }
        }
    }

    /// Whether the item is still what it was when it was opened.
    func check() async throws(PluginError) {
        if source.isPinned { return }
        let now = try await source.current()
        if now.differs(from: entry) {
            throw PluginError(.changed, "the file changed while it was read; its preview was not kept")
        }
    }

    /// What a failure of work with the item says of it. Half of what is still being written, or is replaced, may be what was
    /// read: then nothing is known of it.
    /// - Returns: the failure, or `changed` in its place; and whether the item is certainly what it was when it was opened.
    func judged(_ failure: PluginError) async -> (failure: PluginError, isSame: Bool) {
        // What passes by itself is never remembered, and often that the storage does not answer.
        guard failure.isPermanent || failure.code == .io else { return (failure, false) }
        do throws(PluginError) {
            try await check()
            return (failure, true)
        } catch {
            guard error.code == .changed else { return (failure, false) }
            return (PluginError(.changed, "the file changed while it was read, so that nothing is known of it"), false)
        }
    }
}
