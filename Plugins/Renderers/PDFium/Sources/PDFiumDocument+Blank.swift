internal import CPDFium
internal import VitrineKit

// Which white pages are white for certain, and which may be so because PDFium does not know a font or a shading.
extension PDFiumDocument {
    /// Pixels of the longest side, when a page is drawn once more to see what is white on it.
    private static let lookBox = 64
    /// Bytes that no JPEG is as short as: a table of 64 steps and the headers beside it (ITU-T T.81, B.2).
    private static let lostJPEG = 64

    /// Whether a page shows nothing, whoever draws it: with one picture alone that covers it in white, as scanners make
    /// them of the backs of sheets, or with a JPEG alone whose bytes were lost.
    ///
    /// A page without objects is not among them: so is one whose content PDFium could not read.
    /// - Parameter bitmap: how it was drawn.
    func isKnownBlank(_ page: OpaquePointer, drawn bitmap: Bitmap) throws(PluginError) -> Bool {
        guard functions.object_count(page) == 1, functions.annotation_count(page) == 0,
            functions.form_type(handle) == 0, let object = functions.object(page, 0),
            functions.object_type(object) == CInt(CPDFIUM_OBJECT_IMAGE), bitmap.isFilled(with: 0xFF)
        else { return false }
        // Others draw it as large as it says, white.
        if isJPEG(object), functions.image_data(object, nil, 0) < Self.lostJPEG { return true }
        // What could not be decoded, or only in part, leaves black paper black.
        let look = PixelSize.fitting(
            width: Double(bitmap.width), height: Double(bitmap.height), in: Self.lookBox, enlarging: false)
        guard let look else { return false }
        return try draw(page, at: look, isPaperBlack: true).isFilled(with: 0xFF)
    }

    /// Whether the bytes of a picture are a JPEG and nothing around it.
    private func isJPEG(_ image: OpaquePointer) -> Bool {
        guard functions.filter_count(image) == 1 else { return false }
        var name = [CChar](repeating: 0, count: 16)
        guard functions.filter(image, 0, &name, CUnsignedLong(name.count)) <= name.count else { return false }
        return ["DCTDecode", "DCT"].contains(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
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
