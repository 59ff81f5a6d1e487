import Glibc
import Synchronization

/// Both stores, held open for one piece of housekeeping.
///
/// Below the roots no link is followed, neither to a folder nor to an entry, so that nothing outside is read or deleted.
/// Other processes may write and delete all the while: what is gone is passed over.
final class CacheTree: Sendable {
    /// All places; records name them by index.
    let places: [CachePlace]
    private let folders: [OpenFolder?]
    private let failures: OpenFolder?
    private let linkCount = Mutex(0)
    private let otherCount = Mutex(0)

    /// Links that were met where folders and entries are expected, and left alone.
    var links: Int { linkCount.withLock { $0 } }
    /// Files that are no entries: unfinished ones, and what others put there.
    var others: Int { otherCount.withLock { $0 } }

    private static let mostFailureFolders = 200

    /// Opens what is there.
    init(_ cache: PreviewCache) {
        let root = OpenFolder(root: cache.standard.root)
        var places: [CachePlace] = []
        var folders: [OpenFolder?] = []
        var links = 0
        func folder(_ name: String, in parent: OpenFolder?) -> OpenFolder? {
            guard let parent, let status = parent.status(name) else { return nil }
            if status.st_mode & S_IFMT == S_IFLNK { links += 1 }
            return OpenFolder(name, in: parent)
        }
        for size in PreviewSize.standard {
            places.append(.standard(size))
            folders.append(size.standardName.flatMap { folder($0, in: root) })
        }
        places.append(.own)
        folders.append(OpenFolder(root: cache.own.root))
        let failures = folder("fail", in: root)
        failures?.forEachName { name in
            guard let folder = folder(name, in: failures) else { return true }
            places.append(.failures(name))
            folders.append(folder)
            return places.count < Self.mostFailureFolders
        }
        self.failures = failures
        self.places = places
        self.folders = folders
        linkCount.withLock { $0 = links }
    }

    /// Goes through all entries.
    /// - Parameter body: called with each entry, the folder that holds it and its name.
    func walk(_ body: (EntryRecord, OpenFolder, String) -> Void) {
        for (index, place) in places.enumerated() {
            guard let folder = folders[index] else { continue }
            let number = UInt8(clamping: index)
            guard place == .own else {
                walk(folder, number, "", body)
                continue
            }
            forEachFolder(in: folder, onLink: noteLink) { first, outer in
                forEachFolder(in: first, onLink: noteLink) { second, inner in walk(second, number, outer + inner, body)
                }
            }
        }
    }

    /// - Parameter prefix: how the names begin that belong into the folder.
    private func walk(
        _ folder: OpenFolder, _ place: UInt8, _ prefix: String, _ body: (EntryRecord, OpenFolder, String) -> Void
    ) {
        folder.forEachName { name in
            guard let status = folder.status(name) else { return true }
            if status.st_mode & S_IFMT == S_IFREG, name.hasPrefix(prefix),
                let record = EntryRecord(name, status, place: place)
            {
                body(record, folder, name)
            } else if status.st_mode & S_IFMT == S_IFLNK {
                noteLink()
            } else {
                otherCount.withLock { $0 += 1 }
            }
            return true
        }
    }

    private func noteLink() { linkCount.withLock { $0 += 1 } }

    /// The folder that holds an entry.
    func folder(of record: EntryRecord, name: String) -> OpenFolder? {
        guard let folder = folders[Int(record.place)], places[Int(record.place)] == .own else {
            return folders[Int(record.place)]
        }
        return OpenFolder(String(name.prefix(2)), in: folder)
            .flatMap { OpenFolder(String(name.dropFirst(2).prefix(2)), in: $0) }
    }

    /// Deletes the folders of the own store that hold nothing any more.
    func removeEmptyFolders() {
        for (place, folder) in zip(places, folders) {
            guard let folder, place == .own else { continue }
            forEachFolder(in: folder) { first, name in
                forEachFolder(in: first) { _, second in first.removeEmpty(second) }
                folder.removeEmpty(name)
            }
        }
    }

    /// Deletes an emptied folder of failures.
    func removeFailureFolder(_ name: String) { failures?.removeEmpty(name) }

    /// The folders of one level of the own store, whose names have two hexadecimal digits.
    private func forEachFolder(
        in folder: OpenFolder, onLink: () -> Void = {}, _ body: (OpenFolder, String) -> Void
    ) {
        folder.forEachName { name in
            guard name.utf8.count == 2, UInt8(name, radix: 16) != nil else { return true }
            if let inner = OpenFolder(name, in: folder) {
                body(inner, name)
            } else if folder.status(name).map({ $0.st_mode & S_IFMT == S_IFLNK }) == true {
                onLink()
            }
            return true
        }
    }
}
