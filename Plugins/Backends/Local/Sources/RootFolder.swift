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
    func text(_ item: ItemPath) -> String { DisplayText.of(absolute(item)) }

    private func absolute(_ item: ItemPath) -> [UInt8] {
        let slash = item.isRoot || path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return path + slash + item.bytes
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

    /// Goes to a folder in one step.
    /// - Returns: `nil` when there is a link or another file system on the way, it is too long, or the system cannot.
    private func straight(to item: ItemPath, from root: borrowing Descriptor) -> Descriptor? {
        if followsLinks || item.isRoot { return nil }
        let opened = folder_enter(root.number, item.bytes.terminated, crossesFileSystems ? 1 : 0)
        guard opened >= 0 else { return nil }
        let folder = Descriptor(taking: opened)
        // A volume may lie in a file system without being mounted there.
        guard crossesFileSystems || folder.status().map({ UInt64($0.st_dev) }) == volume else { return nil }
        return folder
    }

    /// Opens a regular file for reading, in one step from the root.
    /// - Parameter status: gets what the file is.
    /// - Returns: `nil` when it is none, when there is a link or another file system on the way, or the system cannot: then
    ///   ``folder(_:passing:)`` is the way, which finds out what is the matter.
    func file(straight item: ItemPath, _ status: inout stat) -> Descriptor? {
        // Files on another volume may be entered or not; the slow way knows.
        if followsLinks || crossesFileSystems || item.isRoot { return nil }
        guard let root = Descriptor(path, flags: Descriptor.place | O_DIRECTORY) else { return nil }
        let name = item.bytes.terminated
        // Opening a device or a pipe can already do something: look before, and again after.
        guard fstatat(root.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        let opened = folder_open_below(root.number, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
        guard opened >= 0 else { return nil }
        let file = Descriptor(taking: opened)
        // No mount was crossed from the root on: where the file lies, the root lies.
        guard fstat(file.number, &status) == 0, UInt64(status.st_dev) == volume else { return nil }
        return file
    }

    /// What an open file is now, if its path still leads to it; asked in one step. No link that was slipped in on the way can
    /// lead astray: what is compared is the file that is found.
    /// - Parameter file: what it was when it was opened. As long as it is open no other file gets its number.
    func status(of item: ItemPath, ifStill file: Entry) -> stat? {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard fstatat(AT_FDCWD, absolute(item).terminated, &status, flags) == 0, Identity(status) == Identity(file)
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
