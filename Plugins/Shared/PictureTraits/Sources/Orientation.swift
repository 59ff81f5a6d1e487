public import VitrineKit

/// How a camera was held: which edges of the scene the first row and the first column of a picture are
/// (Exif 2.3, tag Orientation; TIFF 6.0, tag 274).
public struct PictureOrientation: Sendable {
    /// 2 to 8; 1 and what is not known need no turning.
    private let value: UInt32

    /// - Parameter value: as the tag has it. Default: upright.
    public init(_ value: UInt32 = 1) { self.value = value }

    /// Whether rows become columns.
    public var swapsSides: Bool { 5...8 ~= value }

    /// The picture as the scene was.
    public func upright(_ bitmap: Bitmap) throws(PluginError) -> Bitmap {
        guard 2...8 ~= value else { return bitmap }
        let width = bitmap.width
        let height = bitmap.height
        let turned = try Bitmap(
            width: swapsSides ? height : width, height: swapsSides ? width : height, format: bitmap.format)
        bitmap.withUnsafeMutableBytes { from in
            turned.withUnsafeMutableBytes { to in
                for y in 0..<turned.height {
                    for x in 0..<turned.width {
                        let (column, row) =
                            switch value {
                            case 2: (width - 1 - x, y)
                            case 3: (width - 1 - x, height - 1 - y)
                            case 4: (x, height - 1 - y)
                            case 5: (y, x)
                            case 6: (y, height - 1 - x)
                            case 7: (width - 1 - y, height - 1 - x)
                            default: (width - 1 - y, x)
                            }
                        let pixel = from.load(fromByteOffset: row * bitmap.bytesPerRow + column * 4, as: UInt32.self)
                        to.storeBytes(of: pixel, toByteOffset: y * turned.bytesPerRow + x * 4, as: UInt32.self)
                    }
                }
            }
        }
        return turned
    }
}
