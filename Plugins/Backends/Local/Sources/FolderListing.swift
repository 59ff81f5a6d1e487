import Glibc
import Synchronization
import VitrineKit

/// One level of a folder, as pages.
struct FolderListing: AsyncSequence, Sendable {
    let root: RootFolder
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let root: RootFolder
        let folder: ItemPath
        private var reader: FolderReader?

        init(root: RootFolder, folder: ItemPath) {
            self.root = root
            self.folder = folder
        }

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PluginError) -> [Entry]? {
            let reader: FolderReader
            if let known = self.reader {
                reader = known
            } else {
                let (root, folder) = (root, folder)
                reader = try await Blocking.run { () throws(PluginError) in try FolderReader(root, folder) }
                self.reader = reader
            }
            let page = try await Blocking.run { () throws(PluginError) in try reader.page() }
            return page.isEmpty ? nil : page
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(root: root, folder: folder) }
}

/// An open folder that is read page by page; closed with it.
private final class FolderReader: Sendable {
    private static let pageSize = 512

    private let root: RootFolder
    private let name: String
    /// Folders from the root to this one, for links that lead back to one of them.
    private let above: Set<RootFolder.Identity>
    private let stream: Mutex<OpaquePointer>

    init(_ root: RootFolder, _ folder: ItemPath) throws(PluginError) {
        self.root = root
        name = root.text(folder)
        var above: Set<RootFolder.Identity> = []
        let place = try root.folder(folder) { above.insert(RootFolder.Identity($0)) }
        self.above = above
        let descriptor = openat(place.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, let opened = fdopendir(descriptor) else {
            let reason = errno
            if descriptor >= 0 { close(descriptor) }
            throw PluginError(errno: reason, "cannot list the folder '\(name)'")
        }
        stream = Mutex(opened)
    }

    deinit { _ = stream.withLock { closedir($0) } }

    /// The next entries; none at the end.
    /// - Throws: what ended the listing too early.
    func page() throws(PluginError) -> [Entry] {
        try stream.withLock { stream throws(PluginError) in
            var entries: [Entry] = []
            entries.reserveCapacity(Self.pageSize)
            while entries.count < Self.pageSize {
                errno = 0
                guard let found = readdir(stream) else {
                    if errno == 0 { break }
                    throw PluginError(errno: errno, "the listing of the folder '\(name)' broke off")
                }
                if let entry = entry(found, in: dirfd(stream)) { entries.append(entry) }
            }
            return entries
        }
    }

    private func entry(_ found: UnsafeMutablePointer<dirent>, in folder: CInt) -> Entry? {
        let name = withUnsafeBytes(of: &found.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        if name == [UInt8(ascii: ".")] || name == [UInt8(ascii: "."), UInt8(ascii: ".")] { return nil }
        guard let status = root.status(name, in: folder) else {
            // Gone since it was read: not part of the folder any more.
            return errno == ENOENT ? nil : Entry(name, type: found.pointee.d_type)
        }
        var entry = Entry(name, status)
        if entry.kind == .folder, Int(found.pointee.d_type) == Int(DT_LNK), above.contains(RootFolder.Identity(status))
        {
            entry.kind = .link
        }
        return entry
    }
}
