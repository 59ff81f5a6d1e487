internal import VitrineKit

/// A part of a RAR archive that was cut into several, and not the first one.
///
/// What began in the part before goes on in it. When that fills it, nothing can be listed.
enum LaterVolume {
    /// Bytes of a beginning by which this is told.
    static let headLength = 64

    /// Why such a part has no list.
    /// - Parameter head: the beginning of a file.
    /// - Returns: `nil` for all else.
    static func reason(_ head: [UInt8]) -> PluginError? {
        if head.starts(with: mark + [1, 0]) { return number(head[8...]).map { reason("part \($0)") } }
        // The main header: its checksum, its kind, and what is said of the archive (technote.txt of RAR 4).
        guard head.starts(with: mark + [0]), head.count > 11, head[9] == 0x73 else { return nil }
        let flags = UInt16(littleEndianBytes: head[10..<12])
        let isVolume = flags & 0x0001 != 0
        let isFirst = flags & 0x0100 != 0
        return isVolume && !isFirst ? reason("a later part") : nil
    }

    private static func reason(_ part: String) -> PluginError {
        PluginError(
            .unsupported,
            "the file is \(part) of an archive in several parts, and no file begins in it: the first part has the list")
    }

    /// The number of a part, counted from 1, from the main header of RAR 5 ("RAR 5.0 archive format", main archive header): its
    /// checksum, its size, its kind, its flags, the size of what may be behind it, what is said of the archive, and the number.
    private static func number(_ header: ArraySlice<UInt8>) -> UInt64? {
        var rest = header.dropFirst(4)
        guard integer(&rest) != nil, integer(&rest) == 1, let flags = integer(&rest) else { return nil }
        if flags & 1 != 0, integer(&rest) == nil { return nil }
        // The first part has no number.
        guard let archive = integer(&rest), archive & 3 == 3, let number = integer(&rest), number < 1 << 32 else {
            return nil
        }
        return number + 1
    }

    /// A number of seven bits in each byte, the lowest ones first, with a bit that says whether there is another byte.
    private static func integer(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static let mark: [UInt8] = Array("Rar!".utf8) + [0x1A, 0x07]
}
