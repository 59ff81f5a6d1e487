import CPlatform
import Glibc
import VitrineKit

/// An item that was opened: its descriptor, what it was at that moment, and its first bytes.
///
/// A storage without descriptors is copied into memory first, up to a limit.
final class OpenItem {
    let source: any ByteSource
    let head: [UInt8]
    private var copy: CInt = -1

    /// Bytes of the head: what sniffing looks at.
    static let headSize = 4096

    init(_ item: Item) async throws(PluginError) {
        source = try await item.storage.open(item.path)
        head = try await source.read(at: 0, count: Self.headSize)
    }

    deinit { if copy >= 0 { close(copy) } }

    var entry: Entry { source.entry }

    /// Where a local file really lies, all links on the way resolved; `nil` for other storages.
    var resolvedPath: [UInt8]? {
        guard let fd = source.fileDescriptor else { return nil }
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/fd/\(fd)", &room, room.count)
        let path = room.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
        return path.first == UInt8(ascii: "/") ? path : nil
    }

    /// A descriptor that a worker can read from; valid while this lives.
    /// - Parameter limit: the most bytes that are copied from a storage that has no descriptors.
    func descriptor(limit: Int64) async throws(PluginError) -> CInt {
        if let fd = source.fileDescriptor { return fd }
        if copy >= 0 { return copy }
        let fd = vp_growing_memory("vitrine-input")
        guard fd >= 0 else { throw PluginError(errno: -fd, "cannot make memory for a copy of the item") }
        copy = fd
        var offset: Int64 = 0
        while true {
            let bytes = try await source.read(at: offset, count: 1 << 20)
            if bytes.isEmpty { return fd }
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
        let now = try await source.current()
        if now.differs(from: source.entry) {
            throw PluginError(.changed, "the file changed while it was read; its preview was not kept")
        }
    }
}
