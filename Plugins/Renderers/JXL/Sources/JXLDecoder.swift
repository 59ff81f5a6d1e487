internal import CJXL
internal import PictureTraits
internal import VitrineKit

/// A picture as libjxl gives it.
struct JXLPicture {
    /// Upright, at the picture's whole size; colours as ``profile`` says.
    var bitmap: Bitmap
    /// The ICC profile of the bitmap's colours; empty when there is none.
    var profile: [UInt8]
    /// Whether the profile is one of greys.
    var isGray: Bool
}

/// libjxl's decoder, on the calling thread alone; the one owner of its object, for one file.
struct JXLDecoder: ~Copyable {
    private let decoder: OpaquePointer
    private let box: Int
    private let maximumPixels: Int
    private var bitmap: Bitmap?
    private var profile: [UInt8] = []
    private var isGray = false
    /// How many times smaller than the picture that is which can be shown already; `nil` before the first step.
    private var step: Int?

    /// Beside red, green, blue and alpha a file may hold depths, masks and inks, each as large as the picture and four bytes
    /// deep in libjxl. As many values as a picture of these channels has at most are decoded; more channels only of
    /// smaller pictures.
    private static let usualChannels = 4, mostChannels: UInt32 = 8

    /// Decodes the first frame.
    /// - Parameters:
    ///   - bytes: the whole file. Of one that ends too early the picture is as sharp as what is there.
    ///   - box: the longest side wanted, in pixels: a step of the file that is half as large again is taken.
    ///   - maximumPixels: of the picture, checked before any is decoded.
    /// - Throws: `corrupt`, `unsupported`, or `limitExceeded`.
    static func picture(
        _ bytes: UnsafeRawBufferPointer, box: Int, maximumPixels: Int
    ) throws(PluginError) -> JXLPicture {
        switch JxlSignatureCheck(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count) {
        case JXL_SIG_CODESTREAM, JXL_SIG_CONTAINER: break
        default: throw PluginError(.corrupt, "the file is no JPEG XL picture, or its first bytes are damaged")
        }
        guard let decoder = JxlDecoderCreate(nil) else { throw outOfMemory }
        var run = JXLDecoder(decoder: decoder, box: box, maximumPixels: maximumPixels)
        return try run.decode(bytes)
    }

    private init(decoder: OpaquePointer, box: Int, maximumPixels: Int) {
        self.decoder = decoder
        self.box = box
        self.maximumPixels = maximumPixels
    }

    deinit { JxlDecoderDestroy(decoder) }

    private mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> JXLPicture {
        let events = [JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME_PROGRESSION, JXL_DEC_FULL_IMAGE]
        guard
            JxlDecoderSubscribeEvents(decoder, CInt(events.reduce(0) { $0 | $1.rawValue })) == JXL_DEC_SUCCESS,
            JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE) == JXL_DEC_SUCCESS,
            JxlDecoderSetProgressiveDetail(decoder, kLastPasses) == JXL_DEC_SUCCESS,
            JxlDecoderSetInput(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
                == JXL_DEC_SUCCESS
        else { throw Self.outOfMemory }
        // The input is not said to be over: what lacks its end is then no error, and can be shown.
        // It ends: every event comes once for a header or a step of the first frame.
        while true {
            switch JxlDecoderProcessInput(decoder) {
            case JXL_DEC_BASIC_INFO: try takeSize()
            case JXL_DEC_COLOR_ENCODING: takeColours()
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: try giveMemory()
            case JXL_DEC_FRAME_PROGRESSION:
                let step = JxlDecoderGetIntendedDownsamplingRatio(decoder)
                self.step = step
                if isEnough(step), let picture = flushed() { return picture }
            case JXL_DEC_FULL_IMAGE:
                guard let bitmap else { throw Self.damaged }
                return JXLPicture(bitmap: bitmap, profile: profile, isGray: isGray)
            case JXL_DEC_NEED_MORE_INPUT:
                guard step != nil, let picture = flushed() else {
                    throw PluginError(.corrupt, "the picture is cut off before anything of it can be shown")
                }
                return picture
            case JXL_DEC_SUCCESS: throw PluginError(.empty, "the file has no picture in it")
            default: throw Self.damaged
            }
        }
    }

