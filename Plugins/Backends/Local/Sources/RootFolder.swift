import CFolderScan
import Glibc
import VitrineKit

/// The root of a source, and the way from it to everything below.
struct RootFolder: Sendable {
    let followsLinks: Bool
    let crossesFileSystems: Bool
    private let path: [UInt8]
    private let volume: UInt64

    /// What tells one folder from another, also where names do not.
    struct Identity: Hashable, Sendable {
        var volume: UInt64
        var number: UInt64

        init(_ status: stat) {
            volume = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }

        /// Of an open folder.
        init?(of folder: borrowing Descriptor) { self.init([0], in: folder.number) }

        /// Of the folder that a path leads to. No server is asked: one that hangs is not waited for.
        init?(ofPath path: [UInt8]) { self.init(path.terminated, in: -1) }

        private init?(_ path: [CChar], in folder: CInt) {
            (volume, number) = (0, 0)
            guard cfolderscan_identity(folder, path, &volume, &number) == 0 else { return nil }
        }

        /// - Returns: `nil` when it is not known.
        init?(_ entry: Entry) {
            guard let volume = entry.volume, let number = entry.identifier else { return nil }
            (self.volume, self.number) = (volume, number)
        }
    }

    init(path: [UInt8], followsLinks: Bool, crossesFileSystems: Bool) throws(PluginError) {
        self.path = path
        self.followsLinks = followsLinks
        self.crossesFileSystems = crossesFileSystems
        guard let folder = Descriptor(path, flags: Descriptor.place | O_DIRECTORY), let status = folder.status()
        else {
            throw PluginError(errno: errno, "cannot open the folder '\(DisplayText.of(path))'")
        }
        volume = UInt64(status.st_dev)
    }

    /// The flag that keeps the last component from being a link.
    var linkFlag: CInt { followsLinks ? 0 : O_NOFOLLOW }

    /// A path as people know it.
    func text(_ item: ItemPath) -> String {
        let slash = item.isRoot || path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return DisplayText.of(path + slash + item.bytes)
    }

    /// Walks to a folder.
    /// - Parameters:
    ///   - item: the folder.
    ///   - passing: told about each folder on the way, the last one included. Without it the way is shorter.
    /// - Returns: a descriptor for `*at` calls; it cannot be read itself.
    func folder(_ item: ItemPath, passing: ((stat) -> Void)? = nil) throws(PluginError) -> Descriptor {
        guard var folder = Descriptor(path, flags: Descriptor.place | O_DIRECTORY), let status = folder.status() else {
            throw PluginError(errno: errno, "cannot open the folder '\(DisplayText.of(path))'")
        }
        guard UInt64(status.st_dev) == volume else {
            throw PluginError(
                .offline,
                "'\(DisplayText.of(path))' is on another file system than before: its disk was mounted or removed")
        }
        if passing == nil, let there = straight(to: item, from: folder) { return there }
        passing?(status)
        for component in item.bytes.split(separator: UInt8(ascii: "/")) {
            let flags = Descriptor.place | O_DIRECTORY | linkFlag
            guard let next = Descriptor(Array(component), in: folder.number, flags: flags),
                let status = next.status()
            else { throw PluginError(errno: errno, "cannot enter the folder '\(text(item))'") }
            guard crossesFileSystems || UInt64(status.st_dev) == volume else {
                throw PluginError(
                    .forbidden,
                    "'\(text(item))' is on another file system than its source; such folders are entered only when "
                        + "the source is told to cross file systems")
            }
            passing?(status)
            folder = next
        }
        return folder
    }

    /// Goes to a folder without going folder by folder.
    /// - Returns: `nil` when there is a link or another file system on the way, it is too long, or the system cannot.
    private func straight(to item: ItemPath, from root: borrowing Descriptor) -> Descriptor? {
        if followsLinks || item.isRoot { return nil }
        guard let folder = below(root, item.bytes.terminated, Descriptor.place | O_DIRECTORY) else { return nil }
        // A volume may lie in a file system without being mounted there.
        guard crossesFileSystems || folder.status().map({ UInt64($0.st_dev) }) == volume else { return nil }
        return folder
    }

    /// Opens what lies below the root, where no link is on the way and no other file system may be.
    /// - Returns: `nil` when that is not so, or the system cannot.
    private func below(_ root: borrowing Descriptor, _ path: [CChar], _ flags: CInt) -> Descriptor? {
        guard Self.canOpenBelow else { return nil }
        let opened = cfolderscan_open_below(root.number, path, flags, crossesFileSystems ? 1 : 0)
        return opened >= 0 ? Descriptor(taking: opened) : nil
    }

