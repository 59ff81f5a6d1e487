import CPlatform
import FileBytes
import Glibc
import Synchronization
import VitrineKit

/// Blocks on disk: `SERVER/ITEM/INDEX`, a file for each, that begins with the XXH3 of its content.
///
/// A file is complete or not there: it is written under another name and renamed. A power failure may leave one that is
/// not what it should be, which the hash tells. Beside the blocks, `places` says what the item lies below, in digests of 32
/// characters each.
final class BlockFolder: Sendable {
    private let path: String
    private let limit: Int64
    /// Bytes on disk as far as this process knows; `nil` until it has looked.
    private let known = Mutex<Int64?>(nil)
    private let number = Atomic(0)

    private static let hashSize = 8
    /// Bytes of a digest, which folders have for names.
    private static let nameSize = 32
    private static let places = "places"
    /// The most files that are counted: those of 64 GiB.
    private static let mostFiles: Int64 = 1 << 20
    /// How often a folder is emptied again that others write into.
    private static let attempts = 16

    init(_ path: String, limit: Int64) {
        self.path = path
        self.limit = limit
    }

    func read(_ version: ItemVersion, _ index: Int64) -> [UInt8]? {
        guard let content = Self.content(of: file(version, index), atMost: Int(BlockCache.block)) else { return nil }
        // What is used stays: the folder's time is that of its last use.
        utimensat(AT_FDCWD, folder(version), nil, 0)
        return content
    }

    /// What a file holds behind its hash; `nil` when it is not what was written.
    private static func content(of file: String, atMost limit: Int) -> [UInt8]? {
        let fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        let bytes = FileBytes.read(hashSize + limit, from: fd).bytes
        guard bytes.count > hashSize else { return nil }
        let content = Array(bytes[hashSize...])
        return bytes[..<hashSize].elementsEqual(hash(content)) ? content : nil
    }

    /// Writes a block. A disk that is full or cannot be written to keeps none.
    func write(_ bytes: [UInt8], _ version: ItemVersion, _ index: Int64) {
        let target = file(version, index)
        guard access(target, F_OK) != 0 else { return }
        let size = Int64(Self.hashSize + bytes.count)
        makeRoom(for: size)
        if makeFolders(version) {
            write(Array(version.places.joined().utf8), to: folder(version) + "/" + Self.places, in: folder(version))
        }
        write(bytes, to: target, in: folder(version))
    }

    private func write(_ bytes: [UInt8], to target: String, in folder: String) {
        let turn = number.add(1, ordering: .relaxed).newValue
        let temporary = "\(folder)/.\(getpid()).\(turn)"
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fd >= 0 else { return }
        let content = Self.hash(bytes) + bytes
        let done = Glibc.write(fd, content, content.count)
        close(fd)
        guard done == content.count, rename(temporary, target) == 0 else {
            unlink(temporary)
            return
        }
        known.withLock { $0 = ($0 ?? 0) + Int64(content.count) }
    }

    /// Removes what is kept of a server.
    func remove(_ server: String) throws(PluginError) { try removeFolder(path + "/" + server) }

    /// Removes what is kept of items that lie at or below places.
    /// - Parameter places: their digests.
    func remove(below places: Set<String>) throws(PluginError) {
        var failure: PluginError?
        for item in items(below: places) {
            do throws(PluginError) { try removeFolder(item) } catch { failure = failure ?? error }
        }
        // As far as they are empty now.
        for server in Self.names(in: path) { rmdir("\(path)/\(server)") }
        if let failure { throw failure }
        rmdir(path)
    }

    /// Bytes that are kept of items that lie at or below places.
    func usage(below places: Set<String>) -> Int64 {
        items(below: places).reduce(0) { sum, item in
            var bytes: Int64 = 0
            _ = vp_folder_usage(item, Self.mostFiles, &bytes)
            return sum + bytes
        }
    }

    /// The folders of items at or below places, and of those that do not say where they lie.
    private func items(below places: Set<String>) -> [String] {
        items().map(\.path).filter { item in
            guard
                let bytes = Self.content(of: "\(item)/\(Self.places)", atMost: ItemVersion.mostPlaces * Self.nameSize),
                bytes.count.isMultiple(of: Self.nameSize)
            else { return true }
            return stride(from: 0, to: bytes.count, by: Self.nameSize).contains {
                places.contains(String(decoding: bytes[$0..<$0 + Self.nameSize], as: UTF8.self))
            }
        }
    }

    private func removeFolder(_ folder: String) throws(PluginError) {
        var place = folder
        // Who reads from there meanwhile might put a block into a folder that was just emptied.
        let aside = path + "/.removed-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        if rename(place, aside) == 0 { place = aside }
        var failure = vp_remove_tree(place)
        // And may have been about to when it was put aside.
        for _ in 0..<Self.attempts where failure == -ENOTEMPTY { failure = vp_remove_tree(place) }
        known.withLock { $0 = nil }
        guard failure >= 0 else {
            throw PluginError(errno: -failure, "cannot remove what was kept in '\(DisplayText.of(place))'")
        }
    }

    /// Removes what is kept, of all servers.
    func removeAll() throws(PluginError) {
        var failure: PluginError?
        for server in Self.names(in: path) {
            do throws(PluginError) { try remove(server) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
        // Nobody misses it, and whoever needs it makes it.
        rmdir(path)
    }

    /// Bytes on disk, as far as they could be counted: others may remove folders meanwhile.
    var usage: Int64 {
        var bytes: Int64 = 0
        _ = vp_folder_usage(path, Self.mostFiles, &bytes)
        return bytes
    }

    /// Removes the items that were not used for the longest time, down to four fifths of the limit.
    private func makeRoom(for size: Int64) {
        known.withLock { known in
            let before = known ?? usage
            known = before
            guard before + size > limit else { return }
            // Other processes write here too: look before anything is removed.
            var left = usage
            for item in items().sorted(by: { $0.used < $1.used }) where left + size > limit / 5 * 4 {
                var bytes: Int64 = 0
                _ = vp_folder_usage(item.path, Self.mostFiles, &bytes)
                if vp_remove_tree(item.path) >= 0 { left -= bytes }
            }
            known = left
        }
    }

    private func items() -> [(path: String, used: Timestamp)] {
        Self.names(in: path).flatMap { source in
            Self.names(in: "\(path)/\(source)").compactMap { item in
                let place = "\(path)/\(source)/\(item)"
                var status = stat()
                guard lstat(place, &status) == 0 else { return nil }
                let time = Timestamp(
                    seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(clamping: status.st_mtim.tv_nsec))
                return (place, time)
            }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            // Only what this type made.
            if name.utf8.count == nameSize, name.utf8.allSatisfy({ $0 != UInt8(ascii: ".") }) { names.append(name) }
        }
        return names
    }

    /// - Returns: whether the item's was not there.
    private func makeFolders(_ version: ItemVersion) -> Bool {
        let place = folder(version)
        if mkdir(place, 0o700) == 0 { return true }
        guard errno == ENOENT else { return false }
        var parent = ""
        for part in place.split(separator: "/", omittingEmptySubsequences: true) {
            parent += "/" + part
            mkdir(parent, 0o700)
        }
        return true
    }

    private func folder(_ version: ItemVersion) -> String { "\(path)/\(version.server)/\(version.item)" }
    private func file(_ version: ItemVersion, _ index: Int64) -> String { "\(folder(version))/\(index)" }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: vp_hash64(bytes, bytes.count).littleEndian) { Array($0) }
    }
}
