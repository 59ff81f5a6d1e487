package import VitrineKit

// How a picture has to be turned, as its camera wrote it into the file.
extension Orientation {
    /// Looks for it in a JPEG file's APP1 segment.
    /// - Returns: `nil` when the file does not say.
    package init?(jpeg bytes: [UInt8]) {
        for segment in JPEGSegments(bytes) where segment.marker == 0xE1 {
            guard segment.content.starts(with: "Exif\0\0".utf8) else { continue }
            self.init(block: segment.content)
            return
        }
        return nil
    }

    /// Looks for it in what a camera wrote, as PNG and WebP keep it: a TIFF structure, with or without JPEG's mark before it.
    /// - Returns: `nil` when it does not say.
    init?(block: some Collection<UInt8>) {
        let mark = Array("Exif\0\0".utf8)
        // The first directory stands at the beginning as a rule, and offsets in it have 32 bits.
        self.init(
            tiff: Array(block.prefix(Self.longestBlock).dropFirst(block.starts(with: mark) ? mark.count : 0)))
    }

    /// Bytes of a block that are looked through: more than a segment of JPEG can hold.
    private static let longestBlock = 256 << 10

    /// Looks for it among the entries of the first directory of a TIFF structure.
    /// - Returns: `nil` when it does not say.
    package init?(tiff bytes: [UInt8]) {
        let isLittle = bytes.starts(with: "II".utf8)
        func number(_ at: Int, _ size: Int) -> Int {
            guard at >= 0, at + size <= bytes.count else { return 0 }
            let part = bytes[at..<(at + size)]
            return isLittle ? Int(littleEndianBytes: part) : Int(bigEndianBytes: part)
        }
        guard number(2, 2) == 42 else { return nil }
        let directory = number(4, 4)
        for index in 0..<min(number(directory, 2), 512) {
            let entry = directory + 2 + 12 * index
            guard number(entry, 2) == 0x0112 else { continue }
            self.init(exif: number(entry + 8, 2))
            return
        }
        return nil
    }
}
