import Glibc

/// Pixels in memory, owned by this object and freed with it.
///
/// Rows run from top to bottom, pixels from left to right, 8 bits a channel, sRGB. Not thread-safe while
/// somebody writes into it.
public final class Bitmap {
    /// How a pixel lies in memory.
    public enum PixelFormat: UInt32, Sendable {
        /// B, G, R, A; colours multiplied by alpha. Cairo's `ARGB32` on little-endian machines.
        case bgraPremultiplied = 0
        /// B, G, R, unused; opaque. Cairo's `RGB24` on little-endian machines.
        case bgrx = 1
        /// R, G, B, A; colours not multiplied by alpha.
        case rgba = 2
        /// R, G, B, unused; opaque.
        case rgbx = 3
    }

    /// Pixels a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// From the start of one row to the start of the next, a multiple of 64 bytes.
    public let bytesPerRow: Int
    /// How a pixel lies in memory.
    public let format: PixelFormat

    private let start: UnsafeMutableRawPointer

    /// Makes a bitmap of zeroes: transparent, or black where the format is opaque.
    /// - Parameters:
    ///   - width: 1 to 32,767 pixels.
    ///   - height: 1 to 32,767 rows.
    ///   - format: how a pixel lies in memory.
    /// - Throws: `limitExceeded` when a side is out of range or the memory cannot be had.
    public convenience init(width: Int, height: Int, format: PixelFormat) throws(PluginError) {
        try self.init(width, height, format) { count, size in calloc(count, size) }
    }

    /// Makes a bitmap with whatever was in its memory, which may be of another document: all of it must be written, also
    /// what is behind the last pixel of each row.
    convenience init(unwritten size: PixelSize, format: PixelFormat) throws(PluginError) {
        try self.init(size.width, size.height, format) { count, size in malloc(count * size) }
    }

    private init(
        _ width: Int, _ height: Int, _ format: PixelFormat,
        memory: (_ rows: Int, _ bytesPerRow: Int) -> UnsafeMutableRawPointer?
    ) throws(PluginError) {
        guard 1...Self.maximumSide ~= width, 1...Self.maximumSide ~= height else {
            throw PluginError(
                .limitExceeded,
                "a picture of \(width) × \(height) pixels cannot be made: sides are 1 to \(Self.maximumSide)")
        }
        let bytesPerRow = (width * 4 + 63) & ~63
        guard let start = memory(height, bytesPerRow) else {
            throw PluginError(.limitExceeded, "no memory for a picture of \(width) × \(height) pixels")
        }
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.format = format
        self.start = start
    }

    /// Makes a bitmap of opaque white, which is what paper looks like.
    /// - Parameters:
    ///   - size: sides of 1 to 32,767 pixels.
    ///   - format: how a pixel lies in memory.
    /// - Throws: `limitExceeded` when a side is out of range or the memory cannot be had.
    public static func white(_ size: PixelSize, format: PixelFormat) throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap(unwritten: size, format: format)
        bitmap.fillWhite()
        return bitmap
    }

    deinit { free(start) }

    /// The largest side of a bitmap, in pixels; cairo's own limit.
    public static let maximumSide = 32_767

    /// Gives access to all rows: `height` × `bytesPerRow` bytes. The pointer is valid during the call.
    public func withUnsafeMutableBytes<R, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeMutableRawBufferPointer(start: start, count: height * bytesPerRow))
    }

    /// Fills the whole bitmap with opaque white, which is what paper looks like.
    public func fillWhite() { memset(start, 0xFF, height * bytesPerRow) }

    /// Whether every pixel is opaque by its format.
    public var isOpaque: Bool { format == .bgrx || format == .rgbx }
}
