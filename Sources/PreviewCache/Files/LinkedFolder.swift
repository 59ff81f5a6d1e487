import Glibc
import VitrineKit

/// Links in the places of folders of the cache. Whoever can set one, or write to where it leads, would have previews written to
/// a place of their choice. Looked at before each is written, and before anything else is written or swept up; reading follows
/// links.
enum LinkedFolder {
    /// Refuses a folder of a store that lies behind a link which need not be the user's own choice: the link is of another
    /// user, or leads into a folder that is, or that others may write to.
    ///
    /// A store as a whole may lie anywhere, since on many a disk to which people move it all files are of one user, and anybody
    /// may write to them. The link to it must be the user's own, or root's, all the same.
    /// - Parameters:
    ///   - path: the folder, which need not be there.
    ///   - root: the store.
    /// - Throws: `forbidden`.
    static func check(_ path: String, in root: String) throws(PluginError) {
        var place = path
        while true {
            try checkLink(place, isStore: place == root)
            guard place.utf8.count > root.utf8.count else { return }
            place = Path.parent(place)
        }
    }

    /// Whether ``check(_:in:)`` has nothing against a folder.
    static func isFine(_ path: String, in root: String) -> Bool { (try? check(path, in: root)) != nil }

    private static func checkLink(_ path: String, isStore: Bool) throws(PluginError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw refusal(of: path, "is a link that belongs to another user")
        }
        // One that leads nowhere is said to do so by who opens it.
        guard !isStore, stat(path, &status) == 0 else { return }
        guard status.st_uid == geteuid() else { throw refusal(of: path, "is a link to a folder of another user") }
        guard !isOpenToOthers(status) else {
            throw refusal(of: path, "is a link to a folder to which other users may write")
        }
    }

    /// Whether somebody else may write to a file or folder of this user. On many systems each user has a group.
    static func isOpenToOthers(_ status: stat) -> Bool {
        status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && status.st_gid != getegid()
    }

    private static func refusal(of path: String, _ what: String) -> PluginError {
        PluginError(
            .forbidden,
            "nothing is written to the cache's folder '\(DisplayText.of(path))', which \(what); replace the link by a folder of "
                + "your own, or move the cache with XDG_CACHE_HOME")
    }
}
