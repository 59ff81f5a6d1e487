internal import CPicture
import VitrineKit

extension PictureEncoder {
    /// The longest side that a placeholder is computed from: its waves are far longer than two of these pixels.
    private static let placeholderBox = 32

    /// The ThumbHash of packed R, G, B, A.
    static func placeholder(of pixels: UnsafePointer<UInt8>, _ size: PixelSize) -> [UInt8] {
        let fitting = PixelSize.fitting(
            width: Double(size.width), height: Double(size.height), in: placeholderBox, enlarging: false)
        guard let fitting, let small = try? Pixels(width: fitting.width, height: fitting.height) else { return [] }
        var source = cpicture_source(
            pixels: pixels, stride: size.width * 4, width: CInt(size.width), height: CInt(size.height),
            format: CPICTURE_RGBA)
        guard cpicture_scale(&source, CInt(small.width), CInt(small.height), small.start) == CPICTURE_DONE else {
            return []
        }
        return [UInt8](unsafeUninitializedCapacity: Int(CPICTURE_THUMBHASH_MAX)) { room, count in
            count = cpicture_thumbhash(small.start, CInt(small.width), CInt(small.height), room.baseAddress)
        }
    }
}
