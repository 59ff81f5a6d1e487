import Dispatch
import Glibc
import VitrineKit

/// Folders that are watched with inotify(7), a watch for each.
///
/// Watches hang on folders, not on names: one that was moved is known by its old path until it is added again, which
/// gives the same watch its new path.
final class InotifyWatch: FolderWatch {
    private let root: RootFolder
    private let folderLimit: Int
    let queue: InotifyQueue
    /// Closed when nobody needs the watch any more, which ends the thread that reads.
    private let life: CInt

    /// From linux/inotify.h. Writing itself is not noticed, only its end: a file that grows for hours costs nothing.
    private static let mask: CInt =
        IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
        | IN_ONLYDIR | IN_EXCL_UNLINK

    /// - Parameters:
    ///   - root: the source.
    ///   - folderLimit: how many folders may be watched. Default: as many as the system allows.
    ///   - changeLimit: how many changed folders are kept until somebody asks for them.
    /// - Throws: `unsupported`, `limitExceeded`; see ``WatchableBackend/watch()``.
    init(_ root: RootFolder, folderLimit: Int = .max, changeLimit: Int = 1 << 14) throws(PluginError) {
        self.root = root
        self.folderLimit = folderLimit
        let folder = try root.folder(.root)
        if let name = ForeignFileSystem.name(at: folder.number) {
            throw PluginError(
                .unsupported,
                "'\(root.text(.root))' lies on a file system (\(name)) whose changes the system does not tell; it is "
                    + "looked at from time to time instead")
        }
        let notices = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard notices >= 0 else {
            let reason = errno
            guard reason == EMFILE else { throw PluginError(errno: reason, "changes cannot be watched") }
            throw PluginError(
                .limitExceeded,
                "the system allows this user no further watch (fs.inotify.max_user_instances); folders are looked at "
                    + "from time to time instead")
        }
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            let reason = errno
            close(notices)
            throw PluginError(errno: reason, "changes cannot be watched")
        }
        life = ends[1]
        queue = InotifyQueue(changeLimit: changeLimit)
        let (queue, end) = (queue, ends[0])
        queue.open(notices, keepsOtherPaths: root.followsLinks)
        // A thread of its own, which waits.
        DispatchQueue(label: "vitrine.inotify").async { queue.read(notices, until: end) }
    }

    deinit { close(life) }

    func add(_ folders: [ItemPath]) async -> [PluginError?] {
        let (root, queue, limit) = (root, queue, folderLimit)
        do throws(PluginError) {
            return try await Blocking.run { () throws(PluginError) in
                folders.map { folder in
                    do throws(PluginError) {
                        try Self.add(folder, root, queue, limit)
                        return nil
                    } catch { return error }
                }
            }
        } catch {
            return folders.map { _ in error }
        }
    }

    private static func add(
        _ folder: ItemPath, _ root: RootFolder, _ queue: InotifyQueue, _ limit: Int
    ) throws(PluginError) {
        let place = try root.folder(folder)
        if root.crossesFileSystems, let name = ForeignFileSystem.name(at: place.number) {
            throw PluginError(
                .limitExceeded,
                "'\(root.text(folder))' lies on a file system (\(name)) whose changes the system does not tell; it is "
                    + "looked at from time to time instead")
        }
        // Of the root also its own moves: all paths are wrong then.
        let mask = UInt32(bitPattern: Self.mask | (folder.isRoot ? IN_MOVE_SELF : 0))
        // What was walked to is watched, not what has that name by now.
        let reason = queue.add(folder, limit: limit) { notices in
            inotify_add_watch(notices, "/proc/self/fd/\(place.number)", mask)
        }
        if reason == ENOSPC {
            throw PluginError(
                .limitExceeded,
                "this user has as many watches as the system allows, so that '\(root.text(folder))' and others are "
                    + "looked at from time to time instead; raise fs.inotify.max_user_watches with sysctl to watch them"
            )
        }
        if reason != 0 { throw PluginError(errno: reason, "cannot watch the folder '\(root.text(folder))'") }
    }

    func remove(_ folder: ItemPath) { queue.remove(folder) }

    func next() async -> FolderChanges { await queue.next() }
}