    /// What the steps so far show.
    private func flushed() -> JXLPicture? {
        guard let bitmap, JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS else { return nil }
        return JXLPicture(bitmap: bitmap, profile: profile, isGray: isGray)
    }

    /// Whether a picture that is so many times smaller is half as large again as wanted.
    private func isEnough(_ step: Int) -> Bool {
        guard let bitmap else { return false }
        return 2 * max(bitmap.width, bitmap.height) >= 3 * box * step
    }

    private mutating func takeSize() throws(PluginError) {
        var info = JxlBasicInfo()
        guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else { throw Self.damaged }
        let (pixels, overflow) = Int(info.xsize).multipliedReportingOverflow(by: Int(info.ysize))
        guard !overflow, pixels <= maximumPixels else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(info.xsize) × \(info.ysize) pixels; at most \(maximumPixels) are decoded")
        }
        guard info.num_extra_channels <= Self.mostChannels else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(info.num_extra_channels) channels beside its colours; at most \(Self.mostChannels) are decoded"
            )
        }
        // Greys are decoded as colours.
        let channels = 3 + Int(info.num_extra_channels)
        guard channels <= Self.usualChannels || pixels <= maximumPixels / channels * Self.usualChannels else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(info.xsize) × \(info.ysize) pixels of \(channels) channels; at most \(maximumPixels / channels * Self.usualChannels) are decoded"
            )
        }
        for index in 0..<info.num_extra_channels {
            var channel = JxlExtraChannelInfo()
            guard JxlDecoderGetExtraChannelInfo(decoder, Int(index), &channel) == JXL_DEC_SUCCESS else {
                throw Self.damaged
            }
            if channel.type == JXL_CHANNEL_BLACK {
                throw PluginError(.unsupported, "the JPEG XL picture is made of inks, which are not supported")
            }
        }
        isGray = info.num_color_channels == 1
        // Turned by the decoder, whose sizes are those of the upright picture.
        bitmap = try Bitmap(
            width: Int(info.xsize), height: Int(info.ysize), format: info.alpha_bits > 0 ? .rgba : .rgbx)
        // Colours that are stored in libjxl's own way can be had in any space; others come in their own.
        wantsConversion = info.uses_original_profile == JXL_FALSE
    }

    private var wantsConversion = false

    private mutating func takeColours() {
        if wantsConversion {
            var colours = JxlColorEncoding()
            colours.color_space = isGray ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
            colours.white_point = JXL_WHITE_POINT_D65
            colours.primaries = JXL_PRIMARIES_SRGB
            colours.transfer_function = JXL_TRANSFER_FUNCTION_SRGB
            colours.rendering_intent = JXL_RENDERING_INTENT_PERCEPTUAL
            // When it cannot, it says below what it gives instead.
            JxlDecoderSetPreferredColorProfile(decoder, &colours)
        }
        var count = 0
        guard
            JxlDecoderGetICCProfileSize(decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &count) == JXL_DEC_SUCCESS,
            1...ColorProfile.longest ~= count
        else { return }
        var bytes = [UInt8](repeating: 0, count: count)
        let status = JxlDecoderGetColorAsICCProfile(decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &bytes, count)
        if status == JXL_DEC_SUCCESS { profile = bytes }
    }

    /// Lets the decoder write into the bitmap, whose rows lie as it lays them out by itself.
    private func giveMemory() throws(PluginError) {
        guard let bitmap else { throw Self.damaged }
        var layout = JxlPixelFormat(
            num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 64)
        var needed = 0
        guard JxlDecoderImageOutBufferSize(decoder, &layout, &needed) == JXL_DEC_SUCCESS else { throw Self.damaged }
        // The bitmap outlives the decoder, and its memory does not move.
        let status = bitmap.withUnsafeMutableBytes { rows in
            rows.count >= needed
                ? JxlDecoderSetImageOutBuffer(decoder, &layout, rows.baseAddress, rows.count) : JXL_DEC_ERROR
        }
        guard status == JXL_DEC_SUCCESS else { throw Self.damaged }
    }

    private static let outOfMemory = PluginError(
        .limitExceeded, "decoding the picture needs more memory than the renderer may use")
    private static let damaged = PluginError(.corrupt, "the JPEG XL picture is damaged")
}
