import CPlatform
import Glibc
import Synchronization
import VitrineKit

/// Blocks on disk: `SERVER/ITEM/INDEX`, a file for each, that begins with the XXH3 of its content.
///
/// A file is complete or not there: it is written under another name and renamed. A power failure may leave one that is
/// not what it should be, which the hash tells.
final class BlockFolder: Sendable {
    private let path: String
    private let limit: Int64
    /// Bytes on disk as far as this process knows; `nil` until it has looked.
    private let known = Mutex<Int64?>(nil)
    private let number = Atomic(0)

    private static let hashSize = 8
    /// The most files that are counted: those of 64 GiB.
    private static let mostFiles: Int64 = 1 << 20

    init(_ path: String, limit: Int64) {
        self.path = path
        self.limit = limit
    }

    func read(_ version: ItemVersion, _ index: Int64) -> [UInt8]? {
        let fd = open(file(version, index), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        let most = Self.hashSize + Int(BlockCache.block)
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { room, count in
            while count < most {
                let got = Glibc.read(fd, room.baseAddress.map { $0 + count }, most - count)
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                count += got
            }
        }
        guard bytes.count > Self.hashSize else { return nil }
        let content = Array(bytes[Self.hashSize...])
        guard bytes[..<Self.hashSize].elementsEqual(Self.hash(content)) else { return nil }
        // What is used stays: the folder's time is that of its last use.
        utimensat(AT_FDCWD, folder(version), nil, 0)
        return content
    }

    /// Writes a block. A disk that is full or cannot be written to keeps none.
    func write(_ bytes: [UInt8], _ version: ItemVersion, _ index: Int64) {
        let target = file(version, index)
        guard access(target, F_OK) != 0 else { return }
        let size = Int64(Self.hashSize + bytes.count)
        makeRoom(for: size)
        makeFolders(version)
        let turn = number.add(1, ordering: .relaxed).newValue
        let temporary = "\(folder(version))/.\(getpid()).\(turn)"
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fd >= 0 else { return }
        let content = Self.hash(bytes) + bytes
        let done = Glibc.write(fd, content, content.count)
        close(fd)
        guard done == content.count, rename(temporary, target) == 0 else {
            unlink(temporary)
            return
        }
        known.withLock { $0 = ($0 ?? 0) + size }
    }

    /// Removes what is kept of a server.
    func remove(_ server: String) throws(PluginError) {
        let place = path + "/" + server
        let failure = vp_remove_tree(place)
        known.withLock { $0 = nil }
        guard failure >= 0 else {
            throw PluginError(errno: -failure, "cannot remove what was kept in '\(DisplayText.of(place))'")
        }
    }

    /// Bytes on disk.
    var usage: Int64 {
        var bytes: Int64 = 0
        return vp_folder_usage(path, Self.mostFiles, &bytes) < 0 ? 0 : bytes
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
            if name.utf8.count == 32, name.utf8.allSatisfy({ $0 != UInt8(ascii: ".") }) { names.append(name) }
        }
        return names
    }

    private func makeFolders(_ version: ItemVersion) {
        let place = folder(version)
        guard mkdir(place, 0o700) != 0, errno == ENOENT else { return }
        var parent = ""
        for part in place.split(separator: "/", omittingEmptySubsequences: true) {
            parent += "/" + part
            mkdir(parent, 0o700)
        }
    }

    private func folder(_ version: ItemVersion) -> String { "\(path)/\(version.server)/\(version.item)" }
    private func file(_ version: ItemVersion, _ index: Int64) -> String { "\(folder(version))/\(index)" }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: vp_hash64(bytes, bytes.count).littleEndian) { Array($0) }
    }
}
