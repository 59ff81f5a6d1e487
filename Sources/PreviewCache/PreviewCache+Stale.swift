import Glibc
import VitrineKit

extension PreviewCache {
    /// Deletes what was made of an earlier state of an item: file managers that look for the largest size first find such a
    /// preview, and none that is valid. Of other programs only previews in the standard's sizes go, which nobody takes for
    /// valid any more. What is damaged, or does not say of which state it is, stays.
    ///
    /// Costs an open for each place that is looked at: call it for items that are known to have changed.
    /// - Parameters:
    ///   - subject: the item as it is now; nothing is deleted when its time is not known.
    ///   - kept: sizes of the standard that are valid, since they were written just now.
    ///   - known: previews in the own store to look at besides those of the standard's sizes.
    /// - Returns: how many were deleted.
    @discardableResult
    public func removeStale(
        of subject: Subject, besides kept: [PreviewSize], known: [(size: PreviewSize, variant: Variant)] = []
    ) -> Int {
        let shared = PreviewSize.standard.filter { !kept.contains($0) }.map { (size: $0, variant: Variant.standard) }
        let own = known.filter { standard.path(subject, $0.size, $0.variant) == nil }
        return (shared + own).reduce(0) { count, place in
            count + (removeStale(of: subject, at: entry(subject, place.size, place.variant).path) ? 1 : 0)
        }
    }

    private func removeStale(of subject: Subject, at path: String) -> Bool {
        guard let found = FileState(path), let now = subject.modified?.seconds, let facts = EntryFacts(path: path),
            facts.uri == subject.uri,
            let then = facts.modified
        else { return false }
        let isOther = then != now || subject.size.map { size in facts.size.map { $0 != size } ?? false } ?? false
        guard isOther else { return false }
        let occupied = facts.isOurs ? occupiedByOurs(path) : 0
        // Another process may have put a new one there since.
        guard FileState(path) == found, unlink(path) == 0 else { return false }
        account(-occupied)
        return true
    }
}

/// Which file lies at a path, and since when it is as it is.
private struct FileState: Equatable {
    private let (device, inode): (dev_t, ino_t)
    private let (seconds, nanoseconds): (Int, Int)

    /// - Returns: `nil` when there is none.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
        (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}
