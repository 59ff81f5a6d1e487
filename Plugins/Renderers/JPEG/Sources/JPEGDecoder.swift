internal import CTurboJPEG
internal import VitrineKit

/// libjpeg-turbo's decoder, kept for one picture after the other.
final class JPEGDecoder {
    private let handle: tjhandle
    /// The most scans of a progressive picture, each of which costs a pass over all of it; libjpeg-turbo's own number.
    private static let scanLimit = 500

    init() throws(PluginError) {
        guard let handle = tjInitDecompress() else {
            throw PluginError(.pluginUnavailable, "libjpeg-turbo does not start")
        }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Decodes a picture at an eighth, a quarter, half or all of its size.
    /// - Parameters:
    ///   - bytes: the file.
    ///   - header: what its segments say.
    ///   - divisor: 1, 2, 4 or 8.
    /// - Returns: four bytes a pixel: RGBX, or cyan, magenta, yellow and black as they are stored. Of a file that ends too
    ///   early, or is damaged in between, the rest is what the decoder makes of it, as viewers show it.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, divisor: Int
    ) throws(PluginError) -> Bitmap {
        // As libjpeg rounds.
        let bitmap = try Bitmap(
            width: (header.size.width + divisor - 1) / divisor, height: (header.size.height + divisor - 1) / divisor,
            format: .rgbx)
        let layout = header.components == 4 ? TJPF_CMYK : TJPF_RGBX
        let status = bitmap.withUnsafeMutableBytes { rows in
            tjDecompress2(
                handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CUnsignedLong(bytes.count),
                rows.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(bitmap.width), CInt(bitmap.bytesPerRow),
                CInt(bitmap.height), CInt(layout.rawValue), CInt(TJFLAG_LIMITSCANS))
        }
        if status == 0 { return bitmap }
        // After a warning libjpeg-turbo calls an error one too; but then there are rows that it did not come to.
        if tjGetErrorCode(handle) == CInt(TJERR_WARNING.rawValue), Self.isComplete(bitmap) { return bitmap }
        if Self.scans(bytes) > Self.scanLimit {
            throw PluginError(
                .limitExceeded, "the picture is stored in more than \(Self.scanLimit) scans, each a pass over all of it"
            )
        }
        throw PluginError(.corrupt, "the picture is damaged")
    }

    /// Whether the last row was written: the fourth byte of RGBX becomes 255, and no ink is stored as 0 all over a row.
    private static func isComplete(_ bitmap: Bitmap) -> Bool {
        bitmap.withUnsafeMutableBytes { rows in rows.suffix(bitmap.bytesPerRow).contains { $0 != 0 } }
    }

    /// Scans that begin somewhere in the file, counted up to just above the limit.
    private static func scans(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for at in 0..<max(0, bytes.count - 1) where bytes[at] == 0xFF && bytes[at + 1] == 0xDA {
            count += 1
            if count > scanLimit { break }
        }
        return count
    }
}
