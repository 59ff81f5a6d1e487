internal import CompoundFiles
package import PictureDecoding
package import VitrineKit

extension PictureDecoder {
    /// Decodes a preview: any picture that ``picture(_:box:)`` does, or a bitmap of Windows, which older programs leave.
    /// - Throws: as ``picture(_:box:)``.
    package func preview(_ bytes: [UInt8], box: Int) throws(PluginError) -> DecodedPicture {
        guard bytes.starts(with: "BM".utf8) else { return try picture(bytes, box: box) }
        // The header of the file (BITMAPFILEHEADER) has 14 bytes.
        guard let bitmap = try DeviceBitmap.bitmap(bytes, at: 14) else {
            guard DeviceBitmap.isRare(bytes, at: 14) else {
                throw PluginError(.corrupt, "the bitmap inside is damaged")
            }
            throw PluginError(.unsupported, "the bitmap inside is of a rare kind, or very large, and is not decoded")
        }
        return DecodedPicture(bitmap: bitmap, size: PixelSize(width: bitmap.width, height: bitmap.height))
    }
}
