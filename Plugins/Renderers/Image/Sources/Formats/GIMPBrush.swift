internal import BinaryNumbers
internal import VitrineKit

/// Brushes and patterns of GIMP and Krita (GIMP's devel-docs/gbr.txt, pat.txt and gih.txt): a short head, a name, and pixels as
/// they are. A brush of one channel is what is painted, black on white as programs show it; of an animated brush the first one
/// is drawn.
enum GIMPBrush {
    private static let brushWord = Array("GIMP".utf8), patternWord = Array("GPAT".utf8)
    /// Bytes in which the lines before the first brush of several end.
    private static let longestLines = 4096

    /// Draws a picture.
    /// - Throws: `corrupt` when its head makes no sense or pixels are missing, `empty` when it has none, `unsupported`,
    ///   `limitExceeded`, and what `check` throws for its size.
    static func rendering(
        _ file: UnsafeRawBufferPointer, _ format: ImageFormat, box: Int,
        check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        let bytes = format == .gimpPipe ? try firstBrush(file) : file
        let isPattern = format == .gimpPattern
        let (start, size, channels) = try head(bytes, isPattern: isPattern)
        guard size.width > 0, size.height > 0 else {
            throw PluginError(.empty, "the brush or pattern says that it has no pixels")
        }
        try check(size)
        // Its sides are checked, so that this is a number.
        guard size.width * size.height <= (bytes.count - start) / channels else {
            throw PluginError(.corrupt, "the brush or pattern is damaged: it has fewer pixels than it says")
        }
        var rows = try RowReducer(size, box: box, hasAlpha: channels % 2 == 0)
        for y in 0..<size.height {
            _ = rows.next { row in
                let line = start + y * size.width * channels
                for x in 0..<size.width {
                    let pixel = pixel(bytes, line + x * channels, channels, isPattern: isPattern)
                    row.storeBytes(of: pixel, toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                }
                return true
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }

    private static func pixel(
        _ bytes: UnsafeRawBufferPointer, _ at: Int, _ channels: Int, isPattern: Bool
    ) -> SIMD4<UInt8> {
        if channels > 2 { return SIMD4(bytes[at], bytes[at + 1], bytes[at + 2], channels == 4 ? bytes[at + 3] : 255) }
        let grey = isPattern ? bytes[at] : 255 - bytes[at]
        return SIMD4(grey, grey, grey, channels == 2 ? bytes[at + 1] : 255)
    }

    /// Where pixels begin, and what they are.
    private static func head(
        _ bytes: UnsafeRawBufferPointer, isPattern: Bool
    ) throws(PluginError) -> (start: Int, size: PixelSize, channels: Int) {
        let damage = PluginError(.corrupt, "the brush or pattern is damaged: its head makes no sense")
        guard bytes.count >= 20 else { throw damage }
        func number(_ index: Int) -> Int { Int(bytes.number(UInt32.self, at: 4 * index, isBigEndian: true)) }
        let (start, version, channels) = (number(0), number(1), number(4))
        // The first version of brushes has neither a word of its own nor a distance behind its numbers.
        let isOld = !isPattern && version == 1
        guard start >= (isOld ? 20 : isPattern ? 24 : 28), start <= bytes.count,
            isOld || bytes[20..<24].elementsEqual(isPattern ? patternWord : brushWord),
            isPattern ? version == 1 : 1...3 ~= version
        else { throw damage }
        guard isPattern ? 1...4 ~= channels : channels == 1 || channels == 4 else {
            throw PluginError(
                .unsupported, "the brush or pattern has pixels of a kind (\(channels) bytes) that is not supported")
        }
        return (start, PixelSize(width: number(2), height: number(3)), channels)
    }

    /// The first of several brushes, behind a line with a name and one that begins with their number.
    private static func firstBrush(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> UnsafeRawBufferPointer {
        let lines = bytes.prefix(longestLines)
        guard let first = lines.firstIndex(of: 0x0A),
            let second = lines[lines.index(after: first)...].firstIndex(of: 0x0A), 0x30...0x39 ~= bytes[first + 1]
        else { throw PluginError(.corrupt, "the animated brush is damaged: it does not say how many brushes it has") }
        return UnsafeRawBufferPointer(rebasing: bytes[(second + 1)...])
    }
}
