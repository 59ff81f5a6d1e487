internal import EXIF
internal import PictureTraits
public import VitrineKit

/// Draws JPEG files with libjpeg-turbo, which decodes them at half, a quarter or an eighth of their size right away.
///
/// The bitmap is upright, in sRGB, and less than twice as large as asked for while that can be had: the rest is left to
/// the worker's scaler. Pictures are never enlarged.
public final class JPEGRenderer: Renderer {
    private let decoder: JPEGDecoder
    private let profiles = ColorProfileCache()
    private let maximumPixels: Int
    private let addressSpace: Int64

    /// Starts the decoder; there is nothing that it loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        maximumPixels = environment.maximumPixels
        addressSpace = environment.addressSpace
        decoder = try JPEGDecoder()
    }

    /// Draws the picture.
    /// - Throws: `empty`, `corrupt`, `unsupported`, `limitExceeded`, `invalidArgument` for a page that is not there; and
    ///   what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        guard input.size > 0 else { throw PluginError(.empty, "the picture is empty: the file has no bytes") }
        return try input.withContents(limit: addressSpace / 4) { bytes throws(PluginError) in
            guard bytes.starts(with: [0xFF, 0xD8]), let header = JPEGHeader(bytes) else {
                throw PluginError(.corrupt, "the file is no JPEG picture, or its header is damaged")
            }
            try request.checkPage(of: 1, in: "the picture")
            try request.refuseMoment(in: "a picture")
            try check(header)
            return try rendering(bytes, header, request)
        }
    }

    private func check(_ header: JPEGHeader) throws(PluginError) {
        guard !header.isExotic, header.precision == 8, [1, 3, 4].contains(header.components) else {
            throw PluginError(.unsupported, "the picture uses a variety of JPEG that libjpeg-turbo does not decode")
        }
        let size = header.size
        guard size.width * size.height <= maximumPixels else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(size.width) × \(size.height) pixels; at most \(maximumPixels) are decoded")
        }
        // Beside the coefficients there must be room for the picture itself.
        guard !header.isProgressive || Int64(header.coefficientBytes) <= addressSpace / 8 * 5 else {
            throw PluginError(
                .limitExceeded, "decoding the progressive picture needs \(header.coefficientBytes) bytes of memory")
        }
    }

    private func rendering(
        _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        var divisor = 1
        let longest = max(header.size.width, header.size.height)
        while divisor < 8, longest / (divisor * 2) >= request.box || longest / divisor > Bitmap.maximumSide {
            divisor *= 2
        }
        let bitmap = try decoder.decode(bytes, header, divisor: divisor)
        let kind: ColorProfile.Kind = header.components == 1 ? .gray : header.components == 3 ? .rgb : .ink
        let profile = header.profile.withUnsafeBytes { $0.isEmpty ? nil : profiles.profile($0, for: kind) }
        if kind == .ink { bitmap.takeInks(isConvertedLater: profile != nil) }
        profile?.convert(bitmap)
        var size = header.size
        if header.orientation.swapsSides { size = PixelSize(width: size.height, height: size.width) }
        var facts = Facts(size: size)
        if let block = header.exif.flatMap({ EXIFBlock(bytes[$0]) }) {
            facts.add(block, wantsPlace: request.wantsPlace)
        }
        return Rendering(try header.orientation.upright(bitmap), facts: facts)
    }
}

extension Bitmap {
    /// Brings inks as files have them, where 255 is bare paper (Adobe's technical note 5116), to what a profile expects,
    /// or, without one, to red, green and blue as light that passes both colour and black.
    fileprivate func takeInks(isConvertedLater: Bool) {
        withUnsafeMutableBytes { rows in
            if isConvertedLater {
                for index in rows.indices { rows[index] = 255 - rows[index] }
                return
            }
            for start in stride(from: 0, to: rows.count - 3, by: 4) {
                let black = UInt32(rows[start + 3])
                for channel in start..<start + 3 {
                    rows[channel] = UInt8(truncatingIfNeeded: (UInt32(rows[channel]) * black + 127) / 255)
                }
            }
        }
    }
}
