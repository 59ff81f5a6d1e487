import CPlatform
import VitrineKit

/// The storage of the scheme `archive`: the members of an archive, which is an item of another storage.
///
/// Part of the engine and no plugin, since it needs other storages and workers. It holds nothing of the archive's bytes
/// itself: a contained worker lists and unpacks them. Unless the archive changed, no folder of it is listed again.
struct ArchiveBackend: StorageBackend, SnapshotBackend, OmittingBackend {
    let archive: OpenArchive
    /// The folder of the archive that is the source's root.
    private let base: ItemPath

    init(_ archive: OpenArchive, base: ItemPath) {
        self.archive = archive
        self.base = base
    }

    /// Only the engine makes it, out of another storage.
    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        throw PluginError(.invalidArgument, "'\(DisplayText.of(source.text))' is reached through the engine only")
    }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        MemberPages(backend: self, folder: folder)
    }

    func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        if base.isRoot, path.isRoot {
            var entry = Entry(name: [], kind: .folder)
            entry.modified = try await archive.version().modified
            return entry
        }
        let tree = try await archive.contents().tree
        let full = try full(path)
        guard var entry = tree[full]?.entry else { throw OpenArchive.missing(full, tree) }
        if path.isRoot { entry.name = [] }
        return entry
    }

    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        _ = try await archive.contents()
        return try await archive.open(try full(path))
    }

    func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        let file = try await archive.open(try full(path))
        guard file.entry.etag == entry.etag, file.entry.modified == entry.modified else {
            throw PluginError(.changed, "'\(path)' is another one than was listed: the archive changed")
        }
        return file
    }

    func mayRead(_ path: ItemPath) async -> Bool { await archive.mayRead() }

    func snapshots(of requests: [SnapshotRequest]) async -> [Result<FolderSnapshot, PluginError>] {
        let digest: FolderDigest
        do throws(PluginError) { digest = Self.digest(try await archive.version()) } catch {
            return requests.map { _ in .failure(error) }
        }
        var answers: [Result<FolderSnapshot, PluginError>] = []
        for request in requests {
            if request.known == digest {
                answers.append(.success(FolderSnapshot(digest: digest, content: .unchanged)))
                continue
            }
            do throws(PluginError) {
                let (entries, failure) = try await entries(in: request.folder)
                // Page by page what is there counts, although something is missing.
                let isWhole = failure == nil && entries.count <= Storage.entryLimit
                answers.append(
                    .success(FolderSnapshot(digest: digest, content: isWhole ? .entries(entries) : .tooMany)))
            } catch { answers.append(.failure(error)) }
        }
        return answers
    }

    /// Members that cannot be reached, and why: the first of them, and a sentence about the others.
    var omissions: [PluginError] {
        get async {
            guard let tree = await archive.lastContents?.tree else { return [] }
            let rest = tree.refusedCount - tree.refusals.count
            guard rest > 0 else { return tree.refusals }
            return tree.refusals + [PluginError(.unsupported, "\(rest) further members are left out for such reasons")]
        }
    }

    /// What a folder holds, and what is wrong with the list.
    fileprivate func entries(
        in folder: ItemPath
    ) async throws(PluginError) -> (entries: [Entry], failure: PluginError?) {
        let tree = try await archive.contents().tree
        let full = try full(folder)
        guard let node = tree[full] else { throw OpenArchive.missing(full, tree) }
        guard node.entry.kind == .folder else {
            throw PluginError(.notAFile, "'\(folder)' is a file in the archive, not a folder")
        }
        return (tree.entries(in: full), tree.failure)
    }

    private func full(_ path: ItemPath) throws(PluginError) -> ItemPath {
        if base.isRoot { return path }
        return path.isRoot ? base : try ItemPath(base.bytes + [UInt8(ascii: "/")] + path.bytes)
    }

    /// The same for all folders: they change with the archive.
    private static func digest(_ version: Entry) -> FolderDigest {
        // The number is that of what is made of a list.
        let text = "members 1\n\(version.versionMark)\n\(version.size ?? -1)"
        var hash: [UInt64] = [0, 0]
        vp_hash128(text, text.utf8.count, &hash)
        return FolderDigest(low: hash[0], high: hash[1])
    }
}

/// A folder of an archive, in pages.
private struct MemberPages: AsyncSequence, Sendable {
    let backend: ArchiveBackend
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pages: MemberPages
        fileprivate var rest: (entries: ArraySlice<Entry>, failure: PluginError?)?

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError) -> [Entry]? {
            if Task.isCancelled { throw PluginError(.cancelled, "the listing was stopped") }
            if rest == nil {
                let (entries, failure) = try await pages.backend.entries(in: pages.folder)
                rest = (entries[...], failure)
            }
            guard let (entries, failure) = rest else { return nil }
            if entries.isEmpty, let failure {
                throw PluginError(failure.code, "the list of the archive is not complete: \(failure.message)")
            }
            rest = (entries.dropFirst(1024), failure)
            return entries.isEmpty ? nil : Array(entries.prefix(1024))
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }
}
