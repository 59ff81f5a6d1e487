internal import CPicture
import Glibc
import VitrineKit

/// Packed R, G, B, A, colours not multiplied by alpha; owned by this object. For one thread.
final class Pixels {
    let width: Int
    let height: Int
    let start: UnsafeMutablePointer<UInt8>

    /// Not zeroed.
    init(width: Int, height: Int) throws(PluginError) {
        guard 1...Bitmap.maximumSide ~= width, 1...Bitmap.maximumSide ~= height,
            let start = malloc(width * height * 4)
        else { throw Self.noMemory(width, height) }
        self.width = width
        self.height = height
        self.start = start.assumingMemoryBound(to: UInt8.self)
    }

    /// Decodes a preview.
    /// - Throws: `corrupt`, or `limitExceeded` for more pixels than `most`.
    init(png: UnsafeRawBufferPointer, most: Int) throws(PluginError) {
        var (width, height): (CInt, CInt) = (0, 0)
        var pixels: UnsafeMutablePointer<UInt8>?
        let status = cpicture_png_decode(
            png.baseAddress?.assumingMemoryBound(to: UInt8.self), png.count, most, &width, &height, &pixels)
        switch status {
        case CPICTURE_DONE: break
        case CPICTURE_NO_MEMORY, CPICTURE_BAD_SIZE:
            throw PluginError(.limitExceeded, "the preview is too large to be finished")
        default: throw PluginError(.corrupt, "the preview that a picture is to be made of is damaged")
        }
        guard let pixels else { throw PluginError(.corrupt, "the preview has no pixels") }
        self.width = Int(width)
        self.height = Int(height)
        start = pixels
    }

    deinit { free(start) }

    var count: Int { width * height }

    /// The picture as small as this, neither side larger than it is; itself when it is so already.
    func scaled(to size: PixelSize) throws(PluginError) -> Pixels {
        if size.width == width, size.height == height { return self }
        let result = try Pixels(width: size.width, height: size.height)
        var source = cpicture_source(
            pixels: start, stride: width * 4, width: CInt(width), height: CInt(height), format: CPICTURE_RGBA)
        guard cpicture_scale(&source, CInt(size.width), CInt(size.height), result.start) == CPICTURE_DONE else {
            throw Self.noMemory(size.width, size.height)
        }
        return result
    }

    /// The picture as large as this, neither side smaller than it is; itself when it is so already.
    func enlarged(to size: PixelSize) throws(PluginError) -> Pixels {
        if size.width == width, size.height == height { return self }
        let result = try Pixels(width: size.width, height: size.height)
        cpicture_enlarge(start, CInt(width), CInt(height), CInt(size.width), CInt(size.height), result.start)
        return result
    }

    /// A part of the picture, inside of it.
    func cut(x: Int, y: Int, width: Int, height: Int) throws(PluginError) -> Pixels {
        if width == self.width, height == self.height { return self }
        let result = try Pixels(width: width, height: height)
        for row in 0..<height {
            memcpy(result.start + row * width * 4, start + ((y + row) * self.width + x) * 4, width * 4)
        }
        return result
    }

    private static func noMemory(_ width: Int, _ height: Int) -> PluginError {
        PluginError(.limitExceeded, "no memory for a picture of \(width) × \(height) pixels is left in the worker")
    }
}
