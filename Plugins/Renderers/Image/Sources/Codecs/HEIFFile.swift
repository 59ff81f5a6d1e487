internal import CHEIF
internal import CodedColors
internal import EXIF
internal import PictureTraits
internal import VitrineKit

/// A HEIF or AVIF file, read with libheif: its picture, and the thumbnail beside it.
///
/// ImageMagick reads such files with the same library, in 16 bits and without their profiles.
final class HEIFFile {
    private let bytes: UnsafeRawBufferPointer
    private let context: OpaquePointer
    private let picture: OpaquePointer
    private let profiles: ColorProfileCache
    /// Whether the last picture was averaged before it became RGB.
    private(set) var wasReduced = false
    /// Why libheif decoded none of the pictures that were asked for last.
    private(set) var failure: PluginError?

    /// Pixels of a side at most.
    private static let largestSide = 65_535
    /// Thumbnails that are looked at, and pixels of their sides, at most.
    private static let mostThumbnails = 8, largestThumbnail = 2048
    /// Bytes of a camera's block at most.
    private static let longestBlock = 4 << 20

    /// How much smaller a picture must become for the edges of its blocks not to be seen.
    private static let coarseFactor = 3
    /// Whether libheif has the decoder for those; made known once in a process.
    private static let hasCoarseDecoder = cheif_add_coarse_decoder() != 0

    /// Makes ready what all files need.
    static func start() { _ = hasCoarseDecoder }

    /// Draws with memory that is handed out empty, when a picture of the file may be made of tiles (ISO/IEC 23008-12, 6.6.2.3:
    /// `grid`): where they leave it bare, libheif 1.15 shows the memory as it was, with parts of earlier pictures, and so does
    /// ImageMagick with it. The name may be found where it means nothing, too.
    static func drawWithoutTraces<Result>(
        of bytes: UnsafeRawBufferPointer, _ draw: () throws(PluginError) -> Result
    ) throws(PluginError) -> Result {
        guard cheif_holds(bytes.baseAddress, bytes.count, "grid") != 0 else { return try draw() }
        cheif_clear_memory(1)
        defer { cheif_clear_memory(0) }
        return try draw()
    }

