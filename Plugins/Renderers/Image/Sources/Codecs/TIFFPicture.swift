internal import CTIFF
internal import EXIF
internal import PictureTraits
internal import VitrineKit

/// A page of a TIFF file, read by libtiff row by row: greys, colours, palettes and inks of 1 to 16 bits, in strips or tiles,
/// packed in any way that libtiff knows. Greys and colours with a sign, a fraction or up to 64 bits are read twice: first to
/// find the range that they use.
enum TIFFPicture {
    /// Bytes at the beginning of a file in which what cameras write is looked for.
    private static let cameraRange = 256 << 10

    /// Draws a page.
    /// - Parameters:
    ///   - pages: that the file has.
    ///   - memory: bytes that rows and what libtiff unpacks may take at most.
    ///   - guessesAlpha: whether a sample of which nothing is said may be alpha.
    ///   - check: throws for a size that is too large.
    ///
    /// Where the file has smaller versions of it, the smallest one that is large enough is read.
    /// - Returns: `nil` for what is left to ImageMagick: odd numbers of bits, CIE L*a*b*, and damaged files, of
    ///   which it may show a part or say what is wrong.
    /// - Throws: `limitExceeded`, and what `check` throws.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest, pages: Int, _ profiles: ColorProfileCache,
        memory: Int64, guessesAlpha: Bool = true, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard
            let page = ctiff_open(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count), UInt32(request.page),
                UInt64(memory), UInt64(ColorProfile.longest))
        else { return nil }
        defer { ctiff_close(page) }
        let size = PixelSize(width: Int(page.pointee.width), height: Int(page.pointee.height))
        try check(size)
        if !guessesAlpha { ctiff_drop_guess(page) }
        let drawn = ctiff_open_smaller(page, UInt32(clamping: 2 * request.box), UInt64(memory)) ?? page
        defer { if drawn != page { ctiff_close(drawn) } }
        guard ctiff_begin(drawn, UInt64(memory)) != 0 else { return nil }
        let profile = profile(page.pointee, profiles)
        guard ctiff_measure(drawn, profile == nil ? 0 : 1) != 0 else { return nil }
        let there = PixelSize(width: Int(drawn.pointee.width), height: Int(drawn.pointee.height))
        var rows = try RowReducer(there, box: request.box, hasAlpha: page.pointee.alpha != CTIFF_OPAQUE)
        for y in 0..<drawn.pointee.height {
            guard rows.next({ ctiff_row(drawn, y, $0.assumingMemoryBound(to: UInt8.self)) != 0 }) else { return nil }
        }
        if guessesAlpha, page.pointee.alpha_is_guessed != 0, rows.bitmap.isClear {
            return try Self.rendering(
                bytes, request, pages: pages, profiles, memory: memory, guessesAlpha: false, check: check)
        }
        let isInk = page.pointee.kind == CTIFF_INK
        if isInk { if let profile { profile.convert(rows.bitmap) } else { mixInks(rows.bitmap) } }
        let orientation = Orientation(exif: Int(page.pointee.orientation))
        var facts = Facts(pages: pages, size: orientation.applied(to: size))
        // A TIFF file is what cameras write into others.
        if request.page == 0, let camera = EXIFBlock(bytes.prefix(cameraRange)) {
            facts.add(camera, wantsPlace: request.wantsPlace)
        }
        var rendering = Rendering(try orientation.applied(to: rows.bitmap), facts: facts)
        if !isInk { rendering.takeColors(of: profile) }
        return rendering
    }

    /// The page's own profile.
    /// - Returns: `nil` when there is none that can be used.
    private static func profile(_ page: ctiff_tiff, _ profiles: ColorProfileCache) -> ColorProfile? {
        let bytes = UnsafeRawBufferPointer(start: page.profile, count: Int(page.profile_length))
        guard !bytes.isEmpty else { return nil }
        return profiles.profile(bytes, for: page.kind == CTIFF_INK ? .ink : page.kind == CTIFF_GREY ? .gray : .rgb)
    }

    /// Turns amounts of cyan, magenta, yellow and black to what is left of white light.
    private static func mixInks(_ bitmap: Bitmap) {
        bitmap.withUnsafeMutableBytes { rows in
            for start in stride(from: 0, to: rows.count - 3, by: 4) {
                let paper = 255 - Int(rows[start + 3])
                for channel in start..<start + 3 {
                    rows[channel] = UInt8(((255 - Int(rows[channel])) * paper + 127) / 255)
                }
            }
        }
    }
}

extension Bitmap {
    /// Whether no pixel, of R, G, B and alpha, can be seen.
    fileprivate var isClear: Bool {
        withUnsafeMutableBytes { pixels in stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 0 } }
    }
}
