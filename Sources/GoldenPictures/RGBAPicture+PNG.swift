import CPNG
public import VitrineKit
public import VitrineTesting

extension RGBAPicture {
    /// The most pixels that a picture in a test may have: 64 MiB of memory.
    public static let pixelLimit = 16 << 20

    /// Reads a PNG file with libpng.
    /// - Parameter path: of a file.
    /// - Throws: `corrupt` when it is missing or no PNG, `limitExceeded` above ``pixelLimit``.
    public init(png path: String) throws(PluginError) {
        try self.init(named: "'\(path)'") { png_image_begin_read_from_file(&$0, path) }
    }

    /// Reads a PNG from memory with libpng.
    /// - Parameter bytes: the whole file.
    /// - Throws: as ``init(png:)-(String)``.
    public init(png bytes: [UInt8]) throws(PluginError) {
        // The bytes must stay where they are until the last row is read.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        try self.init(named: "a picture of \(bytes.count) bytes") {
            png_image_begin_read_from_memory(&$0, copy.baseAddress, bytes.count)
        }
    }

    private init(named name: String, begin: (inout png_image) -> CInt) throws(PluginError) {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard begin(&image) != 0 else {
            throw PluginError(.corrupt, "\(name) cannot be read as PNG: \(Self.reason(image))")
        }
        let width = Int(image.width), height = Int(image.height)
        guard width <= Bitmap.maximumSide, height <= Bitmap.maximumSide, width * height <= Self.pixelLimit else {
            throw PluginError(.limitExceeded, "\(name) has \(width) × \(height) pixels, more than tests take")
        }
        image.format = cpng_format_rgba()
        // Without it libpng takes 16-bit pictures that name no colour space for linear light.
        image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else {
            throw PluginError(.corrupt, "\(name) cannot be decoded: \(Self.reason(image))")
        }
        guard let picture = RGBAPicture(width: width, height: height, pixels: pixels) else {
            throw PluginError(.corrupt, "\(name) has no pixels")
        }
        self = picture
    }

    /// Writes a PNG file with libpng.
    /// - Parameter path: of the file, which is replaced.
    /// - Throws: `io` when it cannot be written.
    public func write(png path: String) throws(PluginError) {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = cpng_format_rgba()
        defer { png_image_free(&image) }
        guard png_image_write_to_file(&image, path, 0, pixels, 0, nil) != 0 else {
            throw PluginError(.io, "cannot write '\(path)': \(Self.reason(image))")
        }
    }

    private static func reason(_ image: png_image) -> String {
        withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
