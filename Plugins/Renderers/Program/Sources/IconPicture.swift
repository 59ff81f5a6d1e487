internal import PictureDecoding
internal import VitrineKit

extension DecodedPicture {
    /// The longer side of the whole picture.
    var side: Int { max(size.width, size.height) }
}

extension Bitmap {
    /// Pixels across of the smallest icons that there are.
    private static let smallestIcon = 16

    /// What is wrong where there are pictures, and none is an icon.
    static let noIcon = PluginError(.empty, "the icon of the program is transparent everywhere, or hardly a dot")

    /// Whether a picture is worth to be shown as an icon: a dot, or one that is transparent everywhere, is not.
    /// - Parameter box: the longest side wanted, in pixels, to which it may have been reduced.
    func isIcon(for box: Int) -> Bool { max(width, height) >= min(box, Self.smallestIcon) && showsSomething }

    /// Whether there is a pixel that can be seen.
    private var showsSomething: Bool {
        isOpaque
            || withUnsafeMutableBytes { bytes in
                (0..<height).contains { y in
                    // Alpha is the last byte of a pixel in all formats that have it.
                    (0..<width).contains { x in bytes[y * bytesPerRow + x * 4 + 3] != 0 }
                }
            }
    }
}
