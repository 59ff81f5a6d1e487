internal import CImageCodecs
internal import PictureTraits
internal import VitrineKit

/// The frames of an animated WebP (RFC 9649, 2.7.1).
enum WebPAnimation {
    /// Flags of a frame: it replaces what is below instead of covering it, and is taken away before the next one.
    private static let replacesFlag: UInt8 = 0x02, clearsFlag: UInt8 = 0x01

    /// The size of the canvas.
    /// - Parameter bytes: an extended file, of more than 30 bytes.
    static func size(_ bytes: UnsafeRawBufferPointer) -> PixelSize {
        PixelSize(width: little(bytes, at: 24) + 1, height: little(bytes, at: 27) + 1)
    }

    /// The first frame that shows something.
    /// - Parameters:
    ///   - bytes: an extended file.
    ///   - canvas: its size, which was found to be within the limits.
    ///   - box: the longest side wanted.
    /// - Returns: `nil` when all frames that are looked at are empty.
    static func firstShown(
        _ bytes: UnsafeRawBufferPointer, on canvas: PixelSize, box: Int
    ) throws(PluginError) -> Bitmap? {
        let chunks = WebPChunks.frames(bytes, atMost: FrameChoice.frames(of: canvas))
        let frames = chunks.map { chunk in
            let flags = chunk[15]
            return AnimationFrame(
                x: 2 * little(chunk, at: 0), y: 2 * little(chunk, at: 3),
                size: PixelSize(width: little(chunk, at: 6) + 1, height: little(chunk, at: 9) + 1),
                isBlended: flags & replacesFlag == 0, disposal: flags & clearsFlag == 0 ? .keep : .clear)
        }
        return try AnimationCanvas.firstShown(frames, on: canvas, box: box) { (index) throws(PluginError) in
            let size = frames[index].size
            let bitmap = try Bitmap(width: size.width, height: size.height, format: .rgba)
            let file = WebPChunks.file(ofFrame: chunks[index])
            var width: CInt = 0
            var height: CInt = 0
            guard WebPGetInfo(file, file.count, &width, &height) != 0, Int(width) == size.width,
                Int(height) == size.height
            else { return nil }
            let isDecoded = bitmap.withUnsafeMutableBytes { rows in
                WebPDecodeRGBAInto(
                    file, file.count, rows.baseAddress?.assumingMemoryBound(to: UInt8.self), rows.count,
                    CInt(bitmap.bytesPerRow)) != nil
            }
            return isDecoded ? bitmap : nil
        }
    }

    private static func little(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        Int(littleEndianBytes: bytes[start..<start + 3])
    }
}
