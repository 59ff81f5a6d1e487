internal import VitrineKit

/// Heads of bitmaps that ImageMagick refuses or reads wrongly, as viewers take them: those that say that the file were longer
/// than it is, though all pixels are there, and those of OS/2 from version 2 on, whose colours have four bytes each (IBM,
/// "Presentation Manager Programming Reference", `BITMAPINFOHEADER2`).
enum BMPHead {
    private static let fileHead = 14, shortHead = 40
    /// Bytes of a file that is copied.
    private static let longest = 128 << 20

    /// What is wrong with a file of which pixels are missing, which ImageMagick takes for one with a wrong head.
    static func missingEnd(of bytes: UnsafeRawBufferPointer) -> PluginError? {
        guard bytes.count >= fileHead, bytes.number(2) > bytes.count, !isWhole(bytes) else { return nil }
        return PluginError(.corrupt, "the picture is cut off: \(bytes.count) of its \(bytes.number(2)) bytes are there")
    }

    /// The file with a head that ImageMagick reads.
    /// - Returns: `nil` when it is left as it is.
    static func mended(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard fileHead + 4...longest ~= bytes.count else { return nil }
        if let file = withHeadOfWindows(bytes) { return file }
        guard bytes.number(2) > bytes.count, isWhole(bytes) else { return nil }
        var file = Array(bytes)
        file.replaceSubrange(2..<6, with: word(bytes.count))
        return file
    }

    /// Whether all pixels that are not packed are there.
    private static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= fileHead + 12 else { return false }
        let start = bytes.number(10)
        let width: Int, height: Int, depth: Int
        if bytes.number(14) == 12 {
            (width, height) = (bytes.number(18) & 0xFFFF, bytes.number(18) >> 16)
            depth = bytes.number(22) >> 16
        } else {
            // Pixels as they are, or under masks.
            guard bytes.number(14) >= shortHead, bytes.count >= fileHead + shortHead, [0, 3].contains(bytes.number(30))
            else { return false }
            width = Int(Int32(truncatingIfNeeded: bytes.number(18)))
            height = abs(Int(Int32(truncatingIfNeeded: bytes.number(22))))
            depth = bytes.number(28) & 0xFFFF
        }
        guard width > 0, height > 0, 1...32 ~= depth, start <= bytes.count else { return false }
        // Rows are filled up to four bytes.
        return (width * depth + 31) / 32 * 4 <= (bytes.count - start) / height
    }

    /// The same bitmap with a head of Windows' first version, for one of OS/2.
    private static func withHeadOfWindows(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        let head = bytes.number(14)
        // Fields that a shorter head has not are zero. Windows' own heads have 40, 52 and 56 bytes.
        guard 16...64 ~= head, ![40, 52, 56].contains(head), bytes.count >= fileHead + head else { return nil }
        var fields = Array(bytes[fileHead..<fileHead + min(head, shortHead)])
        fields += [UInt8](repeating: 0, count: shortHead - fields.count)
        func number(_ at: Int) -> Int { Int(littleEndianBytes: fields[at..<at + 4]) }
        let (depth, packing) = (number(12) >> 16, number(16))
        // Higher numbers mean other things than Windows'.
        guard [1, 4, 8, 24].contains(depth), 0...2 ~= packing else { return nil }
        var colours: [UInt8] = []
        let start = bytes.number(10)
        if depth <= 8 {
            let count = number(32) == 0 ? 1 << depth : min(1 << depth, number(32))
            let first = fileHead + head
            let length = start >= first + 4 * count ? 4 : 3
            guard start >= first + length * count, start <= bytes.count else { return nil }
            for index in 0..<count {
                let at = first + length * index
                colours += [bytes[at], bytes[at + 1], bytes[at + 2], 0]
            }
        }
        guard start >= fileHead + head, start < bytes.count else { return nil }
        fields.replaceSubrange(0..<4, with: word(shortHead))
        fields.replaceSubrange(32..<36, with: word(colours.count / 4))
        let pixels = fileHead + shortHead + colours.count
        let length = pixels + bytes.count - start
        return Array("BM".utf8) + word(length) + word(0) + word(pixels) + fields + colours + bytes[start...]
    }

    private static func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
