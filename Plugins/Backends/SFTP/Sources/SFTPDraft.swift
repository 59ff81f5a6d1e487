import Synchronization
import Transfer
import VitrineKit

/// A file that is written under a hidden name in its folder, where it is found again.
actor SFTPDraft: WriteTransaction {
    nonisolated let kept: Int64
    private let pool: SFTPPool
    private let draft: FileDraft
    private let doing: String
    /// Where it will be.
    private let place: [UInt8]
    private let hidden: [UInt8]
    private let number: UInt64
    private let aside: Aside
    private var length: Int64
    private var isEnded = false
    /// What gives the file its name, once that has begun: it goes on to its end, whoever is stopped.
    private var finishing: Task<Result<Void, PluginError>, Never>?

    /// The file that is replaced, while it has another name.
    private final class Aside: Sendable {
        /// A name that says what it is, and not one of what is unfinished: it may be the only copy of the old file.
        let place: [UInt8]
        /// Whether the old file may be there.
        let isUsed = Atomic(false)

        init(beside place: [UInt8]) {
            let folder = place[...(place.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
            self.place = folder + Array(".vitrine-old-\(String(UInt64.random(in: 0 ... .max), radix: 16))".utf8)
        }
    }

    /// Makes the file, or finds what is there of it.
    init(_ backend: SFTPBackend, _ path: ItemPath, _ draft: FileDraft) async throws(PluginError) {
        guard let folder = path.parent else { throw PluginError(.exists, "the root of a source is there already") }
        (pool, self.draft) = (backend.pool, draft)
        place = backend.place(of: path)
        hidden = backend.place(of: try folder.appending(UnfinishedName.of(draft.token)))
        number = backend.pool.newNumber()
        aside = Aside(beside: place)
        doing = "cannot write \(path.shown)"
        let (hidden, doing, size) = (hidden, doing, draft.token == nil ? nil : draft.size)
        kept = try await pool.run(doing) { link throws(TransferFailure) in
            // Somebody who writes the same may have begun at this moment: what is short enough is never emptied.
            var (length, isUseless): (Int64, Bool) = (0, false)
            do throws(TransferFailure) {
                let found = try link.attributes(hidden, followsLinks: false, doing)
                guard found.kind == .file else {
                    throw TransferFailure(PluginError(.exists, "\(doing): a hidden name is taken by what is no file"))
                }
                isUseless = found.size.map { $0 > size ?? 0 } ?? true
                if !isUseless { length = found.size ?? 0 }
            } catch { if error.error.code != .notFound { throw error } }
            try link.create(hidden, empties: isUseless, doing)
            return length
        }
        length = kept
    }

    func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError) {
        guard !isEnded, !bytes.isEmpty, offset == length, Int64(bytes.count) <= (draft.size ?? .max) - length else {
            throw PluginError(.invalidArgument, "\(doing): \(bytes.count) bytes at \(offset) are not what comes next")
        }
        let (number, hidden, doing) = (number, hidden, doing)
        try await pool.run(doing, file: number) { link throws(TransferFailure) in
            try link.write(number, hidden, bytes, at: offset, doing)
        }
        length += Int64(bytes.count)
    }

    func commit(_ condition: WriteCondition, content: [Checksum]) async throws(PluginError) -> WrittenFile {
        guard !isEnded, draft.size == nil || draft.size == length else {
            throw PluginError(.invalidArgument, "\(doing): \(length) bytes are not all of it")
        }
        let (number, hidden, place, doing, time) = (number, hidden, place, doing, draft.modified)
        let (length, pool, aside) = (length, pool, aside)
        pool.close(file: number)
        try await pool.run(doing, file: number) { link throws(TransferFailure) in
            if try Self.isDone(link, hidden, place, length, doing) { return }
            try link.flush(number, hidden, doing)
            guard try link.attributes(hidden, followsLinks: false, doing).size == length else {
                throw TransferFailure(PluginError(.changed, "\(doing): somebody else has changed it meanwhile"))
            }
            if let time { try link.setTime(hidden, time, doing) }
        }
        let work = Task { () async -> Result<Void, PluginError> in
            do throws(PluginError) {
                try await pool.run(doing, file: number) { link throws(TransferFailure) in
                    if try !Self.isDone(link, hidden, place, length, doing) {
                        try Self.name(link, hidden, place, condition, aside, doing)
                    }
                    // The new file is in its place, whatever becomes of the old one.
                    if aside.isUsed.load(ordering: .acquiring) { try? link.remove(aside.place, doing) }
                }
                return .success(())
            } catch { return .failure(error) }
        }
        finishing = work
        do throws(PluginError) { try await work.value.get() } catch {
            guard aside.isUsed.load(ordering: .acquiring) else { throw error }
            throw PluginError(
                error.code,
                "\(error.message); the old file may be called '\(DisplayText.of(aside.place))' now: give it back its name"
            )
        }
        isEnded = true
        return WrittenFile()
    }

    func suspend() async {
        guard draft.token != nil else { return await abandon() }
        _ = await finishing?.value
        isEnded = true
        pool.close(file: number)
    }

    func abandon() async {
        _ = await finishing?.value
        guard !isEnded else { return }
        isEnded = true
        pool.close(file: number)
        let (pool, hidden, doing) = (pool, hidden, doing)
        // Also for a task that is cancelled.
        await Task {
            try? await pool.run(doing) { link throws(TransferFailure) in try link.remove(hidden, doing) }
        }.value
    }

    /// Whether an earlier try came through whose answer was lost.
    private static func isDone(
        _ link: SSHLink, _ hidden: [UInt8], _ place: [UInt8], _ length: Int64, _ doing: String
    ) throws(TransferFailure) -> Bool {
        guard try link.kind(of: hidden, doing) == nil else { return false }
        let found = try link.attributes(place, followsLinks: false, doing)
        guard found.kind == .file, found.size == length else {
            throw TransferFailure(PluginError(.changed, "\(doing): what was written of it is gone"))
        }
        return true
    }

    /// Gives a file its name. The protocol replaces nothing: an old file is set aside, and comes back when the new one
    /// cannot take its place.
    private static func name(
        _ link: SSHLink, _ hidden: [UInt8], _ place: [UInt8], _ condition: WriteCondition, _ aside: Aside,
        _ doing: String
    ) throws(TransferFailure) {
        switch (condition, try link.kind(of: place, doing)) {
        case (_, nil): break
        case (.replacing, .file?):
            aside.isUsed.store(true, ordering: .releasing)
            do throws(TransferFailure) { try link.rename(place, aside.place, doing) } catch {
                // Of a connection that broke it is not known what came of it.
                if !error.isOfSource { aside.isUsed.store(false, ordering: .releasing) }
                throw error
            }
        default: throw TransferFailure(PluginError(.exists, "\(doing): something has that name already"))
        }
        do throws(TransferFailure) { try link.rename(hidden, place, doing) } catch {
            if aside.isUsed.load(ordering: .acquiring), (try? link.rename(aside.place, place, doing)) != nil {
                aside.isUsed.store(false, ordering: .releasing)
            }
            throw error
        }
    }
}
