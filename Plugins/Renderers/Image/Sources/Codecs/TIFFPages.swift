internal import VitrineKit

/// Finds the pages of a TIFF file without decoding any: follows the chain of its directories (TIFF 6.0, section 2;
/// BigTIFF has fields of 8 bytes where TIFF has 2 or 4).
enum TIFFPages {
    /// The most pages that are counted; a chain that runs in a circle ends there too.
    static let limit = 10_000

    /// The tag NewSubfileType (TIFF 6.0, section 8), and its bit for a smaller version of another page.
    private static let kind = 254, reduced = 1

    /// Which directories are pages, counted from 0: not smaller versions of others, as pyramids for maps and microscopes
    /// have them, unless there is nothing else.
    /// - Parameter bytes: a file that begins with TIFF's signature.
    /// - Returns: at least one: whether the first directory is sound is the decoder's business.
    static func directories(_ bytes: UnsafeRawBufferPointer) -> [Int] {
        guard bytes.count >= 16 else { return [0] }
        let littleEndian = bytes[0] == 0x49
        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            let field = bytes[offset..<offset + size]
            let value = littleEndian ? UInt64(littleEndianBytes: field) : UInt64(bigEndianBytes: field)
            return Int(exactly: value)
        }
        let isBig = (littleEndian ? bytes[2] : bytes[3]) == 43
        let (countSize, entrySize, offsetSize) = isBig ? (8, 20, 8) : (2, 12, 4)
        var directory = number(isBig ? 8 : 4, offsetSize)
        var seen: Set<Int> = []
        var pages: [Int] = []
        while let offset = directory, offset > 0, seen.count < limit, !seen.contains(offset),
            let entries = number(offset, countSize), entries <= bytes.count / entrySize
        {
            // Tags are sorted, and there is hardly one before this.
            let first = offset + countSize
            let entry = (0..<min(entries, 4)).map { first + $0 * entrySize }.first { number($0, 2) == kind }
            let value = entry.flatMap { number($0 + entrySize - offsetSize, 4) } ?? 0
            if value & reduced == 0 { pages.append(seen.count) }
            seen.insert(offset)
            directory = number(offset + countSize + entries * entrySize, offsetSize)
        }
        return pages.isEmpty ? Array(0..<max(1, seen.count)) : pages
    }
}
