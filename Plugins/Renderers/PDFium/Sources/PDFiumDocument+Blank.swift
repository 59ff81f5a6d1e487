internal import CPDFium
internal import VitrineKit

// Which white pages are white for certain, and which may be so because PDFium does not know a font or a shading.
extension PDFiumDocument {
    /// Pixels of the longest side, when a page is drawn once more to see what is white on it.
    private static let lookBox = 64
    /// Bytes in which there is no picture that could be had by better means. Others draw a page as large as it says, white.
    private static let lostPicture = 64

    /// Whether a page shows nothing, whoever draws it: without content and annotations, with one white picture alone, as
    /// scanners make them of the backs of sheets, or with one whose bytes were lost.
    /// - Parameter bitmap: how it was drawn.
    func isKnownBlank(_ page: OpaquePointer, drawn bitmap: Bitmap) throws(PluginError) -> Bool {
        let objects = functions.object_count(page)
        guard 0...1 ~= objects, functions.annotation_count(page) == 0, functions.form_type(handle) == 0 else {
            return false
        }
        if objects == 0 { return true }
        guard let object = functions.object(page, 0), functions.object_type(object) == CInt(VP_PDF_OBJECT_IMAGE),
            bitmap.isFilled(with: 0xFF)
        else { return false }
        if functions.image_data(object, nil, 0) < Self.lostPicture { return true }
        // A picture that could not be decoded leaves black paper black.
        let look = PixelSize.fitting(
            width: Double(bitmap.width), height: Double(bitmap.height), in: Self.lookBox, enlarging: false)
        guard let look else { return false }
        return try !draw(page, at: look, isPaperBlack: true).isFilled(with: 0)
    }
}

extension Bitmap {
    /// Whether blue, green and red of every pixel have one value. The fourth byte means nothing.
    fileprivate func isFilled(with value: UInt8) -> Bool {
        let wanted = UInt32(value) * 0x01_0101
        return withUnsafeMutableBytes { bytes in
            (0..<height).allSatisfy { y in
                (0..<width).allSatisfy { x in
                    bytes.load(fromByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self) & 0x00FF_FFFF == wanted
                }
            }
        }
    }
}
