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
        let row = bitmap.bytesPerRow
        let (right, bottom) = (4 * (width - 1), row * (height - 1))
        // Where the first pixel comes from, and how far it is from there to the next one across, and down.
        let (first, across, down) =
            switch value {
            case 2: (right, -4, row)
            case 3: (right + bottom, -4, -row)
            case 4: (bottom, 4, -row)
            case 5: (0, row, 4)
            case 6: (bottom, -row, 4)
            case 7: (right + bottom, -row, -4)
            default: (right, row, -4)
            }
        bitmap.withUnsafeMutableBytes { from in
            turned.withUnsafeMutableBytes { to in
                for y in 0..<turned.height {
                    var source = first + y * down
                    for target in stride(
                        from: y * turned.bytesPerRow, to: y * turned.bytesPerRow + 4 * turned.width, by: 4)
                    {
                        to.storeBytes(
                            of: from.load(fromByteOffset: source, as: UInt32.self), toByteOffset: target,
                            as: UInt32.self)
                        source += across
                    }
                }
            }
        }
        return turned
    }
}
