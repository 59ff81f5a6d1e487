import Synchronization
import Transfer
import VitrineKit

/// A file on an FTP server. Whether it changed is told by its size and time, which are asked for when it is first read.
final class FTPFile: ByteSource {
    let entry: Entry
    private let path: ItemPath
    private let backend: FTPBackend
    /// What it was when it was first read.
    private let version = Mutex<Version?>(nil)

    private struct Version: Hashable {
        var size: Int64?
        var modified: Timestamp?
    }

    init(_ path: ItemPath, entry: Entry, of backend: FTPBackend) {
        self.entry = entry
        self.path = path
        self.backend = backend
    }

    func current() async throws(PluginError) -> Entry {
        let now = try await look()
        let before = version.withLock { $0 }
        if before.map({ $0 == now }) ?? isAsListed(now) { return entry }
        return Entry(name: entry.name, kind: .file, size: now.size, modified: now.modified)
    }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        try checkRange(at: offset, count: count)
        guard let size = entry.size else {
            throw PluginError(.io, "cannot read \(path.shown): its server does not tell how long it is")
        }
        guard offset < size else { return [] }
        let count = min(Int64(count), size - offset)
        if version.withLock({ $0 }) == nil {
            let now = try await look()
            guard isAsListed(now) else {
                throw PluginError(.changed, "cannot read \(path.shown): it changed since it was listed")
            }
            version.withLock { $0 = now }
        }
        // Without an end, so that the connection can be used again when the end is reached.
        let range = offset + count == size ? "\(offset)-" : "\(offset)-\(offset + count - 1)"
        var request = try backend.server.file(path, range: range, purpose: "cannot read \(path.shown)")
        request.maximumBytes = count
        let bytes: [UInt8]
        do throws(PluginError) { bytes = try await backend.client.collect(request).body } catch {
            // Longer than it was.
            throw error.code == .limitExceeded
                ? PluginError(.changed, "cannot read \(path.shown): it changed while it was read") : error
        }
        guard bytes.count == count else {
            throw PluginError(.changed, "cannot read \(path.shown): it became shorter since it was listed")
        }
        return bytes
    }

    /// Asks for size and time.
    private func look() async throws(PluginError) -> Version {
        let request = try backend.server.file(path, method: "HEAD", purpose: "cannot look at \(path.shown)")
        // libcurl writes what it is told as fields, which come as the body, too, and there as a whole.
        let text = String(decoding: try await backend.client.collect(request).body, as: UTF8.self)
        var version = Version()
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = String(line[line.index(after: colon)...]).trimmed
            switch line[..<colon].lowercased() {
            case "content-length": version.size = Int64(value).flatMap { $0 >= 0 ? $0 : nil }
            case "last-modified": version.modified = HTTPDate.parse(value)
            default: continue
            }
        }
        return version
    }

    /// Listings of the older kind do not tell times exactly.
    private func isAsListed(_ now: Version) -> Bool {
        guard now.size == nil || now.size == entry.size else { return false }
        guard backend.knownFormat == .machine, let listed = entry.modified, let modified = now.modified else {
            return true
        }
        return listed.seconds == modified.seconds
    }
}
