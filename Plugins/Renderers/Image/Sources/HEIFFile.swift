internal import CHEIF
internal import EXIF
internal import PictureTraits
internal import VitrineKit

/// The thumbnail of a HEIF file (ISO/IEC 23008-12, 6.4.5: an item that refers to the picture as `thmb`), read with libheif,
/// with which ImageMagick reads the picture itself. Telephones put one of 320 pixels beside a picture whose decoding takes a
/// thousand times as long.
enum HEIFThumbnail {
    /// Thumbnails that are looked at.
    private static let mostThumbnails = 8
    /// Pixels of a side at most.
    private static let largestSide = 2048
    /// Bytes of a profile, and of a camera's block, at most.
    private static let longestProfile = 4 << 20, longestBlock = 256 << 10

    /// Draws the smallest thumbnail that will do, upright and in sRGB.
    /// - Returns: `nil` when there is none that is to be taken, or when it cannot be decoded; the picture may be sound.
    /// - Throws: `limitExceeded` when there is no memory for it.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest, _ profiles: ColorProfileCache
    ) throws(PluginError) -> Rendering? {
        guard request.embedded != .never, let context = heif_context_alloc() else { return nil }
        defer { heif_context_free(context) }
        guard heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil).isDone else {
            return nil
        }
        var picture: OpaquePointer?
        guard heif_context_get_primary_image_handle(context, &picture).isDone, let picture else { return nil }
        defer { heif_image_handle_release(picture) }
        let whole = size(of: picture)
        var ids = [heif_item_id](repeating: 0, count: mostThumbnails)
        let count = Int(heif_image_handle_get_list_of_thumbnail_IDs(picture, &ids, CInt(mostThumbnails)))
        var best: (handle: OpaquePointer, side: Int)?
        defer { if let best { heif_image_handle_release(best.handle) } }
        for id in ids.prefix(max(0, min(count, mostThumbnails))) {
            var handle: OpaquePointer?
            guard heif_image_handle_get_thumbnail(picture, id, &handle).isDone, let handle else { continue }
            let size = size(of: handle)
            let side = max(size.width, size.height)
            guard side <= largestSide, size.isShaped(like: whole), best.map({ side < $0.side }) ?? true,
                request.embedded.takes(size, of: whole, box: request.box)
            else {
                heif_image_handle_release(handle)
                continue
            }
            if let best { heif_image_handle_release(best.handle) }
            best = (handle, side)
        }
        guard let best, let bitmap = try decode(best.handle) else { return nil }
        profile(of: picture, profiles)?.convert(bitmap)
        var facts = Facts(size: whole)
        if let camera = camera(of: picture) {
            guard request.embedded == .prefer || !camera.isChanged else { return nil }
            facts.add(camera, wantsPlace: request.wantsPlace)
        }
        var rendering = Rendering(bitmap, facts: facts)
        rendering.embedded = "HEIF thumbnail"
        return rendering
    }

    /// The ICC profile of a file's picture, which ImageMagick does not hand over.
    /// - Returns: `nil` when there is none that can be used.
    static func profile(_ bytes: UnsafeRawBufferPointer, _ profiles: ColorProfileCache) -> ColorProfile? {
        guard let context = heif_context_alloc() else { return nil }
        defer { heif_context_free(context) }
        var picture: OpaquePointer?
        guard heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil).isDone,
            heif_context_get_primary_image_handle(context, &picture).isDone, let picture
        else { return nil }
        defer { heif_image_handle_release(picture) }
        return profile(of: picture, profiles)
    }

    /// Upright, as libheif turns it.
    private static func size(of handle: OpaquePointer) -> PixelSize {
        PixelSize(
            width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)))
    }

    private static func decode(_ handle: OpaquePointer) throws(PluginError) -> Bitmap? {
        var image: OpaquePointer?
        let status = heif_decode_image(
            handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, nil)
        guard status.isDone, let image else { return nil }
        defer { heif_image_release(image) }
        let width = Int(heif_image_get_width(image, heif_channel_interleaved))
        let height = Int(heif_image_get_height(image, heif_channel_interleaved))
        var stride: CInt = 0
        guard let rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride),
            1...largestSide ~= width, 1...largestSide ~= height, Int(stride) >= width * 4
        else { return nil }
        let bitmap = try Bitmap(width: width, height: height, format: .rgba)
        bitmap.withUnsafeMutableBytes { target in
            for y in 0..<height {
                let line = UnsafeRawBufferPointer(start: rows + y * Int(stride), count: width * 4)
                UnsafeMutableRawBufferPointer(rebasing: target[(y * bitmap.bytesPerRow)...]).copyMemory(from: line)
            }
        }
        return bitmap
    }

    /// The picture's colours, which are those of its thumbnail too.
    private static func profile(of picture: OpaquePointer, _ profiles: ColorProfileCache) -> ColorProfile? {
        let size = heif_image_handle_get_raw_color_profile_size(picture)
        guard 1...longestProfile ~= size else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard heif_image_handle_get_raw_color_profile(picture, &bytes).isDone else { return nil }
        return bytes.withUnsafeBytes { profiles.profile($0, for: .rgb) }
    }

    /// What the camera wrote: four bytes of where its TIFF structure begins, then the block.
    private static func camera(of picture: OpaquePointer) -> EXIFBlock? {
        var id: heif_item_id = 0
        guard heif_image_handle_get_list_of_metadata_block_IDs(picture, "Exif", &id, 1) == 1 else { return nil }
        let size = heif_image_handle_get_metadata_size(picture, id)
        guard 5...longestBlock ~= size else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard heif_image_handle_get_metadata(picture, id, &bytes).isDone else { return nil }
        return EXIFBlock(bytes.dropFirst(4))
    }
}

extension heif_error {
    fileprivate var isDone: Bool { code == heif_error_Ok }
}
