internal import CMagick
internal import CodedColors
internal import EXIF
internal import PictureTraits
public import VitrineKit

/// Draws pictures made of pixels: PNG, WebP, TIFF, HEIF and AVIF with their own libraries, QOI, farbfeld, textures and what
/// is around the pictures of icons by itself; all others, and what those leave, with ImageMagick's coders.
///
/// The bitmap is upright, in sRGB, and less than four times as large as asked for, but for thumbnails of HEIF files, which
/// come as they are: the worker's own scaler does the last step better and cheaper than ImageMagick. Pictures are never
/// enlarged. Pages exist in TIFF files only; of animations the first frame is drawn, or the first that shows something;
/// of icons the size that fits best.
public final class ImageRenderer: Renderer {
    private let maximumPixels: Int
    private let contentLimit: Int64
    private let profiles = ColorProfileCache()
    private let pngReader: PNGReader
    private var files: PathMemory?
    /// What the format's own library found wrong with the picture that is left to ImageMagick.
    private var failure: PluginError?

    /// Starts ImageMagick under the policy in the plugin's folder and loads its coders.
    /// - Throws: `pluginUnavailable` when the policy cannot be enforced or a coder is missing.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        maximumPixels = environment.maximumPixels
        contentLimit = environment.addressSpace / 4
        pngReader = try PNGReader()
        try MagickLibrary.start(environment)
        HEIFFile.start()
    }

    /// Makes the worker's own memory for pictures that must have a path.
    public func begin() throws(PluginError) { files = try PathMemory() }

    private func pathMemory() throws(PluginError) -> PathMemory {
        if files == nil { try begin() }
        guard let files else { throw PluginError(.pluginUnavailable, "there is no memory for pictures") }
        return files
    }

    /// Draws the picture, or one page of it.
    /// - Throws: `corrupt`, `empty`, `unsupported`, `limitExceeded`, `invalidArgument` for a page that is not there; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the picture")
        let head = try input.head(ImageFormat.headLength)
        guard let format = ImageFormat(head: head, mimeType: request.mimeType) else {
            throw PluginError(.corrupt, "the file does not begin like a picture in any format that is supported")
        }
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            let directories = format.hasPages ? TIFFPages.directories(bytes) : nil
            let pages = directories?.count
            try request.checkPage(of: pages ?? 1, in: "the picture")
            var request = request
            if let directories { request.page = directories[request.page] }
            try request.refuseMoment(in: "a picture")
            if format.needsPath { return try self.drawPath(bytes, format, request, pages: pages) }
            guard [.heic, .avif].contains(format) else {
                return try self.drawMemory(bytes, format, request, pages: pages)
            }
            return try HEIFFile.drawWithoutTraces(of: bytes) { () throws(PluginError) in
                try self.drawMemory(bytes, format, request, pages: pages)
            }
        }
    }

    /// Draws a picture in OpenEXR, whose library wants a path.
    private func drawPath(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ request: RenderRequest, pages: Int?
    ) throws(PluginError) -> Rendering {
        do throws(PluginError) {
            return try pathMemory().withPath(to: bytes) { (path) throws(PluginError) in
                try draw(.path(path, bytes), format, request, pages: pages)
            }
        } catch {
            // Bit 11 of the version, of which ImageMagick says only that it cannot open the picture.
            guard error.code == .corrupt, bytes.count > 5, bytes[5] & 0x08 != 0 else { throw error }
            throw PluginError(
                .unsupported,
                "the picture is deep, with several values behind each other in a pixel, which is not supported")
        }
    }

    /// Draws a picture that needs no path, be it a file or a part of one: with its own library where that can, else with
    /// ImageMagick, which gets no more of a PNG than it needs.
    func drawMemory(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ request: RenderRequest, pages: Int?
    ) throws(PluginError) -> Rendering {
        failure = nil
        if let rendering = try direct(bytes, format, request, pages: pages) { return rendering }
        let failure = failure
        do throws(PluginError) { return try drawLeft(bytes, format, request, pages: pages) } catch {
            // ImageMagick has no words of its own for it.
            guard error.code == .corrupt, let failure else { throw error }
            throw failure
        }
    }

    /// Draws what its own library left.
    private func drawLeft(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ request: RenderRequest, pages: Int?
    ) throws(PluginError) -> Rendering {
        if format == .gif {
            // It is drawn with all the colours that its pixels may want, or as far as it goes.
            do throws(PluginError) {
                return try draw(bytes, .gif, request, pages: nil, orElse: GIFPalette.widened)
            } catch {
                guard error.code == .corrupt,
                    let cut = try CutGIF.rendering(bytes, box: request.box, check: checkPixels)
                else { throw error }
                return cut
            }
        }
        if format == .psd || format == .psb {
            return try draw(
                bytes, format, request, pages: pages, after: [.corrupt, .limitExceeded, .unsupported],
                orElse: PSDPicture.withoutLayers)
        }
        if format.hasSizes, let best = WindowsIcon.alone(bytes, box: request.box) {
            let drawn = best.withUnsafeBytes { best in
                Result { () throws(PluginError) in try draw(.memory(best), format, request, pages: pages) }
            }
            // Where it is damaged there may be others.
            if case .success(let rendering) = drawn { return rendering }
        }
        let mended =
            switch format {
            case .bmp: BMPHead.mended(bytes)
            case .miff: MIFFHead.withoutProfiles(bytes)
            default: nil as [UInt8]?
            }
        if let mended {
            return try mended.withUnsafeBytes { bytes in
                Result { () throws(PluginError) in try draw(.memory(bytes), format, request, pages: pages) }
            }.get()
        }
        let isShort = bytes.count <= 64 << 20
        if format == .pnm, isShort, let last = bytes.last, bytes[1] <= UInt8(ascii: "3"), 0x30...0x39 ~= last {
            // ImageMagick misses a number behind which nothing comes.
            return try (Array(bytes) + [0x0A]).withUnsafeBytes { bytes in
                Result { () throws(PluginError) in try draw(.memory(bytes), format, request, pages: pages) }
            }.get()
        }
        guard format == .png, let needed = PNGChunks.needed(bytes) else {
            return try draw(.memory(bytes), format, request, pages: pages)
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: needed.count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: needed)
        let rendering = try draw(.memory(UnsafeRawBufferPointer(memory)), format, request, pages: pages)
        // ImageMagick does not know them.
        PNGChunks.codedColors(bytes)?.colors?.convert(rendering.bitmap)
        return rendering
    }

    /// Draws with the format's own library, where that is cheaper than ImageMagick's way around it.
    /// - Returns: `nil` when the picture is left to ImageMagick, which also finds the words for damaged ones.
    private func direct(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ request: RenderRequest, pages: Int?
    ) throws(PluginError) -> Rendering? {
        switch format {
        case .png:
            let rendering = try pngReader.rendering(bytes, request, profiles, check: checkPixels)
            failure = pngReader.failure
            return rendering
        case .webp:
            return try WebPPicture.rendering(
                bytes, request, profiles, maximumPixels: maximumPixels, check: checkPixels)
        case .qoi: return try QOIPicture.rendering(bytes, box: request.box, check: checkPixels)
        case .xbm: return try XBMPicture.rendering(bytes, box: request.box, check: checkPixels)
        case .appleIcon: return try drawIcon(bytes, request)
        case .icon, .cursor: return try drawWindowsIcon(bytes, request)
        case .animatedCursor: return try drawCursor(bytes, request)
        case .fits: return try FITSPicture.rendering(bytes, box: request.box, check: checkPixels)
        case .aseprite: return try AsepriteSprite.rendering(bytes, box: request.box, check: checkPixels)
        case .farbfeld: return try FarbfeldPicture.rendering(bytes, box: request.box, check: checkPixels)
        case .gimpBrush, .gimpPattern, .gimpPipe:
            return try GIMPBrush.rendering(bytes, format, box: request.box, check: checkPixels)
        case .jng: return try drawNetworkGraphic(bytes, request)
        case .ktx:
            return try KTXPicture.rendering(bytes, box: request.box, memory: contentLimit / 2, check: checkPixels)
        case .bmp:
            let rendering = try drawBitmap(bytes, request)
            failure = failure ?? BMPHead.missingEnd(of: bytes)
            return rendering
        case .dds: return try DDSPicture.rendering(bytes, box: request.box, check: checkPixels)
        case .psd, .psb:
            return try PSDPicture(bytes)?.rendering(box: request.box, profiles, check: checkPixels)
        case .pcx, .dcx: return try PaintbrushBits.rendering(bytes, format, box: request.box, check: checkPixels)
        case .tga: return try TargaGreys.rendering(bytes, box: request.box, check: checkPixels)
        case .tiff, .tiff64:
            return try TIFFPicture.rendering(
                bytes, request, pages: pages ?? 1, profiles, memory: contentLimit / 2, check: checkPixels)
        case .heic, .avif:
            return try drawHEIF(bytes, request)
        default: return nil
        }
    }

    private func drawHEIF(_ bytes: UnsafeRawBufferPointer, _ request: RenderRequest) throws(PluginError) -> Rendering? {
        let file: HEIFFile
        do throws(PluginError) { file = try HEIFFile(bytes, profiles) } catch {
            failure = error
            return nil
        }
        if let rendering = try file.thumbnail(request, check: checkPixels) { return rendering }
        let rendering = try file.rendering(request, check: checkPixels)
        failure = file.failure
        return rendering
    }

    /// Draws a picture, or another one where that fails.
    /// - Parameters:
    ///   - codes: what the first one fails with.
    ///   - mended: makes the other one of it.
    private func draw(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ request: RenderRequest, pages: Int?,
        after codes: Set<PluginError.Code> = [.corrupt], orElse mended: (UnsafeRawBufferPointer) -> [UInt8]?
    ) throws(PluginError) -> Rendering {
        do throws(PluginError) { return try draw(.memory(bytes), format, request, pages: pages) } catch {
            guard codes.contains(error.code), let file = mended(bytes) else { throw error }
            return try file.withUnsafeBytes { bytes in
                Result { () throws(PluginError) in try draw(.memory(bytes), format, request, pages: pages) }
            }.get()
        }
    }

    private func draw(
        _ source: MagickImage.Source, _ format: ImageFormat, _ request: RenderRequest, pages: Int?
    ) throws(PluginError) -> Rendering {
        var original = MagickImage(format, page: request.page)
        try original.ping(source)
        if format.hasSizes { original.select(sizeFor: request.box) }
        try checkPixels(original.canvas)

        var image = try read(source, format, request, original.size)
        if format.hasSizes { image.select(sizeFor: request.box) }
        try checkPixels(image.canvas)
        if format == .gif { try image.compose() }
        let orientation = image.orientation
        // Before pixels are taken out, which may leave it behind.
        let exif = image.exif
        var bitmap = try orientation.applied(to: image.bitmap(box: request.box, profiles))
        if format == .tga, bitmap.showsNothing {
            // Writers leave a fourth channel empty that they do not use.
            image.ignoreAlpha()
            bitmap = try orientation.applied(to: image.bitmap(box: request.box, profiles))
        }
        // Where nothing was read there is one colour. Other coders' errors are not at the end of what they read.
        if let damage = image.damage, ![.bmp, .jpeg].contains(format) || bitmap.isOneColour { throw damage }
        if format == .gif, bitmap.variety < FrameChoice.emptiness,
            let shown = try? MagickImage.firstShown(source, canvas: image.canvas, box: request.box, profiles)
        {
            bitmap = shown
        }
        let size = format == .gif ? original.canvas : original.size
        var facts = Facts(pages: pages, size: orientation.applied(to: size))
        if let block = exif { facts.add(block, wantsPlace: request.wantsPlace) }
        return Rendering(bitmap, facts: facts)
    }

    /// Reads a picture no larger than is needed, where the decoder can.
    /// - Parameter size: of the whole picture.
    private func read(
        _ source: MagickImage.Source, _ format: ImageFormat, _ request: RenderRequest, _ size: PixelSize
    ) throws(PluginError) -> MagickImage {
        if format == .jpeg2000 || format == .jpeg2000Codestream, case .memory(let bytes) = source,
            let levels = JPEG2000Levels(bytes)
        {
            let halvings = levels.count(of: size, box: request.box)
            var image = MagickImage(format, page: request.page)
            if halvings > 0 {
                image.hint(halvings: halvings, corner: levels.corner)
                // A tile may have fewer levels than the picture.
                if (try? image.read(source)) != nil, image.damage == nil { return image }
            }
        }
        var image = MagickImage(format, page: request.page)
        if format == .jpeg { image.hint(jpegSize(of: size, box: request.box)) }
        try image.read(source)
        return image
    }

    /// Sides in pixels at most, however few pixels there are: of each row that long there is more than one in memory.
    static let largestSide = 1_000_000

    func checkPixels(_ size: PixelSize) throws(PluginError) {
        guard max(size.width, size.height) <= Self.largestSide else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(size.width) × \(size.height) pixels; sides of at most \(Self.largestSide) are decoded"
            )
        }
        let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
        guard !overflow, pixels <= maximumPixels else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(size.width) × \(size.height) pixels; at most \(maximumPixels) are decoded")
        }
    }

    /// The size to which a JPEG is decoded at least. The decoder halves while that is cheap; what lies between is
    /// left to the scaler. Never above the picture's own size: ImageMagick 6 would decode to twice that.
    private func jpegSize(of size: PixelSize, box: Int) -> PixelSize {
        let wanted = PixelSize.fitting(
            width: Double(size.width), height: Double(size.height), in: box, enlarging: false)
        guard let wanted else { return size }
        return PixelSize(width: min(size.width, wanted.width), height: min(size.height, wanted.height))
    }
}
