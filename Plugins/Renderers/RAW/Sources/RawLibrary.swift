internal import CRAW
internal import PictureDecoding
internal import VitrineKit

/// A picture of a raw file.
struct RawPicture {
    /// Upright.
    var bitmap: Bitmap
    /// The photograph's own size, upright.
    var size: PixelSize
    /// Whether the camera made it.
    var isPreview: Bool
    /// The camera's maker and model, where libraw was asked.
    var camera: String?
}

/// libraw, for what the directories do not tell: previews in makers' own notes, and files without any. It wants the
/// whole file.
enum RawLibrary {
    /// Bytes of a file that is read as a whole.
    private static let longest: Int64 = 512 << 20

    /// Finds a picture.
    /// - Parameters:
    ///   - decoder: for previews that are JPEG.
    ///   - takesPreview: whether to look for a preview at all.
    ///   - develops: whether to make a picture of the sensor's data, at half its size, when there is no preview.
    /// - Returns: the picture upright, and the photograph's size.
    /// - Throws: `corrupt`, `unsupported` for cameras that are not known, `limitExceeded`, or what the input throws.
    static func picture(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder, takesPreview: Bool = true, develops: Bool
    ) throws(PluginError) -> RawPicture {
        try input.withContents(limit: longest) { (bytes) throws(PluginError) in
            guard let raw = libraw_init(0) else { throw outOfMemory }
            defer { libraw_close(raw) }
            try check(libraw_open_buffer(raw, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count))
            let (sizes, camera) = (raw.pointee.sizes, Self.camera(of: raw))
            try decoder.checkPixels(Int(sizes.raw_width), Int(sizes.raw_height))
            let turn = Orientation(exif: [3: 3, 5: 8, 6: 6][Int(sizes.flip)] ?? 1)
            let size = turn.applied(to: PixelSize(width: max(1, Int(sizes.width)), height: max(1, Int(sizes.height))))
            if takesPreview {
                let status = libraw_unpack_thumb(raw)
                if status == 0, let found = try thumbnail(raw, turn, box, decoder) {
                    return RawPicture(bitmap: found, size: size, isPreview: true, camera: camera)
                }
                // After errors of this kind, as with a preview that is cut off, libraw has forgotten the file.
                if status < firstFatal {
                    try check(
                        libraw_open_buffer(raw, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count))
                }
            }
            guard develops else { throw PluginError(.unsupported, "the raw photograph has no preview") }
            return RawPicture(bitmap: try developed(raw), size: size, isPreview: false, camera: camera)
        }
    }

    private static func camera(of raw: UnsafeMutablePointer<libraw_data_t>) -> String? {
        Facts.line([craw_maker(raw), craw_model(raw)].map { String(cString: $0) }.joined(separator: " "))
    }

    /// libraw's errors below this one end its work on a file (`LIBRAW_FATAL_ERROR`).
    private static let firstFatal: CInt = -100_000

    private static let outOfMemory = PluginError(
        .limitExceeded, "reading the raw photograph needs more memory than the renderer may use")

    private static func thumbnail(
        _ raw: UnsafeMutablePointer<libraw_data_t>, _ turn: Orientation, _ box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap? {
        var error: CInt = 0
        guard let image = libraw_dcraw_make_mem_thumb(raw, &error) else { return nil }
        defer { libraw_dcraw_clear_mem(image) }
        if image.pointee.type == LIBRAW_IMAGE_JPEG {
            let bytes = Array(UnsafeBufferPointer(start: craw_bytes(image), count: Int(image.pointee.data_size)))
            // One that is damaged is none.
            do throws(PluginError) {
                let picture = try decoder.picture(bytes, box: box)
                return Orientation(jpeg: bytes) == nil ? try turn.applied(to: picture.bitmap) : picture.bitmap
            } catch {
                return nil
            }
        }
        return try bitmap(image).map { (bitmap) throws(PluginError) in try turn.applied(to: bitmap) }
    }

    /// Develops at half size, with the camera's own white; libraw turns it upright.
    private static func developed(_ raw: UnsafeMutablePointer<libraw_data_t>) throws(PluginError) -> Bitmap {
        raw.pointee.params.half_size = 1
        raw.pointee.params.use_camera_wb = 1
        raw.pointee.params.output_bps = 8
        try check(libraw_unpack(raw))
        try check(libraw_dcraw_process(raw))
        var error: CInt = 0
        guard let image = libraw_dcraw_make_mem_image(raw, &error) else { throw outOfMemory }
        defer { libraw_dcraw_clear_mem(image) }
        guard let bitmap = try bitmap(image) else {
            throw PluginError(.unsupported, "the raw photograph has a number of colours that is not supported")
        }
        // Of some formats libraw takes what is missing for zeroes, of others for as much light as there can be. No sensor is
        // without noise.
        guard !isBlank(bitmap) else {
            throw PluginError(
                .corrupt, "the raw photograph is cut off or has no data: nothing but one colour can be developed of it")
        }
        return bitmap
    }

    /// Whether all but a fiftieth has the colour of a pixel far down: what is missing is at the end. The edges are made up of
    /// what is beside them.
    static func isBlank(_ bitmap: Bitmap) -> Bool {
        bitmap.withUnsafeMutableBytes { rows in
            func pixel(_ x: Int, _ y: Int) -> UInt32 {
                rows.load(fromByteOffset: y * bitmap.bytesPerRow + x * 4, as: UInt32.self)
            }
            let low = pixel(bitmap.width / 2, bitmap.height * 7 / 8)
            var others = 0
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width where pixel(x, y) != low { others += 1 }
            }
            return others * 50 <= bitmap.width * bitmap.height
        }
    }

    /// Takes red, green and blue, or greys, of 8 bits.
    private static func bitmap(_ image: UnsafeMutablePointer<libraw_processed_image_t>) throws(PluginError) -> Bitmap? {
        let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
        let colors = Int(image.pointee.colors)
        guard image.pointee.bits == 8, colors == 3 || colors == 1, let bytes = craw_bytes(image),
            Int(image.pointee.data_size) >= width * height * colors, width > 0, height > 0
        else { return nil }
        let bitmap = try Bitmap(width: width, height: height, format: .rgbx)
        bitmap.withUnsafeMutableBytes { rows in
            for y in 0..<height {
                var from = y * width * colors
                for to in stride(from: y * bitmap.bytesPerRow, to: y * bitmap.bytesPerRow + width * 4, by: 4) {
                    rows[to] = bytes[from]
                    rows[to + 1] = bytes[from + colors / 2]
                    rows[to + 2] = bytes[from + colors - 1]
                    rows[to + 3] = 0xFF
                    from += colors
                }
            }
        }
        return bitmap
    }

    private static func check(_ status: CInt) throws(PluginError) {
        guard status != 0 else { return }
        if status == LIBRAW_UNSUFFICIENT_MEMORY.rawValue || status == LIBRAW_TOO_BIG.rawValue { throw outOfMemory }
        if status == LIBRAW_IO_ERROR.rawValue {
            throw PluginError(.corrupt, "the raw photograph is cut off: data that it names lie behind its end")
        }
        let reason = libraw_strerror(status).map { String(cString: $0) } ?? "status \(status)"
        let code: PluginError.Code = status == LIBRAW_FILE_UNSUPPORTED.rawValue ? .unsupported : .corrupt
        throw PluginError(code, "the raw photograph cannot be read (libraw: \(reason))")
    }
}
