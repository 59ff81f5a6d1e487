internal import VitrineKit

/// The header of an MP4 file (`moov`, ISO/IEC 14496-12, 8.2.1), which says where the frames are. Cameras and downloads write it
/// last, so that it is not there when they are broken off.
enum MovieHeader {
    /// Boxes that are passed over.
    private static let mostBoxes = 64

    /// Whether there is no whole header among the boxes of a file.
    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - read: gives so many bytes from an offset on, fewer at the end of the file.
    static func isMissing(_ size: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]) -> Bool {
        var offset: Int64 = 0
        for _ in 0..<mostBoxes {
            let head = read(offset, 16)
            guard head.count >= 8 else { return true }
            var length = UInt64(bigEndianBytes: head[..<4])
            // 1: the length follows, in 64 bits. 0: up to the end of the file.
            if length == 1, head.count == 16 { length = UInt64(bigEndianBytes: head[8...]) }
            let left = UInt64(max(0, size - offset))
            if head[4..<8].elementsEqual("moov".utf8) { return length > left }
            guard length >= 8, length < left else { return length >= left || length == 0 }
            offset += Int64(length)
        }
        return false
    }

    /// Boxes that are passed over to find the end of a film in fragments.
    private static let mostFragments = 1 << 16

    /// The last box of a file, where that ends before the box does: a recording or a copy was broken off in it.
    /// - Parameters: as of ``isMissing(_:_:)``.
    /// - Returns: where the box begins, and whether it describes fragments (`moof`, ISO/IEC 14496-12, 8.8.4) or is too short to
    ///   say what it is. `nil` for a whole file, and one that is no MP4.
    static func cutBox(
        _ size: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]
    ) -> (offset: Int64, isFragment: Bool)? {
        var offset: Int64 = 0
        for _ in 0..<mostFragments where offset < size {
            let head = read(offset, 16)
            guard head.count >= 8 else { return offset > 0 ? (offset, true) : nil }
            let isLong = UInt64(bigEndianBytes: head[..<4]) == 1
            guard !isLong || head.count == 16 else { return offset > 0 ? (offset, true) : nil }
            let length = UInt64(bigEndianBytes: isLong ? head[8...] : head[..<4])
            // 0: up to the end of the file.
            guard length >= 8 else { return nil }
            // An index of fragments (`sidx`, 8.16.3) stands before them; libav opens no file whose last one is cut off either.
            guard length <= UInt64(size - offset) else {
                return (offset, ["moof", "sidx"].contains { head[4..<8].elementsEqual($0.utf8) })
            }
            offset += Int64(length)
        }
        return nil
    }

    /// What is said of a file without one.
    static func missing(in kind: MediaKind) -> PluginError {
        PluginError(
            .corrupt,
            "the \(kind.noun) cannot be opened: its header ('moov'), which says where all else is, is missing or not whole, as it is "
                + "where a recording or a copy was broken off")
    }
}
