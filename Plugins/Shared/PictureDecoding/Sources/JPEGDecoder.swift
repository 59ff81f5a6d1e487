internal import CPictureCodecs
internal import VitrineKit

/// JPEG by libjpeg-turbo, which makes pictures smaller while it decodes them.
enum JPEGDecoder {
    static func picture(
        _ bytes: [UInt8], box: Int, _ limits: PictureDecoder
    ) throws(PluginError) -> DecodedPicture {
        guard let decoder = tjInitDecompress() else {
            throw PluginError(.limitExceeded, "there is no memory to decode a JPEG picture")
        }
        defer { tjDestroy(decoder) }
        var (width, height, sampling, space): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
        let count = CUnsignedLong(bytes.count)
        guard tjDecompressHeader3(decoder, bytes, count, &width, &height, &sampling, &space) == 0 else {
            throw PictureDecoder.broken("JPEG")
        }
        try limits.check(Int(width), Int(height), "JPEG")
        var divisor: CInt = 1
        while divisor < 8, Int(max(width, height)) / Int(divisor * 2) >= box { divisor *= 2 }
        // As libjpeg rounds.
        func side(_ length: CInt) -> Int { Int((length + divisor - 1) / divisor) }
        let scaled = PixelSize(width: side(width), height: side(height))
        let bitmap = try Bitmap(width: scaled.width, height: scaled.height, format: .bgrx)
        let isInk = space == CInt(TJCS_CMYK.rawValue) || space == CInt(TJCS_YCCK.rawValue)
        let status = bitmap.withUnsafeMutableBytes { rows in
            tjDecompress2(
                decoder, bytes, count, rows.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(scaled.width),
                CInt(bitmap.bytesPerRow), CInt(scaled.height), CInt((isInk ? TJPF_CMYK : TJPF_BGRX).rawValue),
                CInt(TJFLAG_LIMITSCANS))
        }
        // A warning is about a picture that is cut off or has a few wrong bits: what is there is shown.
        guard status == 0 || tjGetErrorCode(decoder) == CInt(TJERR_WARNING.rawValue) else {
            throw PictureDecoder.broken("JPEG")
        }
        let profile = CarriedProfile.inJPEG(bytes)
        if !isInk {
            limits.convert(bitmap, profile)
        } else {
            // Files hold inks as what is left of the paper's white, as Adobe's programs began to; profiles do not.
            bitmap.invert()
            if !limits.convert(bitmap, profile, isInk: true) { mix(bitmap) }
        }
        let size = PixelSize(width: Int(width), height: Int(height))
        return try limits.upright(bitmap, size, Orientation(jpeg: bytes))
    }

    /// Turns inks to light as it passes through each of them.
    private static func mix(_ bitmap: Bitmap) {
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<bitmap.height {
                for at in stride(from: y * bitmap.bytesPerRow, to: y * bitmap.bytesPerRow + bitmap.width * 4, by: 4) {
                    let paper = 255 - Int(bytes[at + 3])
                    let (cyan, magenta, yellow) = (Int(bytes[at]), Int(bytes[at + 1]), Int(bytes[at + 2]))
                    bytes[at] = UInt8((255 - yellow) * paper / 255)
                    bytes[at + 1] = UInt8((255 - magenta) * paper / 255)
                    bytes[at + 2] = UInt8((255 - cyan) * paper / 255)
                    bytes[at + 3] = 0xFF
                }
            }
        }
    }
}

extension Bitmap {
    /// Turns all bytes around.
    fileprivate func invert() {
        withUnsafeMutableBytes { bytes in for index in bytes.indices { bytes[index] = 255 - bytes[index] } }
    }
}
