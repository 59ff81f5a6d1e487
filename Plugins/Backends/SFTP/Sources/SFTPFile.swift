import Transfer
import VitrineKit

/// A file on a server, opened there when it is first read. The protocol has no mark of versions: size and time tell.
final class SFTPFile: ByteSource {
    let entry: Entry
    private let path: ItemPath
    private let place: [UInt8]
    private let pool: SFTPPool
    private let number: UInt64

    init(_ path: ItemPath, at place: [UInt8], entry: Entry, in pool: SFTPPool) {
        self.entry = entry
        self.path = path
        self.place = place
        self.pool = pool
        number = pool.newNumber()
    }

    deinit { pool.close(file: number) }

    func current() async throws(PluginError) -> Entry {
        let (place, name, follows) = (place, path.name, pool.settings.followsLinks)
        let doing = "cannot look at \(path.shown)"
        return try await pool.run(doing) { link throws(TransferFailure) in
            try link.attributes(place, followsLinks: follows, doing).entry(named: name)
        }
    }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        try checkRange(at: offset, count: count)
        var count = Int64(min(count, Self.longestRead))
        if let size = entry.size {
            guard offset < size else { return [] }
            count = min(count, size - offset)
        }
        let (entry, path, place, number, length) = (entry, path, place, number, Int(count))
        let doing = "cannot read \(path.shown)"
        let bytes = try await pool.run(doing, file: number) { link throws(TransferFailure) in
            try link.read(number, place, at: offset, count: length, doing) { now throws(TransferFailure) in
                try Self.check(now, entry, path)
            }
        }
        guard entry.size == nil || bytes.count == length else {
            throw PluginError(.changed, "\(doing): it became shorter since it was opened")
        }
        pool.count(bytes: bytes.count)
        return bytes
    }

    /// Far more than the engine asks for at once.
    private static let longestRead = 64 << 20

    private static func check(_ now: FileAttributes, _ entry: Entry, _ path: ItemPath) throws(TransferFailure) {
        if let error = SFTPBackend.refusal(of: now.kind, path) { throw TransferFailure(error) }
        guard now.size == entry.size, now.modified == entry.modified else {
            throw TransferFailure(PluginError(.changed, "cannot read \(path.shown): it changed since it was listed"))
        }
    }
}
