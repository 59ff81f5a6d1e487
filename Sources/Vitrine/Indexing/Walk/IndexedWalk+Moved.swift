import Catalog
import Glibc
import PreviewCache
import VitrineKit

// Files that are found at another place than the one where they were known.
extension IndexedWalk {
    /// What is said of an item that has moved here.
    /// - Parameters:
    ///   - was: the item at its old place.
    ///   - home: the source of the old place.
    /// - Returns: `nil` when that source is no longer known.
    func moved(_ was: RemovedItem, _ home: SourceID) throws(PluginError) -> MovedItem? {
        guard let root = try root(of: home) else { return nil }
        return MovedItem(
            uri: root.appending(was.path), name: was.path.name, scheme: root.scheme, previews: was.previews,
            isSettled: false)
    }

    /// Whether nothing of an item is left at the place where it was known.
    /// - Parameters:
    ///   - old: the path of that place in its source.
    ///   - home: the source of the old place: this one, or another one that may have its turn later, or not at all.
    ///   - entry: the item at its new place.
    ///   - path: the new place.
    func hasLeft(_ old: ItemPath, of home: SourceID, _ entry: Entry, at path: ItemPath) async throws(PluginError)
        -> Bool
    {
        guard home == source.id, let place = local(old) else {
            return try hasLeft(old, ofOther: home, entry, at: path)
        }
        do throws(PluginError) {
            let there = try await storage.stat(place)
            return there.identifier != entry.identifier
        } catch { return error.code == .notFound }
    }

    /// The same for a place outside of what is walked, in this source or another one, if both are folders of this machine.
    ///
    /// What lies on a server is not asked, which may not answer. Where a disk is not mounted nothing has left: the folder of
    /// the old place, or the nearest one above it that is there and was no disk's, must be on the file system of the new one,
    /// between which files move as they are. The source's own folder must be there.
    private func hasLeft(
        _ old: ItemPath, ofOther home: SourceID, _ entry: Entry, at path: ItemPath
    ) throws(PluginError) -> Bool {
        guard let own = storage.localRoot, let other = try root(of: home), other.scheme == "file",
            let folder = old.parent, let ownFolder = path.parent, !PreviewCache.isOnServer(other.path),
            let volume = try nearestVolume(of: folder, in: other, home),
            volume == FileSystemRoot.volume(of: Self.path(own, ownFolder))
        else { return false }
        var there = stat()
        let name = Self.path(other.path, old).map { CChar(bitPattern: $0) } + [0]
        guard lstat(name, &there) == 0 else { return errno == ENOENT }
        return UInt64(there.st_ino) != entry.identifier
    }

    private func root(of home: SourceID) throws(PluginError) -> SourceURI? {
        let owner = home == source.id ? source.uri : try catalog.sources().first { $0.id == home }?.uri
        return owner.flatMap { try? SourceURI($0) }
    }

    /// The file system of a folder, or of the nearest one above it that is there.
    /// - Returns: `nil` where the disk of what lay below it is not mounted, and when the source is not there.
    private func nearestVolume(
        of folder: ItemPath, in root: SourceURI, _ home: SourceID
    ) throws(PluginError) -> UInt64? {
        var there = folder
        while true {
            let path = Self.path(root.path, there)
            if let volume = FileSystemRoot.volume(of: path) {
                if there == folder || FileSystemRoot.isMountPoint(path) { return volume }
                return try catalog.isMountPoint(there, of: home) ? nil : volume
            }
            guard let above = there.parent else { return nil }
            there = above
        }
    }

    private static func path(_ root: [UInt8], _ path: ItemPath) -> [UInt8] {
        path.isRoot ? root : root + [UInt8(ascii: "/")] + path.bytes
    }
}
