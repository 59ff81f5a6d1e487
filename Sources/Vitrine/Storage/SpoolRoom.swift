import Glibc
import Synchronization

/// Where large folders wait on disk, and how much of it all of them may take together.
final class SpoolRoom: Sendable {
    /// That of the process: 256 MiB, about a million entries, in `TMPDIR` or else in `/tmp`.
    static let shared = SpoolRoom(in: getenv("TMPDIR").map { String(cString: $0) } ?? "")

    private let folder: String
    private let left: Mutex<(bytes: Int64, files: Int)>

    /// - Parameters:
    ///   - folder: where the files lie; empty for `/tmp`.
    ///   - bytes: of all files that are open. Default: 256 MiB.
    ///   - files: that are open at once. Default: 4.
    init(in folder: String, bytes: Int64 = 256 << 20, files: Int = 4) {
        self.folder = folder.isEmpty ? "/tmp" : folder
        left = Mutex((bytes, files))
    }

    /// Begins a file. Blocks.
    /// - Returns: `nil` when too many are open, and when none can be made.
    func spool() -> EntrySpool? {
        let isFree = left.withLock { left in
            guard left.files > 0 else { return false }
            left.files -= 1
            return true
        }
        guard isFree else { return nil }
        let descriptor = NamelessFile.open(in: folder)
        guard descriptor >= 0 else {
            giveBack(bytes: 0)
            return nil
        }
        return EntrySpool(descriptor, self)
    }

    /// Takes room for bytes that are to be written.
    /// - Returns: whether there is, with a tenth of the disk left to others, 1 GiB of a large one.
    func take(_ bytes: Int64, of descriptor: CInt) -> Bool {
        var disk = statvfs()
        guard fstatvfs(descriptor, &disk) == 0 else { return false }
        let blocks = UInt(clamping: bytes) / max(1, disk.f_frsize) + 1
        let reserve = min(disk.f_blocks / 10, (1 << 30) / max(1, disk.f_frsize))
        guard disk.f_bavail >= blocks, disk.f_bavail - blocks >= reserve else { return false }
        return left.withLock { left in
            guard left.bytes >= bytes else { return false }
            left.bytes -= bytes
            return true
        }
    }

    /// Gives back a file and what it held.
    func giveBack(bytes: Int64) {
        left.withLock { left in
            left.bytes += bytes
            left.files += 1
        }
    }
}
