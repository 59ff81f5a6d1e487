import CFolderScan
import Glibc
import VitrineKit

/// The names in a folder and what they are, as the system tells them. One thread at a time.
final class FolderScan {
    typealias Found = cfolderscan_name

    /// The listing ended too early.
    struct Broken: Error {
        /// The system's error number.
        var reason: CInt
    }

    private let folder: Descriptor
    private let state: UnsafeMutablePointer<cfolderscan>

    /// Opens the folder that a descriptor stands for.
    /// - Parameters:
    ///   - place: open on a folder, not necessarily for reading.
    ///   - followsLinks: whether links are looked through.
    /// - Returns: `nil` with `errno` set when it cannot be listed.
    init?(of place: CInt, followsLinks: Bool) {
        guard let folder = Descriptor([UInt8(ascii: ".")], in: place, flags: O_RDONLY | O_DIRECTORY) else { return nil }
        self.folder = folder
        state = .allocate(capacity: 1)
        cfolderscan_start(state, self.folder.number, followsLinks ? 1 : 0)
    }

    deinit { state.deallocate() }

    /// The next name, valid until the next call; `nil` at the end. What was deleted meanwhile is left out.
    func next() throws(Broken) -> Found? {
        var found = Found()
        switch cfolderscan_next(state, &found) {
        case 1: return found
        case 0: return nil
        default: throw Broken(reason: errno)
        }
    }

    /// Begins again at the first name.
    /// - Returns: `false` with `errno` set when that fails.
    func rewind() -> Bool { cfolderscan_rewind(state) == 0 }

    /// A digest of names, in whatever order they come.
    struct Digest {
        private var sum: (UInt64, UInt64) = (0, 0)

        mutating func add(_ found: Found) {
            withUnsafePointer(to: found) { found in
                withUnsafeMutableBytes(of: &sum) { sum in
                    cfolderscan_digest_add(sum.assumingMemoryBound(to: UInt64.self).baseAddress, found)
                }
            }
        }

        var value: FolderDigest { FolderDigest(low: sum.0, high: sum.1) }
    }
}

extension Entry {
    /// Takes what a scan found. What could not be looked at, on a broken mount or in a folder that may be listed but
    /// not entered, is known by its kind only.
    init(_ found: FolderScan.Found) {
        let name = Array(UnsafeRawBufferPointer(start: found.name, count: Int(found.length)))
        guard found.is_known != 0 else {
            self.init(name, type: found.type)
            return
        }
        let kind = Kind(mode: mode_t(found.mode))
        self.init(
            name: name, kind: kind, size: kind == .file ? found.size : nil,
            modified: Timestamp(seconds: found.seconds, nanoseconds: found.nanoseconds))
        identifier = found.inode
        volume = found.device
    }
}
