import Transfer
import VitrineKit

/// A file that is put on a server under a hidden name, and moved to its own when all of it is there (RFC 4918, sections
/// 9.7 and 9.9).
actor DAVDraft: WriteTransaction {
    /// No server can be asked to go on.
    nonisolated let kept: Int64 = 0

    private let backend: WebDAVBackend
    private let path: ItemPath
    private let draft: FileDraft
    private let hidden: ItemPath
    private let doing: String
    /// Whether the file's path has letters that some servers, as WsgiDAV, read as its end where files are renamed, though they are
    /// encoded: the file gets the name of another then, or replaces that.
    private let mayBeMisread: Bool
    private var upload: TransferUpload?
    private var length: Int64 = 0
    private var isEnded = false

    init(_ backend: WebDAVBackend, _ path: ItemPath, _ draft: FileDraft) throws(PluginError) {
        guard let folder = path.parent else { throw PluginError(.exists, "the root of a source is there already") }
        (self.backend, self.path, self.draft) = (backend, path, draft)
        // Of its own: nothing is gone on with, and two that write the same do not meet.
        hidden = try folder.appending(UnfinishedName.of(nil))
        doing = "cannot write \(path.shown)"
        let destination = try backend.root.url(of: path, isFolder: false).text
        mayBeMisread = Self.delimiters.contains { destination.contains($0) }
    }

    func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError) {
        guard !isEnded, !bytes.isEmpty, offset == length, Int64(bytes.count) <= (draft.size ?? .max) - length else {
            throw PluginError(.invalidArgument, "\(doing): \(bytes.count) bytes at \(offset) are not what comes next")
        }
        length += Int64(bytes.count)
        do throws(PluginError) { try await begin().append(bytes) } catch { throw await explained(error) }
    }

    func commit(_ condition: WriteCondition, content: [Checksum]) async throws(PluginError) -> WrittenFile {
        guard !isEnded, draft.size == nil || draft.size == length else {
            throw PluginError(.invalidArgument, "\(doing): \(length) bytes are not all of it")
        }
        do throws(PluginError) { _ = try await begin().finish() } catch { throw await explained(error) }
        let agreed = try await check(content)
        let other = condition == .replacing || mayBeMisread ? try await backend.existing(path) : nil
        if condition == .replacing {
            // A folder would be deleted with all that is in it.
            guard other == nil || other?.kind == .file else {
                throw PluginError(.exists, "\(doing): a folder has that name")
            }
        }
        if Task.isCancelled { throw PluginError(.cancelled, "\(doing): somebody asked to stop") }
        do throws(PluginError) {
            // Where nothing is there, what would be replaced is something else.
            let replaces = condition == .replacing && !(mayBeMisread && other == nil)
            try await backend.move(hidden, to: path, replaces: replaces, doing)
        } catch {
            if error.code == .exists, mayBeMisread, other == nil, try await backend.existing(path) == nil {
                throw misread("nothing was written")
            }
            guard Self.unclear.contains(error.code) else { throw error }
            // The server may be at it still, and what it copies from must stay.
            isEnded = true
            guard error.code != .cancelled, await hasMoved() else { throw error }
        }
        isEnded = true
        if mayBeMisread, try await backend.existing(path) == nil {
            throw misread("the file has another name there now")
        }
        return WrittenFile(checksum: agreed)
    }

    private func misread(_ consequence: String) -> PluginError {
        PluginError(
            .unsupported,
            "\(doing): '\(backend.root.base.server)' misreads such a path where files are renamed, and \(consequence); choose a "
                + "name without signs such as ?, # and ;")
    }

    /// Whether the file was renamed, though no answer told: nothing else takes a hidden name away that nobody else knows.
    private func hasMoved() async -> Bool {
        do throws(PluginError) {
            guard try await backend.existing(hidden) == nil, let moved = try await backend.existing(path) else {
                return false
            }
            return moved.kind == .file && moved.size == length
        } catch { return false }
    }

    func abandon() async {
        guard !isEnded else { return }
        isEnded = true
        upload?.cancel()
        guard upload != nil else { return }
        let (backend, hidden) = (backend, hidden)
        // Also for a task that is cancelled.
        await Task {
            // A server may keep what it got when it notices, a little later, that no more comes.
            for wait in Self.waits {
                try? await Task.sleep(for: wait)
                try? await backend.delete(hidden)
            }
        }.value
    }

    /// `?`, `#`, `;`, `%` and a backslash in addresses.
    private static let delimiters = ["%3F", "%23", "%3B", ";", "%25", "%5C"]
    /// Failures after which a server may go on with what it was asked.
    private static let unclear: Set<PluginError.Code> = [.offline, .io, .cancelled, .throttled]
    private static let waits: [Duration] = [.zero, .milliseconds(100), .milliseconds(400)]

    /// Of a folder that is not there, some servers say only that they failed.
    private func explained(_ error: PluginError) async -> PluginError {
        guard error.code == .io, let folder = path.parent else { return error }
        do throws(PluginError) {
            if try await backend.existing(folder) != nil { return error }
        } catch { return error }
        return PluginError(.notFound, "\(doing): there is no folder \(folder.shown)")
    }

    private func begin() throws(PluginError) -> TransferUpload {
        if let upload { return upload }
        var request = TransferRequest(
            try backend.root.url(of: hidden, isFolder: false), method: "PUT", purpose: doing)
        // As ownCloud's own programs ask; others pass over it.
        if let time = draft.modified { request.set("X-OC-Mtime", "\(time.seconds)") }
        if let type = draft.contentType { request.set("Content-Type", type) }
        let upload = TransferUpload(request, size: draft.size, by: backend.client)
        self.upload = upload
        return upload
    }

    /// Whether the server has what it was sent.
    /// - Returns: the checksum that was compared.
    private func check(_ content: [Checksum]) async throws(PluginError) -> Checksum? {
        let found = try await backend.checked(hidden, doing)
        guard found.size == nil || found.size == length else {
            throw PluginError(.changed, "\(doing): the server has \(found.size ?? 0) bytes of \(length)")
        }
        for sum in content {
            guard let theirs = found.checksums.first(where: { $0.algorithm == sum.algorithm }) else { continue }
            guard theirs == sum else {
                throw PluginError(.changed, "\(doing): the server stored \(theirs), and \(sum) was sent")
            }
            return sum
        }
        return nil
    }
}
