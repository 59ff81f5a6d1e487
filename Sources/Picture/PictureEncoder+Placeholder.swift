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
        var source = vp_picture(
            pixels: pixels, stride: size.width * 4, width: CInt(size.width), height: CInt(size.height), format: VP_RGBA)
        guard vp_picture_scale(&source, CInt(small.width), CInt(small.height), small.start) == VP_PICTURE_DONE else {
            return []
        }
        return [UInt8](unsafeUninitializedCapacity: Int(VP_THUMBHASH_MAX)) { room, count in
            count = vp_thumbhash(small.start, CInt(small.width), CInt(small.height), room.baseAddress)
        }
    }
}
