internal import BinaryNumbers
internal import VitrineKit

/// Pictures of PC Paintbrush of one bit (ZSoft, "PCX Technical Reference Manual"), alone or as the first page of a fax (DCX): black
/// where a bit is 0 and white where it is 1, whatever colours the header names. ImageMagick swaps the two.
enum PaintbrushBits {
    private static let headLength = 128

    /// Draws a picture.
    /// - Returns: `nil` for all others, which are left to ImageMagick.
    /// - Throws: `corrupt` when pixels are missing, `limitExceeded`, and what `check` throws for its size.
    static func rendering(
        _ file: UnsafeRawBufferPointer, _ format: ImageFormat, box: Int,
        check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard let bytes = format == .dcx ? firstPage(file) : file, bytes.count >= headLength,
            // Packed, of one bit and one plane.
            bytes[0] == 0x0A, bytes[2] == 1, bytes[3] == 1, bytes[65] == 1
        else { return nil }
        func number(_ at: Int) -> Int { Int(bytes.number(UInt16.self, at: at)) }
        let size = PixelSize(width: number(8) - number(4) + 1, height: number(10) - number(6) + 1)
        let (used, step) = ((size.width + 7) / 8, number(66))
        guard size.width > 0, size.height > 0, step >= used else { return nil }
        try check(size)
        var runs = Runs(bytes, at: headLength)
        var line = [UInt8](repeating: 0, count: step)
        var rows = try RowReducer(size, box: box, hasAlpha: false)
        for _ in 0..<size.height {
            guard runs.read(into: &line) >= used else {
                throw PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")
            }
            _ = rows.next { row in
                for x in 0..<size.width {
                    let grey: UInt8 = line[x / 8] >> (7 - UInt8(x % 8)) & 1 == 1 ? 255 : 0
                    row.storeBytes(of: SIMD4(grey, grey, grey, 255), toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                }
                return true
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }

    /// A fax begins with the places of its pages.
    private static func firstPage(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard bytes.count >= 8 else { return nil }
        let start = bytes.number(4)
        return start < bytes.count ? UnsafeRawBufferPointer(rebasing: bytes[start...]) : nil
    }

    /// Bytes that are packed as runs, which may go on in the next row.
    private struct Runs {
        private let bytes: UnsafeRawBufferPointer
        private var at: Int
        /// How often the byte is still repeated.
        private var left = 0
        private var byte: UInt8 = 0

        init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
            self.bytes = bytes
            at = start
        }

        /// - Returns: how many bytes there were, at most as many as the line has.
        mutating func read(into line: inout [UInt8]) -> Int {
            for index in line.indices {
                while left == 0 {
                    guard at < bytes.count else { return index }
                    (byte, left) = (bytes[at], 1)
                    at += 1
                    guard byte >= 0xC0 else { continue }
                    guard at < bytes.count else { return index }
                    (byte, left) = (bytes[at], Int(byte & 0x3F))
                    at += 1
                }
                line[index] = byte
                left -= 1
            }
            return line.count
        }
    }
}
