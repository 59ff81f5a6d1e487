import Glibc
import VitrineKit

/// Deletes entries, and keeps the account of it.
struct EntryRemover {
    let tree: CacheTree
    let isDryRun: Bool
    let onRemoved: ((RemovedEntry) -> Void)?
    var report = CollectionReport()

    /// Deletes an entry that is still the one that was looked at. One that was replaced meanwhile stays, and so does one
    /// that goes for want of use and was used.
    /// - Returns: whether it is gone, or would be.
    mutating func remove(
        _ record: EntryRecord, _ folder: OpenFolder, _ name: String, _ facts: EntryFacts?,
        _ reason: RemovedEntry.Reason
    ) -> Bool {
        if !isDryRun {
            guard let status = folder.status(name), status.st_mode & S_IFMT == S_IFREG,
                record.isUnchanged(status), ![.unused, .evicted].contains(reason) || record.isUnused(status)
            else { return false }
            let code = folder.remove(name)
            guard code == 0 else {
                fail(code, name)
                return false
            }
        }
        report.removed[reason, default: CacheTally()].add(record)
        onRemoved?(RemovedEntry(name, tree.places[Int(record.place)], facts, reason))
        return true
    }

    private mutating func fail(_ code: CInt, _ name: String) {
        report.failures += 1
        if report.firstFailure == nil {
            report.firstFailure = PluginError(cacheErrno: code, "cannot delete the entry '\(name)' of the cache")
        }
    }
}
