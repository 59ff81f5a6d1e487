internal import CPicture
import Glibc
public import VitrineKit

/// Makes previews out of bitmaps: scales them down and writes them as PNG, the cache's format.
///
/// Holds no state; may be called from any thread, for one bitmap from one thread at a time.
public enum PictureEncoder {
    /// Scales a bitmap to fit a box and writes it as PNG into memory.
    ///
    /// The PNG has 8 bits a channel with alpha, is not interlaced and has no ancillary chunk: the cache adds its
    /// keys itself. One bitmap can be encoded for several boxes; it is not changed.
    /// - Parameters:
    ///   - bitmap: the picture. It is never enlarged.
    ///   - box: the longest side allowed, in pixels, 1 or more.
    ///   - wantsPlaceholder: whether ``EncodedSize/placeholder`` is of use. Default: no.
    ///   - convertColors: brings the scaled pixels to sRGB, see `Rendering.convertColors`. Default: they are.
    ///   - memory: where to; its content is undefined after an error.
    /// - Returns: the size of the picture, and the bytes written from the start of `memory`.
    /// - Throws: `limitExceeded` when the picture does not fit into `memory` or the heap is exhausted,
    ///   `invalidArgument` for a box below 1.
    public static func encode(
        _ bitmap: Bitmap, box: Int, wantsPlaceholder: Bool = false,
        convertColors: ((_ pixels: UnsafeMutableRawBufferPointer) -> Void)? = nil,
        into memory: UnsafeMutableRawBufferPointer
    ) throws(PluginError) -> EncodedSize {
        let fitting = PixelSize.fitting(
            width: Double(bitmap.width), height: Double(bitmap.height), in: box, enlarging: false)
        guard let size = fitting else {
            throw PluginError(.invalidArgument, "a preview's box must be at least 1 pixel, not \(box)")
        }
        // Not zeroed: the scaler writes every byte.
        guard let pixels = malloc(size.width * size.height * 4)?.assumingMemoryBound(to: UInt8.self) else {
            try check(CPICTURE_NO_MEMORY, size, memory.count)
            return EncodedSize(size: size, length: 0)
        }
        defer { free(pixels) }
        let scaled = bitmap.withUnsafeMutableBytes { rows in
            var source = cpicture_source(
                pixels: rows.baseAddress?.assumingMemoryBound(to: UInt8.self), stride: bitmap.bytesPerRow,
                width: CInt(bitmap.width), height: CInt(bitmap.height),
                format: cpicture_pixel_format(rawValue: bitmap.format.rawValue))
            return cpicture_scale(&source, CInt(size.width), CInt(size.height), pixels)
        }
        try check(scaled, size, memory.count)
        convertColors?(UnsafeMutableRawBufferPointer(start: pixels, count: size.width * size.height * 4))
        var result = EncodedSize(size: size, length: try encode(pixels, size, into: memory))
        result.isPlain = cpicture_is_plain(pixels, size.width * size.height, Self.sameColour) != 0
        if wantsPlaceholder { result.placeholder = placeholder(of: pixels, size) }
        return result
    }

    /// How much a channel may differ within one colour, of 255: decoders of lossy formats leave that much on a plain page.
    private static let sameColour: CInt = 2

    /// Writes packed R, G, B, A as PNG into memory.
    /// - Returns: the bytes written.
    static func encode(
        _ pixels: UnsafePointer<UInt8>, _ size: PixelSize, into memory: UnsafeMutableRawBufferPointer
    ) throws(PluginError) -> Int {
        var length = 0
        let encoded = cpicture_png_encode(
            pixels, CInt(size.width), CInt(size.height),
            memory.baseAddress?.assumingMemoryBound(to: UInt8.self), memory.count, &length)
        try check(encoded, size, memory.count)
        return length
    }

    /// The one place where the C part's status becomes an error.
    private static func check(_ status: cpicture_status, _ size: PixelSize, _ room: Int) throws(PluginError) {
        let picture = "the preview of \(size.width) × \(size.height) pixels"
        switch status {
        case CPICTURE_DONE: return
        case CPICTURE_NO_MEMORY:
            throw PluginError(.limitExceeded, "\(picture) cannot be made: no memory is left in the worker")
        case CPICTURE_NO_ROOM:
            throw PluginError(.limitExceeded, "\(picture) does not fit into the \(room) bytes set aside for it as PNG")
        default:
            throw PluginError(.limitExceeded, "\(picture) cannot be written as PNG")
        }
    }
}

/// What ``PictureEncoder/encode(_:box:wantsPlaceholder:convertColors:into:)`` made.
public struct EncodedSize: Hashable, Sendable {
    /// The preview's size in pixels.
    public var size: PixelSize
    /// The PNG's length in bytes.
    public var length: Int
    /// Whether it is of one colour: no channel differs by more than 2 of 255.
    public var isPlain = false
    /// Its ThumbHash, when it was wanted: some 25 bytes that a blurred picture can be drawn from until it is there. Empty
    /// when there was no memory for it.
    public var placeholder: [UInt8] = []

    /// Creates a size.
    public init(size: PixelSize, length: Int) {
        self.size = size
        self.length = length
    }
}
