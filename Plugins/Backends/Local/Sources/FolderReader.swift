import CFolderScan
import Glibc
import Synchronization
import VitrineKit

/// An open folder that is read page by page, or as a whole; closed with it.
final class FolderReader: Sendable {
    private static let pageSize = 512

    private let root: RootFolder
    private let folder: ItemPath
    /// Folders from the root to this one, for links that lead back to one of them; none where links are not followed.
    private let above: Set<RootFolder.Identity>
    private let scan: Mutex<FolderScan>

    init(_ root: RootFolder, _ folder: ItemPath) throws(PluginError) {
        self.root = root
        self.folder = folder
        var above: Set<RootFolder.Identity> = []
        let place =
            root.followsLinks
            ? try root.folder(folder) { above.insert(RootFolder.Identity($0)) } : try root.folder(folder)
        self.above = above
        guard let opened = FolderScan(of: place.number, followsLinks: root.followsLinks) else {
            throw PluginError(errno: errno, "cannot list the folder '\(root.text(folder))'")
        }
        scan = Mutex(opened)
    }

    private var name: String { root.text(folder) }

    /// The next entries; none at the end.
    /// - Throws: what ended the listing too early.
    func page() throws(PluginError) -> [Entry] {
        try scan.withLock { scan throws(PluginError) in
            var entries: [Entry] = []
            entries.reserveCapacity(Self.pageSize)
            while entries.count < Self.pageSize, let found = try next(scan) { entries.append(entry(found)) }
            return entries
        }
    }

    /// The folder as a whole.
    /// - Parameters:
    ///   - known: an earlier digest; entries are made only if it is another one now.
    ///   - limit: how many entries may be held at once.
    func snapshot(unless known: FolderDigest?, limit: Int) throws(PluginError) -> FolderSnapshot {
        try scan.withLock { scan throws(PluginError) in
            if let known {
                var digest = FolderScan.Digest()
                while let found = try next(scan) { digest.add(found) }
                if digest.value == known { return FolderSnapshot(digest: known, content: .unchanged) }
                guard scan.rewind() else { throw PluginError(errno: errno, "cannot list the folder '\(name)' again") }
            }
            var digest = FolderScan.Digest()
            var entries: [Entry] = []
            var isTooLong = false
            while let found = try next(scan) {
                digest.add(found)
                if entries.count >= limit {
                    isTooLong = true
                    entries = []
                }
                if !isTooLong { entries.append(entry(found)) }
            }
            return FolderSnapshot(digest: digest.value, content: isTooLong ? .tooMany : .entries(entries))
        }
    }

    private func next(_ scan: FolderScan) throws(PluginError) -> FolderScan.Found? {
        do throws(FolderScan.Broken) { return try scan.next() } catch {
            throw PluginError(errno: error.reason, "the listing of the folder '\(name)' broke off")
        }
    }

    private func entry(_ found: FolderScan.Found) -> Entry {
        var entry = Entry(found)
        if entry.kind == .folder, Int(found.type) == Int(DT_LNK), let identity = RootFolder.Identity(entry),
            above.contains(identity)
        {
            entry.kind = .link
        }
        return entry
    }
}
