import CPlatform
import VitrineKit

extension Storage {
    /// What several folders hold now, one level each, and whether that is what it was. See `SnapshotBackend`.
    ///
    /// Of a backend without that ability each folder is listed, and the digest made of the entries.
    /// - Parameter requests: at most ``snapshotLimit``.
    /// - Returns: one answer for each request, in their order.
    func snapshots(of requests: [SnapshotRequest]) async -> [Result<FolderSnapshot, PluginError>] {
        if requests.isEmpty { return [] }
        guard let backend = current as? any SnapshotBackend else {
            var answers: [Result<FolderSnapshot, PluginError>] = []
            var room = Self.callLimit
            for request in requests { answers.append(await listed(request, &room)) }
            return answers
        }
        let first = requests.first.map { "'\(DisplayText.of($0.folder.bytes))'" } ?? "nothing"
        do throws(PluginError) {
            let answers = try await watch.run("looking at the folder \(first) and \(requests.count - 1) more") {
                () async throws(PluginError) in await backend.snapshots(of: requests)
            }
            guard answers.count == requests.count else {
                throw PluginError(
                    .io,
                    "the backend of '\(source.text)' was asked for \(requests.count) folders and told of \(answers.count)"
                )
            }
            return answers
        } catch {
            guard error.code == .offline, requests.count > 1 else { return requests.map { _ in .failure(error) } }
            // One that never answers is no reason to give up the others.
            var answers: [Result<FolderSnapshot, PluginError>] = []
            for request in requests { answers += await snapshots(of: [request]) }
            return answers
        }
    }

    /// How many folders are asked about in one call, whose time is bounded.
    static let snapshotLimit = 16
    /// How many entries of one folder are held at once.
    static let entryLimit = 1 << 14
    /// How many of all folders of a call together.
    static let callLimit = 1 << 16

    private func listed(
        _ request: SnapshotRequest, _ room: inout Int
    ) async -> Result<FolderSnapshot, PluginError> {
        let limit = min(room, Self.entryLimit)
        var digest = EntryDigest()
        var entries: [Entry] = []
        var count = 0
        do throws(PluginError) {
            try await Self.each(list(request.folder)) { page in
                for entry in page { digest.add(entry) }
                count += page.count
                if count <= limit { entries += page }
            }
        } catch { return .failure(error) }
        let value = digest.value
        if value == request.known { return .success(FolderSnapshot(digest: value, content: .unchanged)) }
        guard count <= limit else { return .success(FolderSnapshot(digest: value, content: .tooMany)) }
        room -= count
        return .success(FolderSnapshot(digest: value, content: .entries(entries)))
    }

    private static func each<S: AsyncSequence<[Entry], PluginError>>(
        _ pages: S, _ body: ([Entry]) -> Void
    ) async throws(PluginError) {
        var iterator = pages.makeAsyncIterator()
        while let page = try await iterator.next(isolation: nil) { body(page) }
    }
}

/// A digest of entries, in whatever order they come.
private struct EntryDigest {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    mutating func add(_ entry: Entry) {
        let isFile = entry.kind == .file
        var bytes: [UInt8] = []
        func add(_ number: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        add(UInt64(entry.kind.rawValue))
        add(entry.identifier ?? 0)
        add(entry.volume ?? 0)
        if isFile {
            add(UInt64(bitPattern: entry.size ?? -1))
            add(UInt64(bitPattern: entry.modified?.seconds ?? .min))
            add(UInt64(entry.modified?.nanoseconds ?? 0))
            bytes += Array((entry.etag ?? "").utf8) + [0]
        }
        bytes += entry.name
        var hash: [UInt64] = [0, 0]
        vp_hash128(bytes, bytes.count, &hash)
        low &+= hash[0]
        high &+= hash[1]
    }

    var value: FolderDigest { FolderDigest(low: low, high: high) }
}
