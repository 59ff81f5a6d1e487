import Catalog
import VitrineKit

/// The folders of a moved source at their new place, where files have other times than they had.
struct NewPlace: Sendable {
    private let storage: Storage
    /// The folder that was listed last, and the files in it.
    private var listed: (folder: ItemPath, files: [[UInt8]: Entry])?

    /// How many files of one folder are held; what else is in it is for the next run to find.
    private static let fileLimit = 1 << 17

    init(_ storage: Storage) { self.storage = storage }

    /// A file as it is listed at its new place, if that shows it to be what it was: one of the same size whose time is the
    /// same as far as the storage that counts in larger steps tells it, or whose version has the same mark.
    /// - Parameter path: in the new place.
    /// - Throws: `offline` and `cancelled`. Of a folder that cannot be listed nothing is known.
    mutating func entry(of item: LeavingItem, at path: ItemPath) async throws(PluginError) -> Entry? {
        guard let folder = path.parent else { return nil }
        let files: [[UInt8]: Entry]
        if let listed, listed.folder == folder {
            files = listed.files
        } else {
            files = try await list(folder)
            listed = (folder, files)
        }
        guard let entry = files[path.name], let size = entry.size, size == item.size, let there = entry.modified,
            let known = item.modified
        else { return nil }
        let hasSameMark = entry.etag != nil && entry.etag == item.etag
        return hasSameMark || Self.agree(there, known) ? entry : nil
    }

    private func list(_ folder: ItemPath) async throws(PluginError) -> [[UInt8]: Entry] {
        var files: [[UInt8]: Entry] = [:]
        var pages = storage.pages(of: folder).makeAsyncIterator()
        do throws(PluginError) {
            while files.count < Self.fileLimit, let page = try await pages.next() {
                for entry in page where entry.kind == .file { files[entry.name] = entry }
            }
        } catch {
            if error.code == .offline || error.code == .cancelled { throw error }
        }
        return files
    }

    /// Whether two times are the same, or one is the other one rounded down to a step in which storages count.
    static func agree(_ one: Timestamp, _ other: Timestamp) -> Bool {
        if one == other { return true }
        return steps.contains { step in one.roundedDown(to: step) == other || other.roundedDown(to: step) == one }
    }

    /// In nanoseconds: those of FAT; of SFTP, WebDAV and HTTP; of exFAT; of tools that count microseconds; of NTFS and SMB.
    private static let steps: [Int64] = [2_000_000_000, 1_000_000_000, 10_000_000, 1000, 100]
}

extension Timestamp {
    /// The last moment before this one, or this one, at which a clock ticks.
    /// - Parameter step: nanoseconds between two ticks: whole seconds, or a part of one that divides it.
    fileprivate func roundedDown(to step: Int64) -> Timestamp {
        guard step >= 1_000_000_000 else {
            return Timestamp(seconds: seconds, nanoseconds: nanoseconds - nanoseconds % UInt32(step))
        }
        let length = step / 1_000_000_000
        let rest = (seconds % length + length) % length
        let (rounded, overflows) = seconds.subtractingReportingOverflow(rest)
        return overflows ? self : Timestamp(seconds: rounded)
    }
}
