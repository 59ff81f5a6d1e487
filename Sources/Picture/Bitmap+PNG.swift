public import VitrineKit

extension Bitmap {
    /// Decodes a PNG file that nobody vouches for.
    /// - Parameters:
    ///   - png: the file.
    ///   - most: the most pixels that it may have.
    /// - Throws: `corrupt` when it is no PNG, `limitExceeded` when it is too large.
    public convenience init(png: UnsafeRawBufferPointer, most: Int) throws(PluginError) {
        let pixels = try Pixels(png: png, most: most)
        try self.init(width: pixels.width, height: pixels.height, format: .rgba)
        let (row, stride) = (pixels.width * 4, bytesPerRow)
        withUnsafeMutableBytes { bytes in
            for y in 0..<pixels.height {
                UnsafeMutableRawBufferPointer(rebasing: bytes[(y * stride)...])
                    .copyMemory(from: UnsafeRawBufferPointer(start: pixels.start + y * row, count: row))
            }
        }
    }
}
