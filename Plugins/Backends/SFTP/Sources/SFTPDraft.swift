import Transfer
import VitrineKit

/// A file that is written under a hidden name in its folder, where it is found again.
actor SFTPDraft: WriteTransaction {
    nonisolated let kept: Int64
    private let pool: SFTPPool
    private let path: ItemPath
    private let draft: FileDraft
    private let doing: String
    /// Where it will be.
    private let place: [UInt8]
    private let hidden: [UInt8]
    private let number: UInt64
    private var length: Int64
    private var isEnded = false

    /// Makes the file, or finds what is there of it.
    init(_ backend: SFTPBackend, _ path: ItemPath, _ draft: FileDraft) async throws(PluginError) {
        guard let folder = path.parent else { throw PluginError(.exists, "the root of a source is there already") }
        (pool, self.path, self.draft) = (backend.pool, path, draft)
        place = backend.place(of: path)
        hidden = backend.place(of: try folder.appending(UnfinishedName.of(draft.token)))
        number = backend.pool.newNumber()
        doing = "cannot write '\(path)'"
        let (hidden, doing, size) = (hidden, doing, draft.token == nil ? nil : draft.size)
        kept = try await pool.run(doing) { link throws(TransferFailure) in
            var length: Int64 = 0
            do throws(TransferFailure) {
                let found = try link.attributes(hidden, followsLinks: false, doing)
                guard found.kind == .file else {
                    throw TransferFailure(PluginError(.exists, "\(doing): a hidden name is taken by what is no file"))
                }
                if let size, let known = found.size, known <= size { length = known }
            } catch { if error.error.code != .notFound { throw error } }
            try link.create(hidden, empties: length == 0, doing)
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
        let length = length
        pool.close(file: number)
        try await pool.run(doing, file: number) { link throws(TransferFailure) in
            if try Self.isDone(link, hidden, place, length, doing) { return }
            try link.flush(number, hidden, doing)
            guard try link.attributes(hidden, followsLinks: false, doing).size == length else {
                throw TransferFailure(PluginError(.changed, "\(doing): somebody else has changed it meanwhile"))
            }
            if let time { try link.setTime(hidden, time, doing) }
            let other = try link.kind(of: place, doing)
            switch (condition, other) {
            case (_, nil): try link.rename(hidden, place, doing)
            case (.replacing, .file?): try Self.replace(link, place, by: hidden, doing)
            default: throw TransferFailure(PluginError(.exists, "\(doing): something has that name already"))
            }
        }
        isEnded = true
        return WrittenFile()
    }

    func suspend() async {
        guard draft.token != nil else { return await abandon() }
        isEnded = true
        pool.close(file: number)
    }

    func abandon() async {
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

    /// The protocol replaces nothing: the old file is set aside, and comes back when the new one cannot take its place.
    private static func replace(
        _ link: SSHLink, _ place: [UInt8], by hidden: [UInt8], _ doing: String
    ) throws(TransferFailure) {
        let folder = place[...(place.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
        let aside = Array(folder) + UnfinishedName.of(nil)
        try link.rename(place, aside, doing)
        do throws(TransferFailure) { try link.rename(hidden, place, doing) } catch {
            try link.rename(aside, place, doing)
            throw error
        }
        try link.remove(aside, doing)
    }
}
