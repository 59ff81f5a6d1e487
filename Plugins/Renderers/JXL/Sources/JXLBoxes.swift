internal import EXIF
internal import VitrineKit

/// The boxes of a JPEG XL file (ISO/IEC 18181-2, clause 4); one that is a bare codestream has none.
enum JXLBoxes {
    /// How many boxes are looked at: files have a handful.
    private static let most = 64

    /// What a camera wrote. Where it is packed with Brotli, it is left aside.
    static func exif(_ bytes: UnsafeRawBufferPointer) -> EXIFBlock? {
        guard bytes.starts(with: [0, 0, 0, 12]) else { return nil }
        var at = 0
        for _ in 0..<most {
            guard at + 16 <= bytes.count else { return nil }
            var (start, size) = (at + 8, number(bytes, at, 4))
            if size == 1 { (start, size) = (at + 16, number(bytes, at + 8, 8)) }
            // A box without a size is the last one.
            let end = size == 0 ? bytes.count : at + min(size, bytes.count - at)
            guard end >= start else { return nil }
            if bytes[at + 4..<at + 8].elementsEqual("Exif".utf8) { return EXIFBlock(item: bytes[start..<end]) }
            at = end
        }
        return nil
    }

    /// A number, the most significant byte first; one too large for a place in a file is cut to the largest.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int {
        Int(clamping: UInt64(bigEndianBytes: bytes[at..<at + count]))
    }
}
