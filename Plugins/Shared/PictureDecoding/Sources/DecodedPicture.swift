package import VitrineKit

/// A picture that lay in another file, decoded.
package struct DecodedPicture {
    /// Upright, in cairo's own formats (``Bitmap/PixelFormat/bgrx`` or ``Bitmap/PixelFormat/bgraPremultiplied``). At
    /// least as large as the box asked for where the picture is, often larger.
    package var bitmap: Bitmap
    /// The whole picture's size, upright.
    package var size: PixelSize

    /// Puts a result together.
    package init(bitmap: Bitmap, size: PixelSize) {
        self.bitmap = bitmap
        self.size = size
    }
}
