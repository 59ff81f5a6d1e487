import Finishing
import Glibc

/// One entry as a walk remembers it: 32 bytes, so that a million of them fit in 32 MB.
struct EntryRecord {
    /// The MD5 sum that the name is made of.
    private let high: UInt64
    private let low: UInt64
    /// When it was last used, in whole seconds since 1970. File managers leave a trace in the access time only, and
    /// only on some file systems; Vitrine sets both. Of what belongs to another user it is ``modified``: reading its keys
    /// leaves a trace in the other time, and is no use.
    let lastUse: UInt32
    /// When it was last written or marked as used, in whole seconds since 1970.
    let modified: UInt32
    /// Bytes; what is larger than 4 GiB counts as that.
    let size: UInt32
    /// The rest of ``lastUse``, in parts of 65,536 of a second: what was made just now is not the oldest of its second.
    let fraction: UInt16
    /// Which of the tree's places holds it.
    let place: UInt8
    /// The format, by its number in `PictureFormat.allCases`.
    private let format: UInt8

    /// - Returns: `nil` when the name is not that of an entry: 32 lower-case hexadecimal digits, a dot and the suffix of a
    ///   format.
    init?(_ name: String, _ status: stat, place: UInt8) {
        let digits = name.utf8.prefix(32)
        guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), digits.endIndex == dot,
            let format = PictureFormat.allCases.firstIndex(where: { name[dot...].dropFirst() == $0.suffix })
        else { return nil }
        self.format = UInt8(format)
        var parts: (UInt64, UInt64) = (0, 0)
        for byte in digits {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            parts = (parts.0 << 4 | parts.1 >> 60, parts.1 << 4 | UInt64(digit))
        }
        (high, low) = parts
        let used = Self.timeOfUse(status)
        lastUse = UInt32(clamping: used.tv_sec)
        fraction = UInt16(clamping: (used.tv_nsec << 16) / 1_000_000_000)
        modified = UInt32(clamping: status.st_mtim.tv_sec)
        size = UInt32(clamping: status.st_size)
        self.place = place
    }

    /// The file's name.
    var name: String { Self.hexadecimal(high) + Self.hexadecimal(low) + "." + suffix }

    private var suffix: String { PictureFormat.allCases[Int(format)].suffix }

    /// What it takes on the disk: whole blocks of 4 KiB, as common file systems give them out. Computed from the size,
    /// so that it is the same when an entry is written and when it is found again.
    var occupied: Int64 { Self.occupied(Int64(size)) }

    static func occupied(_ bytes: Int64) -> Int64 {
        guard bytes < .max - 4096 else { return .max - 4095 }
        return (max(0, bytes) + 4095) & ~4095
    }

    /// Whether it is the entry that was looked at, neither replaced nor marked as used since.
    func isUnchanged(_ status: stat) -> Bool {
        UInt32(clamping: status.st_size) == size && UInt32(clamping: status.st_mtim.tv_sec) == modified
    }

    /// Whether nobody used it since it was looked at, as far as its times tell.
    func isUnused(_ status: stat) -> Bool { UInt32(clamping: Self.timeOfUse(status).tv_sec) == lastUse }

    private static func timeOfUse(_ status: stat) -> timespec {
        let (accessed, modified) = (status.st_atim, status.st_mtim)
        // Only its owner, and root, can read it without a trace.
        guard [0, status.st_uid].contains(geteuid()) else { return modified }
        return (accessed.tv_sec, accessed.tv_nsec) > (modified.tv_sec, modified.tv_nsec) ? accessed : modified
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
