internal import CDCMTK
internal import VitrineKit

/// A frame of a DICOM file, decoded; the one owner of its object. The file must outlive it.
struct DICOMFrame: ~Copyable {
    private let frame: OpaquePointer

    init(_ frame: OpaquePointer) { self.frame = frame }

    deinit { cdcmtk_frame_free(frame) }

    /// Whether it has shades of grey only.
    var isGrey: Bool { cdcmtk_frame_is_grey(frame) }

    /// Draws the frame with pixels that are square.
    /// - Parameters:
    ///   - size: of the frame.
    ///   - maximumPixels: how many the picture may have at most.
    /// - Throws: `corrupt`, `limitExceeded`.
    func draw(_ size: PixelSize, maximumPixels: Int) throws(PluginError) -> Bitmap {
        let shown = Self.size(size, ratio: cdcmtk_frame_ratio(frame), maximumPixels)
        let bitmap = try Bitmap(width: shown.width, height: shown.height, format: .rgbx)
        var failure = CDCMTK_DAMAGED
        let isDrawn = bitmap.withUnsafeMutableBytes { rows in
            cdcmtk_frame_draw(
                frame, UInt32(shown.width), UInt32(shown.height),
                rows.baseAddress?.assumingMemoryBound(to: UInt8.self), bitmap.bytesPerRow, &failure)
        }
        guard isDrawn else { throw DICOMFile.failure(failure, "") }
        return bitmap
    }

    /// Ratios of a pixel's sides that are obeyed; others are mistakes.
    private static let ratios = 0.1...10.0

    /// The size of a picture whose pixels are square: larger in one direction, or smaller in the other where that is too large.
    /// - Parameter ratio: how much wider than high a pixel is.
    static func size(_ size: PixelSize, ratio: Double, _ maximumPixels: Int) -> PixelSize {
        guard ratios ~= ratio, abs(ratio - 1) > 0.005 else { return size }
        func scaled(_ side: Int, _ factor: Double) -> Int { max(1, Int((Double(side) * factor).rounded())) }
        let larger =
            ratio > 1
            ? PixelSize(width: scaled(size.width, ratio), height: size.height)
            : PixelSize(width: size.width, height: scaled(size.height, 1 / ratio))
        if max(larger.width, larger.height) <= Bitmap.maximumSide, larger.width * larger.height <= maximumPixels {
            return larger
        }
        return ratio > 1
            ? PixelSize(width: size.width, height: scaled(size.height, 1 / ratio))
            : PixelSize(width: scaled(size.width, ratio), height: size.height)
    }
}
