internal import VitrineKit

// Files that hold pictures of other formats.
extension ImageRenderer {
    /// Draws the picture of an icon that fits best; where it is damaged, another one.
    func drawIcon(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        let icon = AppleIcon(bytes)
        var failure =
            bytes.count >= 8 && Int(bigEndianBytes: bytes[4..<8]) > bytes.count
            ? PluginError(.corrupt, "the icon is cut off before the end of its first picture")
            : PluginError(.empty, "the icon has no picture in it")
        for picture in icon.pictures(for: request.box) {
            do throws(PluginError) {
                switch picture.form {
                case .png: return try drawMemory(icon.file(picture), .png, request, pages: nil)
                case .jpeg2000: return try drawMemory(icon.file(picture), .jpeg2000, request, pages: nil)
                case .colours, .planes, .numbers:
                    let size = PixelSize(width: picture.side, height: picture.side)
                    return Rendering(try icon.bitmap(picture), facts: Facts(size: size))
                }
            } catch { failure = error }
        }
        throw failure
    }

    /// Draws the picture of an icon or a cursor of Windows that fits best, where it is a PNG.
    /// - Returns: `nil` for what is left to ImageMagick.
    func drawWindowsIcon(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest
    ) throws(PluginError) -> Rendering? {
        guard let png = WindowsIcon.png(bytes, box: request.box) else { return nil }
        do throws(PluginError) { return try drawMemory(png, .png, request, pages: nil) } catch {
            // There may be others.
            guard error.code == .corrupt else { throw error }
            return nil
        }
    }

    /// Draws the first picture of an animated cursor.
    func drawCursor(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        let picture = try AnimatedCursor.first(bytes)
        guard let format = ImageFormat(head: Array(picture.prefix(ImageFormat.headLength)), mimeType: ""),
            format.hasSizes
        else {
            throw PluginError(.unsupported, "the animated cursor's pictures are of a kind that is not supported")
        }
        return try drawMemory(picture, format, request, pages: nil)
    }

    /// Draws the JPEG file in a JNG, with its alpha. Where that is damaged, colours are shown without it.
    func drawNetworkGraphic(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        func draw(_ file: [UInt8], _ format: ImageFormat) throws(PluginError) -> Rendering {
            try file.withUnsafeBytes { bytes in
                Result { () throws(PluginError) in try drawMemory(bytes, format, request, pages: nil) }
            }.get()
        }
        let picture = try JNGPicture(bytes)
        let colours = try draw(picture.jpeg, .jpeg)
        guard let alpha = picture.alpha else { return colours }
        let mask: Rendering
        do throws(PluginError) { mask = try draw(alpha.file, alpha.format) } catch { return colours }
        return Rendering(try colours.bitmap.masked(by: mask.bitmap), facts: colours.facts)
    }

    /// Draws a bitmap of Windows, or the file that stands in the place of its pixels.
    /// - Returns: `nil` for those that are left to ImageMagick.
    func drawBitmap(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest
    ) throws(PluginError) -> Rendering? {
        guard let bitmap = BMPPicture(bytes) else { return nil }
        guard let (file, format) = bitmap.file else {
            return try bitmap.rendering(box: request.box, check: checkPixels)
        }
        return try drawMemory(file, format, request, pages: nil)
    }
}
