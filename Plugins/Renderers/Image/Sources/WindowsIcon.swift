internal import VitrineKit

/// A file of icons or cursors of Windows, as far as its pictures are PNG files: ImageMagick reads all of them or none, and wants
/// their lengths to be right (Microsoft, "The format of icon resources": `ICONDIR`, `ICONDIRENTRY`).
enum WindowsIcon {
    private static let headLength = 6, entryLength = 16
    /// Pictures that are looked at.
    private static let most = 256
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Finds the picture that fits best: the smallest that fills the box, else the largest.
    /// - Returns: from its first byte to the end of the file; `nil` when that picture is no PNG.
    static func png(_ bytes: UnsafeRawBufferPointer, box: Int) -> UnsafeRawBufferPointer? {
        var best: (side: Int, png: UnsafeRawBufferPointer?)?
        for index in 0..<min(most, number(bytes, 4, 2)) {
            let entry = headLength + index * entryLength
            guard entry + entryLength <= bytes.count else { break }
            let start = number(bytes, entry + 12, 4)
            guard start < bytes.count else { continue }
            let picture = UnsafeRawBufferPointer(rebasing: bytes[start...])
            let isPNG = picture.starts(with: signature) && picture.count >= 24
            // A byte of 0 means 256. A PNG may be larger than the entry can say.
            let side =
                isPNG
                ? max(big(picture, 16), big(picture, 20))
                : max((Int(bytes[entry]) + 255) % 256, (Int(bytes[entry + 1]) + 255) % 256) + 1
            if let best, best.side >= box ? side >= best.side || side < box : side <= best.side { continue }
            best = (side, isPNG ? picture : nil)
        }
        return best?.png
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int {
        guard at + count <= bytes.count else { return 0 }
        return bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func big(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
