package import VitrineKit

/// How a stored picture has to be turned to stand upright (EXIF 2.32, tag 0x0112), 1 to 8.
package struct EXIFOrientation: Hashable {
    private let value: Int

    /// Takes a number for what it says; 1, upright, for all that mean nothing.
    package init(_ value: Int) { self.value = 1...8 ~= value ? value : 1 }

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
    init?(block: ArraySlice<UInt8>) {
        let mark = Array("Exif\0\0".utf8)
        // The first directory stands at the beginning as a rule, and offsets in it have 32 bits.
        let bytes = Array(block.prefix(Self.longestBlock).dropFirst(block.starts(with: mark) ? mark.count : 0))
        guard let value = Self.value(inTIFF: bytes) else { return nil }
        self.init(value)
    }

    /// Bytes of a block that are looked through: more than a segment of JPEG can hold.
    private static let longestBlock = 256 << 10

    /// As stored.
    package static let upright = EXIFOrientation(1)

    /// Looks for it among the entries of the first directory of a TIFF structure.
    package static func value(inTIFF bytes: [UInt8]) -> Int? {
        let isLittle = bytes.starts(with: "II".utf8)
        func number(_ at: Int, _ size: Int) -> Int {
            guard at >= 0, at + size <= bytes.count else { return 0 }
            let part = bytes[at..<(at + size)]
            return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2, 2) == 42 else { return nil }
        let directory = number(4, 4)
        for index in 0..<min(number(directory, 2), 512) {
            let entry = directory + 2 + 12 * index
            if number(entry, 2) == 0x0112 { return number(entry + 8, 2) }
        }
        return nil
    }

    /// The size that a turned picture has.
    package func applied(to size: PixelSize) -> PixelSize {
        value >= 5 ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Turns a bitmap.
    /// - Returns: the same one when there is nothing to do.
    /// - Throws: `limitExceeded` when there is no memory for another one.
    package func applied(to bitmap: Bitmap) throws(PluginError) -> Bitmap {
        if value == 1 { return bitmap }
        let size = applied(to: PixelSize(width: bitmap.width, height: bitmap.height))
        let turned = try Bitmap(width: size.width, height: size.height, format: bitmap.format)
        let swaps = value >= 5
        let mirrorsColumns = [2, 3, 7, 8].contains(value)
        let mirrorsRows = [3, 4, 6, 7].contains(value)
        bitmap.withUnsafeMutableBytes { source in
            turned.withUnsafeMutableBytes { target in
                for y in 0..<turned.height {
                    for x in 0..<turned.width {
                        let (column, row) = swaps ? (y, x) : (x, y)
                        let from =
                            (mirrorsRows ? bitmap.height - 1 - row : row) * bitmap.bytesPerRow
                            + (mirrorsColumns ? bitmap.width - 1 - column : column) * 4
                        target.storeBytes(
                            of: source.load(fromByteOffset: from, as: UInt32.self),
                            toByteOffset: y * turned.bytesPerRow + x * 4, as: UInt32.self)
                    }
                }
            }
        }
        return turned
    }
}
