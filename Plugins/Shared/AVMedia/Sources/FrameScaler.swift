package import CAV
internal import CodedColors
package import VitrineKit

/// Converts decoded frames to bitmaps of the size that is wanted, in one step.
package enum FrameScaler {
    /// Scales a frame and converts it to RGB as stored, and what has a high dynamic range to sRGB.
    /// - Parameters:
    ///   - frame: decoded, not turned.
    ///   - target: the size of the result.
    /// - Returns: an opaque bitmap, unless the frame has an alpha channel that shows something.
    /// - Throws: `unsupported` for pixel formats that libswscale cannot read, `limitExceeded` for sizes that it
    ///   cannot handle.
    package static func scale(
        _ frame: UnsafeMutablePointer<AVFrame>, to target: PixelSize
    ) throws(PluginError) -> Bitmap {
        if hasAlpha(frame) {
            let bitmap = try scale(frame, to: target, format: .rgba)
            if !bitmap.isInvisible { return bitmap }
        }
        return try scale(frame, to: target, format: .rgbx)
    }

    private static func scale(
        _ frame: UnsafeMutablePointer<AVFrame>, to target: PixelSize, format: Bitmap.PixelFormat
    ) throws(PluginError) -> Bitmap {
        let source = AVPixelFormat(frame.pointee.format)
        guard sws_isSupportedInput(source) > 0 else {
            let name = av_get_pix_fmt_name(source).map { String(cString: $0) } ?? "unknown"
            throw PluginError(.unsupported, "the picture's pixels are '\(name)', which cannot be converted")
        }
        let bitmap = try Bitmap(width: target.width, height: target.height, format: format)
        let context = sws_getContext(
            frame.pointee.width, frame.pointee.height, source, CInt(target.width), CInt(target.height),
            format == .rgba ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB0, SWS_AREA | SWS_ACCURATE_RND, nil, nil, nil)
        guard let context else {
            throw PluginError(
                .limitExceeded,
                "pictures of \(frame.pointee.width) × \(frame.pointee.height) pixels cannot be scaled to "
                    + "\(target.width) × \(target.height)")
        }
        defer { sws_freeContext(context) }
        let one: CInt = 1 << 16
        sws_setColorspaceDetails(
            context, sws_getCoefficients(matrix(of: frame)), isFullRange(frame) ? 1 : 0,
            sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, one, one)
        let rows = bitmap.withUnsafeMutableBytes { bytes in
            scale(frame, with: context, into: bytes, bytesPerRow: bitmap.bytesPerRow)
        }
        guard rows > 0 else { throw PluginError(libav: rows, "a picture in the file cannot be scaled") }
        let (primaries, transfer) = (frame.pointee.color_primaries, frame.pointee.color_trc)
        // Of what is as bright as usual, players show wide colours as stored, and so do other programs' thumbnails.
        if transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67 {
            CodedColors(primaries: Int(primaries.rawValue), transfer: Int(transfer.rawValue))?.convert(bitmap)
        }
        return bitmap
    }

    private static func scale(
        _ frame: UnsafeMutablePointer<AVFrame>, with context: OpaquePointer,
        into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int
    ) -> CInt {
        let planes = withUnsafeBytes(of: &frame.pointee.data) {
            Array($0.bindMemory(to: UnsafePointer<UInt8>?.self))
        }
        let lines = withUnsafeBytes(of: &frame.pointee.linesize) { Array($0.bindMemory(to: CInt.self)) }
        let target = [bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil, nil]
        return sws_scale(context, planes, lines, 0, frame.pointee.height, target, [CInt(bytesPerRow), 0, 0, 0])
    }

    private static func hasAlpha(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        guard let description = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format)) else { return false }
        return description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    /// The matrix from luma and chroma to RGB. Files that do not say are taken for BT.709 from HD upwards and
    /// for BT.601 below, as players do.
    private static func matrix(of frame: UnsafeMutablePointer<AVFrame>) -> CInt {
        switch frame.pointee.colorspace {
        case AVCOL_SPC_BT709: SWS_CS_ITU709
        case AVCOL_SPC_FCC: SWS_CS_FCC
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: SWS_CS_ITU601
        case AVCOL_SPC_SMPTE240M: SWS_CS_SMPTE240M
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
        default: frame.pointee.width >= 1280 || frame.pointee.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
        }
    }

    private static func isFullRange(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        switch AVPixelFormat(frame.pointee.format) {
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ444P:
            true
        default: frame.pointee.color_range == AVCOL_RANGE_JPEG
        }
    }
}
