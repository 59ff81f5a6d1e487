import CPNGReader
import Picture
import Testing
import VitrineKit

/// A preview read back by libpng.
struct EncodedPicture {
    var size: PixelSize
    var png: [UInt8]
    /// Packed R, G, B, A.
    var pixels: [UInt8]

    /// Encodes a bitmap with room to spare and reads the result.
    init(
        _ bitmap: Bitmap, box: Int, convertColors: ((_ pixels: UnsafeMutableRawBufferPointer) -> Void)? = nil
    ) throws {
        var memory = [UInt8](repeating: 0xEE, count: bitmap.width * bitmap.height * 5 + 4096)
        let encoded = try memory.withUnsafeMutableBytes {
            try PictureEncoder.encode(bitmap, box: box, convertColors: convertColors, into: $0)
        }
        size = encoded.size
        png = Array(memory[..<encoded.length])
        #expect(memory[encoded.length...].allSatisfy { $0 == 0xEE }, "bytes after the picture stay untouched")
        var width: CInt = 0
        var height: CInt = 0
        #expect(cpngreader_size(png, png.count, &width, &height) == 0)
        #expect(PixelSize(width: Int(width), height: Int(height)) == size)
        pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
        #expect(cpngreader_pixels(png, png.count, &pixels, pixels.count) == 0)
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * size.width + x) * 4
        return Array(pixels[start..<start + 4])
    }

    /// Whether every pixel is this one.
    func isAll(_ pixel: [UInt8]) -> Bool {
        stride(from: 0, to: pixels.count, by: 4).allSatisfy { Array(pixels[$0..<$0 + 4]) == pixel }
    }

    /// The types of the PNG's chunks, in order.
    var chunks: [String] {
        var types: [String] = []
        var at = 8
        while at + 12 <= png.count {
            let length = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            types.append(String(decoding: png[at + 4..<at + 8], as: UTF8.self))
            at += 12 + length
        }
        return types
    }
}

extension Bitmap {
    /// A bitmap whose pixels a function gives, four bytes each in the order of the format.
    static func drawn(
        _ width: Int, _ height: Int, _ format: PixelFormat, _ pixel: (Int, Int) -> [UInt8]
    ) throws -> Bitmap {
        let bitmap = try Bitmap(width: width, height: height, format: format)
        bitmap.withUnsafeMutableBytes { rows in
            for y in 0..<height {
                for x in 0..<width {
                    for (channel, value) in pixel(x, y).enumerated() {
                        rows[y * bitmap.bytesPerRow + x * 4 + channel] = value
                    }
                }
            }
        }
        return bitmap
    }
}
