import Synchronization
import Transfer
import VitrineKit

/// A file of Box. The service tells where its content is handed out, for one version and some minutes; ranges are read
/// there, without a token.
final class BoxFile: ByteSource {
    let entry: Entry
    private let id: String
    private let path: ItemPath
    private let backend: BoxBackend
    private let state = Mutex(State())
    private let asking = SharedWork<Bool, TransferURL>()

    private struct State {
        var address: TransferURL?
        /// What the server that hands it out calls this version.
        var mark: String?
        var head: [UInt8]?
    }

    /// - Parameter item: with what the file is, or was when it was listed.
    init(_ item: IdentifiedItem, _ path: ItemPath, _ backend: BoxBackend) {
        entry = item.entry
        id = item.id
        self.path = path
        self.backend = backend
    }

    private static let headLength = 64 << 10

    var head: [UInt8]? { state.withLock { $0.head } }

    /// Each answer is of the version that was asked for.
    var isPinned: Bool { entry.boxVersion != nil }

    func current() async throws(PluginError) -> Entry { try await backend.stat(path) }

    /// Reads the beginning, and learns how the server marks this version.
    func readHead() async throws(PluginError) {
        let head = entry.size == 0 ? [] : try await read(at: 0, count: Self.headLength)
        state.withLock { $0.head = head }
    }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        if let size = entry.size, offset >= size, offset >= 0, count > 0 { return [] }
        let known = state.withLock { $0.address }
        do throws(PluginError) {
            let url = if let known { known } else { try await address() }
            return try await read(at: offset, count: count, from: url)
        } catch {
            // An address that was good until now has expired.
            guard known != nil, [.notFound, .forbidden, .unauthorized].contains(error.code) else { throw error }
            state.withLock { if $0.address == known { $0.address = nil } }
            return try await read(at: offset, count: count, from: address())
        }
    }

    private var purpose: String { "cannot read \(path.shown)" }

    private func read(at offset: Int64, count: Int, from url: TransferURL) async throws(PluginError) -> [UInt8] {
        // What the service says of the file is not what the server says that hands it out.
        let plain = Entry(name: entry.name, kind: .file, size: entry.size)
        let purpose = purpose
        let file = HTTPFile(
            entry: plain, strongTag: nil, client: backend.downloads,
            request: { headers in
                var request = TransferRequest(url, purpose: purpose)
                request.headers = headers
                return request
            },
            now: { () throws(PluginError) in plain },
            examine: { (head) throws(PluginError) in try self.examine(head) })
        return try await file.read(at: offset, count: count)
    }

    /// All answers are of one version.
    private func examine(_ head: ResponseHead) throws(PluginError) {
        guard let mark = head.etag else { return }
        let known = state.withLock { state in
            if state.mark == nil { state.mark = mark }
            return state.mark
        }
        guard known == mark else { throw PluginError(.changed, "\(purpose): it changed since it was opened") }
    }

    /// Where it is handed out, asked for once however many wait for it.
    private func address() async throws(PluginError) -> TransferURL {
        if let address = state.withLock({ $0.address }) { return address }
        return try await asking.value(for: true) { () throws(PluginError) in
            let address = try await self.ask()
            self.state.withLock { $0.address = address }
            return address
        }
    }

    private func ask() async throws(PluginError) -> TransferURL {
        do throws(PluginError) {
            return try await backend.service.download(of: id, version: entry.boxVersion, purpose: purpose)
        } catch {
            // Either the file is gone, or it has another version by now.
            guard error.code == .notFound, entry.boxVersion != nil else { throw error }
            let now = try await current()
            guard now.etag != entry.etag else { throw error }
            throw PluginError(.changed, "\(purpose): it has another version since it was opened")
        }
    }
}
