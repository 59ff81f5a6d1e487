internal import VitrineKit

/// A file of icons or cursors of Windows (Microsoft, "The format of icon resources": `ICONDIR`, `ICONDIRENTRY`). ImageMagick
/// reads all of its pictures or none, wants the lengths of PNG files to be right, and does not tell how many colours they have.
enum WindowsIcon {
    private static let headLength = 6, entryLength = 16
    /// Pictures that are looked at.
    private static let most = 256
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Bytes that the head of a bitmap may have, from the least in which its bits are.
    private static let bitmapHead = 16...124

    /// One of the pictures.
    private struct Picture {
        /// Where its entry and its bytes begin.
        let entry: Int, start: Int
        let isPNG: Bool
        /// Its longer side, and the bits of a pixel.
        let side: Int, bits: Int

        /// - Returns: `nil` when it lies behind the end of the file.
        init?(_ bytes: UnsafeRawBufferPointer, entry: Int) {
            start = number(bytes, entry + 12, 4)
            guard start < bytes.count else { return nil }
            self.entry = entry
            let picture = UnsafeRawBufferPointer(rebasing: bytes[start...])
            isPNG = picture.starts(with: signature) && picture.count >= 24
            // A byte of 0 means 256. A PNG may be larger than the entry can say.
            side =
                isPNG
                ? max(big(picture, 16), big(picture, 20))
                : max((Int(bytes[entry]) + 255) % 256, (Int(bytes[entry + 1]) + 255) % 256) + 1
            let isBitmap = bitmapHead ~= number(picture, 0, 4)
            bits = isPNG ? 32 : isBitmap ? number(picture, 14, 2) : 0
        }

        /// Whether it fits better than another one: the smallest that fills the box, else the largest; of one size the one that
        /// has more colours.
        func isBetter(than other: Picture, box: Int) -> Bool {
            if side == other.side { return bits > other.bits }
            return other.side >= box ? side < other.side && side >= box : side > other.side
        }
    }

    private static func best(_ bytes: UnsafeRawBufferPointer, box: Int) -> Picture? {
        var best: Picture?
        for index in 0..<min(most, number(bytes, 4, 2)) {
            let entry = headLength + index * entryLength
            guard entry + entryLength <= bytes.count else { break }
            guard let picture = Picture(bytes, entry: entry) else { continue }
            guard let other = best else {
                best = picture
                continue
            }
            if picture.isBetter(than: other, box: box) { best = picture }
        }
        return best
    }

    /// Finds the picture that fits best.
    /// - Returns: from its first byte to the end of the file; `nil` when that picture is no PNG.
    static func png(_ bytes: UnsafeRawBufferPointer, box: Int) -> UnsafeRawBufferPointer? {
        guard let best = best(bytes, box: box), best.isPNG else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[best.start...])
    }

    /// A file that has the picture that fits best and no other one.
    /// - Returns: `nil` when there is no picture, or only one.
    static func alone(_ bytes: UnsafeRawBufferPointer, box: Int) -> [UInt8]? {
        guard number(bytes, 4, 2) > 1, let best = best(bytes, box: box) else { return nil }
        let length = min(number(bytes, best.entry + 8, 4), bytes.count - best.start)
        return bytes[..<4] + [1, 0] + bytes[best.entry..<best.entry + 12] + [UInt8(headLength + entryLength), 0, 0, 0]
            + bytes[best.start..<best.start + length]
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int {
        guard at + count <= bytes.count else { return 0 }
        return Int(littleEndianBytes: bytes[at..<at + count])
    }

    private static func big(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        Int(bigEndianBytes: bytes[at..<at + 4])
    }
}
