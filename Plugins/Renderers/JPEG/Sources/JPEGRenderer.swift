internal import EXIF
internal import PictureTraits
public import VitrineKit

/// Draws JPEG files with libjpeg-turbo, which decodes them at half, a quarter or an eighth of their size right away.
///
/// The bitmap is upright, in sRGB, and less than twice as large as asked for while that can be had: the rest is left to
/// the worker's scaler. Pictures are never enlarged. The limit on pixels holds for those that are decoded: panoramas of any size
/// are drawn.
public final class JPEGRenderer: Renderer {
    private let decoder: JPEGDecoder
    private let profiles = ColorProfileCache()
    private let maximumPixels: Int
    private let addressSpace: Int64
    /// Pixels of a picture that is decoded in less than ten milliseconds.
    private static let quicklyDecoded = 4_000_000

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
        try input.checkNotEmpty("the picture")
        return try input.withContents(limit: addressSpace / 4) { bytes throws(PluginError) in
            let header = try JPEGHeader(segmentsOf: bytes)
            try request.checkSinglePicture(in: "the picture")
            if let lack = header.lack {
                guard let rendering = try lostPicture(bytes, header, request) else { throw lack }
                return rendering
            }
            let divisor = Self.divisor(for: header.size, box: request.box)
            try check(header, divisor: divisor, fileSize: bytes.count)
            if header.showsNothing {
                guard let rendering = try lostPicture(bytes, header, request) else {
                    throw PluginError(.corrupt, "the JPEG file is cut off where its picture begins")
                }
                return rendering
            }
            do throws(PluginError) { return try rendering(bytes, header, divisor: divisor, request) } catch {
                guard error.code == .corrupt, !header.hasScan,
                    let rendering = try lostPicture(bytes, header, request)
                else { throw error }
                return rendering
            }
        }
    }

    private func check(_ header: JPEGHeader, divisor: Int, fileSize: Int) throws(PluginError) {
        if let variety = header.variety {
            throw PluginError(.unsupported, "the picture \(variety), which libjpeg-turbo does not decode")
        }
        let size = header.size
        guard size.width / divisor * (size.height / divisor) <= maximumPixels else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(size.width) × \(size.height) pixels, too many for a preview of this size; at most \(maximumPixels) are decoded"
            )
        }
        guard size.width * size.height <= max(maximumPixels, fileSize * JPEGHeader.pixelsInByte) else {
            throw PluginError(
                .limitExceeded,
                "the picture says that it has \(size.width) × \(size.height) pixels, which its file is too small to hold"
            )
        }
        // Beside the coefficients there must be room for the picture itself.
        guard !header.keepsCoefficients || Int64(header.coefficientBytes) <= addressSpace / 8 * 5 else {
            throw PluginError(
                .limitExceeded,
                "decoding the picture, which is stored in several passes, needs \(header.coefficientBytes) bytes of memory"
            )
        }
    }

    private func rendering(
        _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, divisor: Int, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        var facts = Facts(size: header.orientation.applied(to: header.size))
        let camera = header.exif.flatMap { EXIFBlock(bytes[$0]) }
        if let camera { facts.add(camera, wantsPlace: request.wantsPlace) }
        let small: Bitmap? = if let camera { try thumbnail(camera, of: header, request) } else { nil }
        let bitmap = if let small { small } else { try decoder.decode(bytes, header, divisor: divisor) }
        let profile = profile(header)
        // Inks are no colours that can be scaled as such: their fourth byte is not what shows through.
        if header.components == 4 {
            bitmap.takeInks(isConvertedLater: profile != nil)
            profile?.convert(bitmap)
        }
        var rendering = Rendering(try header.orientation.applied(to: bitmap), facts: facts)
        if header.components < 4 { rendering.takeColors(of: profile) }
        if small != nil { rendering.embedded = "EXIF thumbnail" }
        return rendering
    }

    /// Of a file whose picture is missing, the thumbnail that the camera put before it.
    /// - Returns: `nil` when there is none, or when none is wanted.
    private func lostPicture(
        _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, _ request: RenderRequest
    ) throws(PluginError) -> Rendering? {
        guard request.embedded != .never, let camera = header.exif.flatMap({ EXIFBlock(bytes[$0]) }),
            let bitmap = try decodedThumbnail(
                camera, { size, _ in EmbeddedUse.prefer.takes(size, of: nil, box: request.box) })
        else { return nil }
        var facts = Facts()
        facts.add(camera, wantsPlace: request.wantsPlace)
        var rendering = Rendering(try header.orientation.applied(to: bitmap), facts: facts)
        rendering.embedded = "EXIF thumbnail"
        return rendering
    }

    /// How much smaller than it is stored a picture is decoded: half as large again as wanted, at least, for what is decoded just as
    /// large has been blurred by two filters.
    private static func divisor(for size: PixelSize, box: Int) -> Int {
        let longest = max(size.width, size.height)
        var divisor = 1
        while divisor < 8, longest >= 3 * box * divisor || longest / divisor > Bitmap.maximumSide { divisor *= 2 }
        return divisor
    }

    /// The file's profile, when it can be used.
    private func profile(_ header: JPEGHeader) -> ColorProfile? {
        let kind: ColorProfile.Kind = header.components == 1 ? .gray : header.components == 3 ? .rgb : .ink
        return header.profile.withUnsafeBytes { $0.isEmpty ? nil : profiles.profile($0, for: kind) }
    }

    /// The camera's thumbnail, which has the colours of the picture and lies as that does.
    /// - Returns: `nil` when there is none that is to be taken: for its size, for bars around it, for damage, because the
    ///   picture may have been edited since, or because it is soon decoded.
    private func thumbnail(
        _ camera: EXIFBlock, of header: JPEGHeader, _ request: RenderRequest
    ) throws(PluginError) -> Bitmap? {
        guard request.embedded != .never, header.components == 3,
            request.embedded == .prefer
                || (!camera.isChanged && header.size.width * header.size.height >= Self.quicklyDecoded)
        else { return nil }
        return try decodedThumbnail(camera) { size, bitmap in
            // What is shaped like the picture has no bars.
            bitmap.map { size.isShaped(like: header.size) || !$0.hasBars }
                ?? request.embedded.takes(size, of: header.size, box: request.box)
        }
    }

    /// - Parameter isWanted: is asked twice: for a thumbnail's size, and when it is decoded.
    /// - Returns: `nil` when there is none, when it is damaged, or when it is not wanted.
    private func decodedThumbnail(
        _ camera: EXIFBlock, _ isWanted: (PixelSize, Bitmap?) -> Bool
    ) throws(PluginError) -> Bitmap? {
        guard let bytes = camera.thumbnail else { return nil }
        return try bytes.withUnsafeBytes { bytes in
            Result { () throws(PluginError) -> Bitmap? in
                guard let small = try? JPEGHeader(bytes), small.components == 3,
                    small.precision == 8, !small.isExotic, max(small.size.width, small.size.height) <= 1024,
                    isWanted(small.size, nil)
                else { return nil }
                do throws(PluginError) {
                    let bitmap = try decoder.decode(bytes, small, divisor: 1)
                    return isWanted(small.size, bitmap) ? bitmap : nil
                } catch {
                    guard error.code == .corrupt else { throw error }
                    return nil
                }
            }
        }.get()
    }
}

extension Bitmap {
    /// Whether there are black bars above and below, or at both sides: cameras put pictures of all shapes into thumbnails of
    /// one.
    var hasBars: Bool {
        let dark: UInt8 = 24
        return withUnsafeMutableBytes { rows in
            func isDark(_ x: Int, _ y: Int) -> Bool {
                let at = y * bytesPerRow + 4 * x
                return rows[at] < dark && rows[at + 1] < dark && rows[at + 2] < dark
            }
            let (columns, lines) = (0..<width, 0..<height)
            let (last, bottom) = (width - 1, height - 1)
            return columns.allSatisfy { isDark($0, 0) && isDark($0, bottom) }
                || lines.allSatisfy { isDark(0, $0) && isDark(last, $0) }
        }
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
