internal import Glibc
internal import VitrineKit

extension OfficeDocument {
    /// Draws the slide that is shown as it is printed, without what invites people to fill it. It takes several times as
    /// long as drawing it for a screen.
    /// - Parameters:
    ///   - size: of the picture, in pixels.
    ///   - folder: a folder of this process alone, where a file is written meanwhile.
    /// - Returns: `nil` when it cannot be written in this size, as versions of LibreOffice before 7.4 cannot.
    /// - Throws: `limitExceeded` when there is no memory for it.
    func printed(_ size: PixelSize, in folder: String) throws(PluginError) -> Bitmap? {
        let path = folder + "/slide.png"
        defer { unlink(path) }
        let options = """
            {"PixelWidth":{"type":"long","value":"\(size.width)"},"PixelHeight":{"type":"long","value":"\(size.height)"}}
            """
        guard save(as: "file://" + PercentEncoding.encode(path.utf8), "png", options: options),
            let bytes = Self.contents(path), let bitmap = try PNGPicture.bitmap(bytes),
            bitmap.width == size.width, bitmap.height == size.height
        else { return nil }
        bitmap.layOnWhite()
        return bitmap
    }
}

extension Bitmap {
    /// Puts white behind what is transparent, in a picture whose colours are not multiplied by alpha.
    fileprivate func layOnWhite() {
        withUnsafeMutableBytes { bytes in
            for at in stride(from: 0, to: bytes.count - 3, by: 4) where bytes[at + 3] != 0xFF {
                let alpha = Int(bytes[at + 3])
                for channel in at..<at + 3 {
                    bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 255 * (255 - alpha) + 127) / 255)
                }
                bytes[at + 3] = 0xFF
            }
        }
    }
}
