internal import VitrineKit

/// The index of a Matroska file (RFC 9559, 5.1.5), as far as the list of parts in front of it (5.1.1) leads there.
enum MatroskaCues {
    private static let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
    private static let cues: [UInt8] = [0x1C, 0x53, 0xBB, 0x6B]
    /// An entry of the list that names the index, up to the length of its position.
    private static let entry: [UInt8] = [0x53, 0xAB, 0x84] + cues + [0x53, 0xAC]
    /// Bytes of the file in which the list is looked for.
    private static let head = 4096

    /// Bytes of the index, where it lies as the file says; `nil` for one that was cut off, or never finished.
    /// - Parameter read: gives so many bytes from an offset on, fewer at the end of the file.
    static func length(_ read: (_ offset: Int64, _ count: Int) -> [UInt8]) -> Int64? {
        let bytes = read(0, head)
        // Positions count from behind the segment's own length, whose first bit that is set says how long that is.
        guard let id = place(of: segment, in: bytes), id + 4 < bytes.count, bytes[id + 4] != 0,
            let found = place(of: entry, in: bytes)
        else { return nil }
        let start = id + 5 + bytes[id + 4].leadingZeroBitCount
        let at = found + entry.count
        guard at < bytes.count, 0x81...0x87 ~= bytes[at], at + 8 <= bytes.count else { return nil }
        let position = Int64(bigEndianBytes: bytes[at + 1...at + Int(bytes[at] & 7)])
        let index = read(Int64(start) + position, cues.count + 8)
        guard index.starts(with: cues), index.count == cues.count + 8, index[4] != 0 else { return nil }
        let count = index[4].leadingZeroBitCount + 1
        let marked = Int64(bigEndianBytes: index[4..<4 + count])
        return marked & (1 << (7 * count) - 1)
    }

    /// Whether a file ends before its segment does, whose length it says (RFC 9559, 5.1).
    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - read: as of ``length(_:)``.
    static func isCutOff(_ size: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]) -> Bool {
        let bytes = read(0, head)
        guard let id = place(of: segment, in: bytes), id + 4 < bytes.count, bytes[id + 4] != 0 else { return false }
        let count = bytes[id + 4].leadingZeroBitCount + 1
        guard id + 4 + count <= bytes.count else { return true }
        let marked = Int64(bigEndianBytes: bytes[id + 4..<id + 4 + count])
        let unknown: Int64 = 1 << (7 * count) - 1
        let length = marked & unknown
        // All bits: nobody knew it, as of a broadcast.
        return length != unknown && length > size - Int64(id + 4 + count)
    }

    private static func place(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: wanted) }
    }
}