    /// Opens a file that lies in memory, which must stay there.
    /// - Throws: `corrupt` or `unsupported` when its boxes are damaged, or when there is no picture; `limitExceeded`.
    init(_ bytes: UnsafeRawBufferPointer, _ profiles: ColorProfileCache) throws(PluginError) {
        guard let context = heif_context_alloc() else {
            throw PluginError(.limitExceeded, "no memory is left to read the picture")
        }
        var picture: OpaquePointer?
        var status = heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil)
        if status.isDone { status = heif_context_get_primary_image_handle(context, &picture) }
        guard status.isDone, let picture else {
            // Before its words are gone with it.
            let failure = PluginError(heif: status)
            heif_context_free(context)
            throw failure
        }
        self.bytes = bytes
        self.context = context
        self.picture = picture
        self.profiles = profiles
    }

    deinit {
        heif_image_handle_release(picture)
        heif_context_free(context)
    }

    /// The whole picture, upright, as libheif turns it.
    var size: PixelSize { Self.size(of: picture) }

    /// Draws the smallest thumbnail (ISO/IEC 23008-12, 6.4.5: an item that refers to the picture as `thmb`) that will do,
    /// upright and in sRGB. Telephones put one of 320 pixels beside a picture whose decoding takes a thousand times as long.
    /// - Returns: `nil` when there is none that is to be taken, or when it cannot be decoded; the picture may be sound.
    /// - Parameter check: throws for a size that is too large.
    /// - Throws: `limitExceeded` when there is no memory for it, and what `check` throws.
    func thumbnail(
        _ request: RenderRequest, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard request.embedded != .never, let thumbnail = bestThumbnail(request) else { return nil }
        defer { heif_image_handle_release(thumbnail) }
        let camera = camera
        if let camera, request.embedded != .prefer, camera.isChanged { return nil }
        guard var bitmap = try decode(thumbnail, box: Self.largestThumbnail, check) else { return nil }
        let said = PixelSize(
            width: Int(heif_image_handle_get_ispe_width(thumbnail)),
            height: Int(heif_image_handle_get_ispe_height(thumbnail)))
        if bitmap.size != said, turns >= 0, let filling = HEIFFilling(bitmap.size, said: said, turns: turns) {
            bitmap = try bitmap.without(filling)
        }
        // What is stored may be filled up in other ways without the file saying so.
        guard bitmap.size.isShaped(like: shownSize(bitmap.size)) else { return nil }
        var rendering = Rendering(bitmap, facts: facts(camera, request, drawn: bitmap.size))
        rendering.takeColors(of: profile)
        rendering.embedded = "HEIF thumbnail"
        return rendering
    }

    /// Draws the picture, upright and in sRGB.
    /// - Parameter check: throws for a size that is too large.
    /// - Returns: `nil` when it cannot be decoded.
    /// - Throws: `limitExceeded` when there is no memory for it, and what `check` throws.
    func rendering(
        _ request: RenderRequest, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard size.width > 0, size.height > 0 else {
            throw PluginError(.unsupported, "the file does not say how large its picture is")
        }
        guard let bitmap = try decode(picture, box: request.box, check) else { return nil }
        var rendering = Rendering(bitmap, facts: facts(camera, request, drawn: bitmap.size))
        rendering.takeColors(of: profile)
        return rendering
    }

    /// The whole picture's size, upright. libheif 1.15 forgets that it is turned where the file says so before it gives the size;
    /// by how much does not matter here, nor that it may not be told.
    /// - Parameter drawn: the sides of what was decoded.
    private func shownSize(_ drawn: PixelSize) -> PixelSize {
        let turned = PixelSize(width: size.height, height: size.width)
        guard !drawn.isShaped(like: size), drawn.isShaped(like: turned) else { return size }
        return turns % 2 != 0 ? turned : size
    }

    private func facts(_ camera: EXIFBlock?, _ request: RenderRequest, drawn: PixelSize) -> Facts {
        var facts = Facts(size: shownSize(drawn))
        if let camera { facts.add(camera, wantsPlace: request.wantsPlace) }
        return facts
    }

    /// - Returns: to be released by the caller.
    private func bestThumbnail(_ request: RenderRequest) -> OpaquePointer? {
        var ids = [heif_item_id](repeating: 0, count: Self.mostThumbnails)
        let count = Int(heif_image_handle_get_list_of_thumbnail_IDs(picture, &ids, CInt(ids.count)))
        var best: (handle: OpaquePointer, side: Int)?
        for id in ids.prefix(max(0, min(count, ids.count))) {
            var handle: OpaquePointer?
            guard heif_image_handle_get_thumbnail(picture, id, &handle).isDone, let handle else { continue }
            let size = Self.size(of: handle)
            let side = max(size.width, size.height)
            guard side <= Self.largestThumbnail, size.isShaped(like: self.size), best.map({ side < $0.side }) ?? true,
                request.embedded.takes(size, of: self.size, box: request.box)
            else {
                heif_image_handle_release(handle)
                continue
            }
            if let best { heif_image_handle_release(best.handle) }
            best = (handle, side)
        }
        return best?.handle
    }

    private static func size(of handle: OpaquePointer) -> PixelSize {
        PixelSize(
            width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)))
    }

    /// Whether a picture of this file may be cropped (ISO/IEC 14496-12, 12.1.4: `clap`). libheif does not tell; the name of
    /// the box may be found where it means nothing, too.
    private var mayCrop: Bool { cheif_holds(bytes.baseAddress, bytes.count, "clap") != 0 }

    /// Quarters by which pictures of this file are turned, against the clock; -1 when that cannot be told.
    private lazy var turns = Int(cheif_turns(bytes.baseAddress, bytes.count))

    /// Whether a picture of this file is laid together of others, at any place.
    private lazy var hasOverlay = cheif_has_overlay(bytes.baseAddress, bytes.count) != 0

    /// - Parameter check: is asked twice: what is decoded may be larger than the file says.
    private func decode(
        _ handle: OpaquePointer, box: Int, _ check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Bitmap? {
        // Of pictures that lie partly outside libheif 1.15 shows what lies beside them in memory.
        guard !hasOverlay else {
            throw PluginError(.unsupported, "the picture is laid together of others, which is not supported")
        }
        let stored = Self.size(of: handle)
        // An item without the property that tells its size.
        guard stored.width > 0, stored.height > 0 else { return nil }
        try check(stored)
        var image: OpaquePointer?
        let isCoarse = max(stored.width, stored.height) >= Self.coarseFactor * box && Self.hasCoarseDecoder
        let options = isCoarse ? cheif_coarse_options() : nil
        defer { heif_decoding_options_free(options) }
        let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
        // What shows through must count as much as it shows.
        let side = hasAlpha ? 1 : RowReducer.side(stored, box: box)
        var isReduced: CInt = 0
        let made = cheif_decode_reduced(handle, &image, side > 1 && mayCrop ? 1 : CInt(side), options, &isReduced)
        guard made.isDone, let image else {
            failure = PluginError(heif: made)
            return nil
        }
        defer { heif_image_release(image) }
        wasReduced = isReduced != 0
        let size = PixelSize(
            width: Int(heif_image_get_width(image, heif_channel_interleaved)),
            height: Int(heif_image_get_height(image, heif_channel_interleaved)))
        var stride: CInt = 0
        guard let pixels = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride),
            1...Self.largestSide ~= size.width, 1...Self.largestSide ~= size.height, Int(stride) >= size.width * 4
        else { return nil }
        try check(size)
        let isPremultiplied = heif_image_handle_is_premultiplied_alpha(handle) != 0
        // What was reduced already is not large enough for that to be done again.
        var rows = try RowReducer(size, box: box, hasAlpha: hasAlpha)
        for y in 0..<size.height {
            _ = rows.next { row in
                row.copyMemory(from: pixels + y * Int(stride), byteCount: size.width * 4)
                if isPremultiplied {
                    Self.divideByAlpha(UnsafeMutableRawBufferPointer(start: row, count: size.width * 4))
                }
                return true
            }
        }
        // A profile is followed when the picture is small.
        if profile == nil { codedColors(image)?.convert(rows.bitmap) }
        return rows.bitmap
    }

    /// Gives colours that were multiplied by their alpha back what they lost (ISO/IEC 23008-12, the reference `prem`).
    private static func divideByAlpha(_ row: UnsafeMutableRawBufferPointer) {
        for x in stride(from: 0, to: row.count, by: 4) {
            let alpha = Int(row[x + 3])
            guard 1..<255 ~= alpha else { continue }
            for channel in x..<x + 3 { row[channel] = UInt8(min(255, (Int(row[channel]) * 255 + alpha / 2) / alpha)) }
        }
    }

    /// What the file says of its colours in numbers, else the stream of the decoded picture (ISO/IEC 23008-12, 6.5.5).
    private func codedColors(_ image: OpaquePointer) -> CodedColors? {
        var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
        let isSaid =
            heif_image_handle_get_nclx_color_profile(picture, &numbers).isDone
            || heif_image_get_nclx_color_profile(image, &numbers).isDone
        guard isSaid, let numbers else { return nil }
        defer { heif_nclx_color_profile_free(numbers) }
        return CodedColors(
            primaries: Int(numbers.pointee.color_primaries.rawValue),
            transfer: Int(numbers.pointee.transfer_characteristics.rawValue))
    }

    /// The picture's colours, which are those of its thumbnail too; `nil` when no profile can be used.
    private var profile: ColorProfile? {
        let size = heif_image_handle_get_raw_color_profile_size(picture)
        guard 1...ColorProfile.longest ~= size else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard heif_image_handle_get_raw_color_profile(picture, &bytes).isDone else { return nil }
        return bytes.withUnsafeBytes { profiles.profile($0, for: .rgb) }
    }

    /// What the camera wrote.
    private var camera: EXIFBlock? {
        var id: heif_item_id = 0
        guard heif_image_handle_get_list_of_metadata_block_IDs(picture, "Exif", &id, 1) == 1 else { return nil }
        let size = heif_image_handle_get_metadata_size(picture, id)
        guard 5...Self.longestBlock ~= size else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard heif_image_handle_get_metadata(picture, id, &bytes).isDone else { return nil }
        return EXIFBlock(item: bytes)
    }
}

extension PluginError {
    /// What libheif says of a file; the one place where its errors are translated.
    fileprivate init(heif error: heif_error) {
        // Some sentences end a line.
        let words = error.message.map { String(cString: $0).split(whereSeparator: \.isNewline) } ?? []
        let text = DisplayText.of(words.joined(separator: " "))
        let cause = text.isEmpty ? "" : " (libheif: \(text))"
        switch error.code {
        case heif_error_Memory_allocation_error:
            self.init(.limitExceeded, "the picture needs more memory than libheif may use" + cause)
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
            self.init(.unsupported, Self.varietySentence + cause)
        case heif_error_Invalid_input where error.subcode == heif_suberror_End_of_data:
            self.init(.corrupt, "the picture is cut off: the file ends before what it names" + cause)
        default: self.init(.corrupt, Self.damageSentence + cause)
        }
    }
}

extension heif_error {
    fileprivate var isDone: Bool { code == heif_error_Ok }
}
