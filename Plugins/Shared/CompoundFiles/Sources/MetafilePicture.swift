package import VitrineKit

/// The bitmap of a Windows metafile ([MS-WMF]) that draws nothing but one bitmap: newer versions of PowerPoint wrap the
/// thumbnails of ppt files like that. Metafiles that draw lines and letters are left alone: LibreOffice draws the document
/// itself as well.
package enum MetafilePicture {
    /// Records at most.
    private static let mostRecords = 256

    /// Functions that draw nothing ([MS-WMF] 2.1.1.1): the end, modes, colours, objects, the window, palettes, escapes.
    private static let silent: Set<Int> = [
        0x0000, 0x001E, 0x0035, 0x00F7, 0x0102, 0x0103, 0x0104, 0x0106, 0x0107, 0x0108, 0x0127, 0x012D, 0x012E, 0x01F0,
        0x0201, 0x0209, 0x020B, 0x020C, 0x0234, 0x02FA, 0x02FB, 0x02FC, 0x0416, 0x0626,
    ]

    /// Where the bitmap begins in the records that have one, and where its source rectangle lies: height, width, top, left.
    private static let drawing: [Int: (bitmap: Int, source: Int)] = [0x0B41: (26, 10), 0x0F43: (28, 12)]

    /// Decodes the bitmap.
    /// - Parameters:
    ///   - bytes: what the metafile lies in.
    ///   - start: where it begins, with or without the header of a file that can be placed.
    /// - Returns: `nil` for other metafiles, and damaged ones.
    /// - Throws: `limitExceeded` when there is no memory for it.
    package static func bitmap(_ bytes: [UInt8], at start: Int = 0) throws(PluginError) -> Bitmap? {
        let header = bytes.uint32(at: start) == 0x9AC6_CDD7 ? start + 22 : start
        guard let kind = bytes.uint16(at: header), 1...2 ~= kind, bytes.uint16(at: header + 2) == 9 else { return nil }
        var at = header + 18
        var found: Bitmap?
        for _ in 0..<mostRecords {
            guard let words = bytes.uint32(at: at), let function = bytes.uint16(at: at + 4), words >= 3 else { break }
            if let place = drawing[function] {
                guard found == nil, let bitmap = try DeviceBitmap.bitmap(bytes, at: at + place.bitmap),
                    bytes.uint16(at: at + place.source) == bitmap.height,
                    bytes.uint16(at: at + place.source + 2) == bitmap.width,
                    bytes.uint16(at: at + place.source + 4) == 0, bytes.uint16(at: at + place.source + 6) == 0
                else { return nil }
                found = bitmap
            } else if !silent.contains(function) {
                return nil
            }
            if function == 0 { break }
            at += words * 2
        }
        return found
    }
}
