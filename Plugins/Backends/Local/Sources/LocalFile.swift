import Glibc
import VitrineKit

/// An open regular file.
final class LocalFile: ByteSource {
    let entry: Entry
    let head: [UInt8]?
    private let root: RootFolder
    private let path: ItemPath
    private let descriptor: Descriptor
    /// `nil` when the way to it is not straight.
    private let openRoot: OpenRoot?

    /// Bytes of the head: what tells types apart, in one page of the system's.
    private static let headSize = 4096

    /// Opens a path and reads its head. What was looked at is what is read: the decision is made on the open descriptor.
    init(_ root: RootFolder, _ path: ItemPath) throws(PluginError) {
        self.root = root
        self.path = path
        guard let parent = path.parent else {
            throw PluginError(.notAFile, "'\(root.text(path))' is a folder, not a file")
        }
        var status = stat()
        let opened: Descriptor
        if let straight = root.file(straight: path, &status) {
            openRoot = straight.root
            opened = straight.file
        } else {
            openRoot = nil
            opened = try Self.opened(root, path, in: parent, &status)
        }
        entry = Entry(path.name, status)
        try Self.check(entry, root.text(path))
        // Now that there is a thread for it; a head that cannot be read is an error of the reading, not of the opening.
        head = try? Self.bytes(of: opened, status, at: 0, count: Self.headSize, root.text(path))
        descriptor = opened
    }

    /// Opens a file step by step, so that what stands in the way is known.
    private static func opened(
        _ root: RootFolder, _ path: ItemPath, in parent: ItemPath, _ status: inout stat
    ) throws(PluginError) -> Descriptor {
        let name = path.name
        let folder = try root.folder(parent)
        // Opening a device or a pipe can already do something: look before, and again after.
        guard let before = root.status(name, in: folder.number) else {
            throw PluginError(errno: errno, "cannot open '\(root.text(path))'")
        }
        try check(Entry(name, before), root.text(path))
        guard let opened = Descriptor(name, in: folder.number, flags: O_RDONLY | O_NONBLOCK | root.linkFlag),
            fstat(opened.number, &status) == 0
        else { throw PluginError(errno: errno, "cannot open '\(root.text(path))'") }
        return opened
    }

    var fileDescriptor: CInt? { descriptor.number }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        try checkRange(at: offset, count: count)
        return try await Blocking.run { () throws(PluginError) in
            guard let status = self.descriptor.status() else {
                throw PluginError(errno: errno, "cannot look at '\(self.root.text(self.path))'")
            }
            return try Self.bytes(
                of: self.descriptor, status, at: offset, count: count, self.root.text(self.path))
        }
    }

    func current() async throws(PluginError) -> Entry {
        try await Blocking.run { () throws(PluginError) in
            if let openRoot = self.openRoot,
                let status = self.root.status(of: self.path, ifStill: self.entry, from: openRoot)
            {
                return Entry(self.path.name, status)
            }
            guard let open = self.descriptor.status() else {
                throw PluginError(errno: errno, "cannot look at '\(self.root.text(self.path))'")
            }
            // A file that was replaced is another one under the same name; the open one did not change.
            let named = try self.root.entry(self.path)
            let mine = Entry(named.name, open)
            return named.identifier == mine.identifier && named.volume == mine.volume ? mine : named
        }
    }

    private static func bytes(
        of descriptor: borrowing Descriptor, _ status: stat, at offset: Int64, count: Int,
        _ path: @autoclosure () -> String
    ) throws(PluginError) -> [UInt8] {
        // Memory for what is there, not for what was asked for.
        let count = Int(min(Int64(count), max(0, Int64(status.st_size) - offset)))
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let got = pread(
                    descriptor.number, room.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + filled)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                filled += got
            }
        }
        guard failure == 0 else { throw PluginError(errno: failure, "cannot read '\(path())'") }
        return bytes
    }

    private static func check(_ entry: Entry, _ path: @autoclosure () -> String) throws(PluginError) {
        switch entry.kind {
        case .file: return
        case .folder: throw PluginError(.notAFile, "'\(path())' is a folder, not a file")
        case .link: throw PluginError(.notAFile, "'\(path())' is a link; links are followed only when the user asks")
        default: throw PluginError(.notAFile, "'\(path())' is a pipe, socket or device; such are never opened")
        }
    }
}