    /// Whether the system has openat2(2) and lets this process use it, which some containers do not. Asked once, of what is
    /// refused before anything is looked at: the way from a folder to `/` does not lead below it.
    private static let canOpenBelow = cfolderscan_open_below(-1, "/", Descriptor.place, 0) < 0 && errno == EXDEV

    /// Opens a regular file for reading, without going folder by folder.
    ///
    /// Opening a device or a pipe can already do something, and looking at a path can wait for ever for a file system that
    /// was mounted on the way. So the way is gone twice, under guard each time: to look what is there, and to read it. That
    /// is seven calls of the system, with the one that closes the look, however deep the file lies.
    /// - Parameter status: gets what the file is.
    /// - Returns: `nil` when it is none, when there is a link or another file system on the way, or the system cannot: then
    ///   ``folder(_:passing:)`` is the way, which finds out what is the matter.
    func file(straight item: ItemPath, _ status: inout stat) -> StraightFile? {
        // Files on another volume may be entered or not; the slow way knows.
        if followsLinks || crossesFileSystems || item.isRoot { return nil }
        guard let place = Descriptor(path, flags: Descriptor.place | O_DIRECTORY), let root = OpenRoot(place) else {
            return nil
        }
        let path = item.bytes.terminated
        guard let there = below(root.descriptor, path, Descriptor.place | O_NOFOLLOW), let before = there.status(),
            before.st_mode & S_IFMT == S_IFREG,
            let file = below(root.descriptor, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW),
            // No mount was crossed from the root on: where the file lies, the root lies.
            fstat(file.number, &status) == 0, UInt64(status.st_dev) == volume
        else { return nil }
        return StraightFile(file: file, root: root)
    }

    /// What an open file is now, if its path still leads to it, over no link and into no file system that may not be
    /// entered. That is four calls of the system, with the one that closes. The root's path is looked at too: another folder
    /// may have taken its place, or a file system was mounted over it.
    ///
    /// A disk gives the number of an open file to no other one. A server (NFS) or a program (FUSE) may: then another file is
    /// told of, with its own size and time.
    /// - Parameters:
    ///   - file: what it was when it was opened.
    ///   - root: the root that it was opened from.
    /// - Returns: `nil` when it is not so, or not so easy to tell: then ``entry(_:)`` is the way.
    func status(of item: ItemPath, ifStill file: Entry, from root: OpenRoot) -> stat? {
        if followsLinks || item.isRoot { return nil }
        guard Identity(ofPath: path) == root.identity,
            let there = below(root.descriptor, item.bytes.terminated, Descriptor.place | O_NOFOLLOW),
            let status = there.status(), Identity(status) == Identity(file)
        else { return nil }
        return status
    }

    /// What a path is.
    func entry(_ item: ItemPath) throws(PluginError) -> Entry {
        guard let parent = item.parent else {
            guard let status = try folder(item).status() else {
                throw PluginError(errno: errno, "cannot look at '\(text(item))'")
            }
            return Entry([], status)
        }
        let name = item.name
        let folder = try folder(parent)
        guard let status = status(name, in: folder.number) else {
            if errno == ENOENT { throw PluginError(.notFound, "there is no '\(text(item))'") }
            throw PluginError(errno: errno, "cannot look at '\(text(item))'")
        }
        return Entry(name, status)
    }

    /// What a name in a folder is; a link whose target is not there is itself.
    /// - Returns: `nil` with `errno` set when there is nothing.
    func status(_ name: [UInt8], in folder: CInt) -> stat? {
        var status = stat()
        let path = name.terminated
        if followsLinks, fstatat(folder, path, &status, 0) == 0 { return status }
        return fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Whether the effective user has the right to read a file.
    func mayRead(_ item: ItemPath) throws(PluginError) -> Bool {
        guard let parent = item.parent else { return true }
        let folder = try folder(parent)
        return faccessat(folder.number, item.name.terminated, R_OK, AT_EACCESS) == 0 || errno != EACCES
    }
}

/// The root of a source, held open as long as a file is that was opened from it: the file itself keeps its disk from being
/// taken away, too.
final class OpenRoot: Sendable {
    let descriptor: Descriptor
    let identity: RootFolder.Identity

    /// - Returns: `nil` when the system does not tell which folder it is.
    init?(_ descriptor: consuming Descriptor) {
        guard let identity = RootFolder.Identity(of: descriptor) else { return nil }
        self.descriptor = descriptor
        self.identity = identity
    }
}

/// A file, and the root that it was opened from.
struct StraightFile: ~Copyable {
    let file: Descriptor
    let root: OpenRoot
}
