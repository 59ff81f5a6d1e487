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

    /// What is said of a file without one.
    static func missing(in kind: MediaKind) -> PluginError {
        PluginError(
            .corrupt,
            "the \(kind.noun) cannot be opened: its header ('moov'), which says where all else is, is missing or not whole, as it is "
                + "where a recording or a copy was broken off")
    }
}
