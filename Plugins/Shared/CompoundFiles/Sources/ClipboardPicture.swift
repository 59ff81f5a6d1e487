package import VitrineKit

/// The thumbnail among the properties of a compound file, as it would lie on the clipboard ([MS-OLEPS] 2.12): a bitmap, or a
/// metafile that holds nothing else.
package enum ClipboardPicture {
    /// Clipboard formats `CF_DIB` and `CF_METAFILEPICT`.
    private static let bitmapFormat = 8, metafileFormat = 3

    /// Decodes the value of a property.
    /// - Parameter value: behind the property's type: a tag, a format, the data.
    /// - Returns: `nil` for what is neither, or cut off.
    /// - Throws: `limitExceeded` when there is no memory for it.
    package static func bitmap(_ value: [UInt8]) throws(PluginError) -> Bitmap? {
        // -1: one of Windows' own formats.
        guard value.uint32(at: 0) == 0xFFFF_FFFF else { return nil }
        switch value.uint32(at: 4) {
        case bitmapFormat: return try DeviceBitmap.bitmap(value, at: 8)
        // Mapping mode, extents and a handle come first ([MS-OLEDS] 2.1.1).
        case metafileFormat: return try MetafilePicture.bitmap(value, at: 16)
        default: return nil
        }
    }
}
