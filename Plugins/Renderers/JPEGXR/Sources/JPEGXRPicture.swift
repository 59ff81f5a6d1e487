internal import CJPEGXR
import Glibc
internal import VitrineKit

/// A decoded picture of JPEG XR: four numbers for each pixel, of the kind that its file has. The one owner of their memory.
final class JPEGXRPicture {
    /// As decoded, which may be smaller than the original.
    let width: Int, height: Int
    /// The original's, as stored.
    let size: PixelSize
    let hasAlpha: Bool
    /// Whether the numbers are light, and no values of sRGB.
    let isLight: Bool
    private let numbers: cjpegxr_numbers
    private let isGray: Bool
    private let pixel: Int, row: Int
    private let memory: UnsafeMutableRawPointer

    /// Further rows and pixels, into which the codec writes when a file lies about its size.
    private static let margin = 16

    /// Decodes a picture, at a half, a quarter, … of its size where that is half as large again as the box.
    /// - Throws: `corrupt`, `unsupported`, `limitExceeded`.
    init(
        _ bytes: UnsafeRawBufferPointer, _ container: JPEGXRContainer, box: Int, maximumPixels: Int
    ) throws(PluginError) {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { throw Self.damaged }
        var head = cjpegxr_head()
        guard cjpegxr_read(start, bytes.count, container.picture, &head) else { throw Self.damaged }
        let (pixels, overflow) = head.width.multipliedReportingOverflow(by: head.height)
        guard !overflow, pixels <= maximumPixels else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(head.width) × \(head.height) pixels; at most \(maximumPixels) are decoded")
        }
        guard head.numbers != cjpegxr_other else {
            throw PluginError(
                .unsupported, "the JPEG XR picture is made of inks, planes or packed colours, which are not supported")
        }
        let size = PixelSize(width: Int(head.width), height: Int(head.height))
        let longest = max(size.width, size.height)
        let pixel = 4 * Int(head.numbers == cjpegxr_rgbe ? 1 : head.size)
        // As many bytes as the largest picture of bytes has; what has more in a pixel is decoded smaller.
        let room = maximumPixels.multipliedReportingOverflow(by: 4)
        func fits(_ step: Int) -> Bool {
            let (width, height) = (Self.side(size.width, step), Self.side(size.height, step))
            return max(width, height) <= Bitmap.maximumSide
                && (room.overflow || width * height <= room.partialValue / pixel)
        }
        var step = 0
        while step < cjpegxr_steps, !fits(step) || 2 * Self.side(longest, step + 1) >= 3 * box { step += 1 }
        guard fits(step) else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(size.width) × \(size.height) pixels of \(pixel) bytes, too many to decode even a part"
            )
        }
        (width, height) = (Self.side(size.width, step), Self.side(size.height, step))
        self.size = size
        var alpha = cjpegxr_head()
        let hasPlane =
            container.alpha.map { at in
                cjpegxr_read(start, bytes.count, at, &alpha) && alpha.width == head.width && alpha.height == head.height
                    && alpha.numbers == head.numbers && alpha.is_gray
            } ?? false
        (numbers, isGray, hasAlpha) = (head.numbers, head.is_gray, head.has_alpha || hasPlane)
        isLight = head.numbers != cjpegxr_byte && head.numbers != cjpegxr_word
        self.pixel = pixel
        row = (width + Self.margin) * pixel
        guard let memory = calloc(height + Self.margin, row) else {
            throw PluginError(.limitExceeded, "no memory for a picture of \(width) × \(height) pixels")
        }
        self.memory = memory
        let target = memory.assumingMemoryBound(to: UInt8.self)
        var isWhole = cjpegxr_decode(start, bytes.count, container.picture, CInt(step), false, target, row)
        if isWhole, hasPlane, let at = container.alpha {
            isWhole = cjpegxr_decode(start, bytes.count, at, CInt(step), true, target, row)
        }
        guard isWhole else { throw Self.damaged }
    }

    deinit { free(memory) }

    private static func side(_ side: Int, _ step: Int) -> Int { (side + (1 << step) - 1) >> step }

    /// The numbers of a pixel that lies in the picture: light, of which 1 is white, or values of sRGB from 0 to 1.
    @inline(__always) func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let at = memory + y * row + x * pixel
        var values: SIMD4<Float>
        switch numbers {
        case cjpegxr_byte: values = SIMD4<Float>(at.loadUnaligned(as: SIMD4<UInt8>.self)) / 255
        case cjpegxr_word: values = SIMD4<Float>(at.loadUnaligned(as: SIMD4<UInt16>.self)) / 65_535
        case cjpegxr_fixed16: values = SIMD4<Float>(at.loadUnaligned(as: SIMD4<Int16>.self)) / 8_192
        case cjpegxr_half: values = Self.halves(at.loadUnaligned(as: SIMD4<UInt16>.self))
        case cjpegxr_fixed32: values = SIMD4<Float>(at.loadUnaligned(as: SIMD4<Int32>.self)) / 16_777_216
        case cjpegxr_rgbe:
            let bytes = at.loadUnaligned(as: SIMD4<UInt8>.self)
            values = SIMD4<Float>(bytes) * Float(sign: .plus, exponent: Int(bytes.w) - 136, significand: 1)
        default: values = at.loadUnaligned(as: SIMD4<Float>.self)
        }
        if isGray { values = SIMD4(values.x, values.x, values.x, values.w) }
        if !hasAlpha { values.w = 1 }
        return values
    }

    /// Numbers of IEEE 754 in two bytes. What is infinite or none becomes large.
    private static func halves(_ bits: SIMD4<UInt16>) -> SIMD4<Float> {
        let wide = SIMD4<UInt32>(truncatingIfNeeded: bits)
        // Their exponents count from 15, and those of four bytes from 127.
        let bits = (wide & 0x7FFF) &<< 13
        let sizes =
            SIMD4(
                Float(bitPattern: bits.x), Float(bitPattern: bits.y), Float(bitPattern: bits.z),
                Float(bitPattern: bits.w)) * 0x1p112
        return sizes.replacing(with: -sizes, where: wide .>= 0x8000)
    }

    private static let damaged = PluginError(.corrupt, "the JPEG XR picture is damaged")
}
