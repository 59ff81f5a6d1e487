package import CAV

/// One stream of an open container; valid as long as that is open.
package protocol MediaStream {
    /// libav's own description of it.
    var pointer: UnsafeMutablePointer<AVStream> { get }
}

extension MediaStream {
    /// Its number in the container.
    package var index: CInt { pointer.pointee.index }

    /// Name of the codec, for messages.
    package var codecName: String { String(cString: avcodec_get_name(parameters.codec_id)) }

    /// What the header says about the codec.
    package var parameters: AVCodecParameters { pointer.pointee.codecpar.pointee }

    /// Decodes its packets; `nil` where nothing can.
    ///
    /// Where WebM keeps transparency beside the frames, libvpx is taken if it is there: libav's own decoders leave it out.
    var decoder: UnsafePointer<AVCodec>? {
        if let mode = av_dict_get(pointer.pointee.metadata, "alpha_mode", nil, 0),
            String(cString: mode.pointee.value) == "1", let name = Self.decodersOfAlpha[parameters.codec_id.rawValue],
            let codec = avcodec_find_decoder_by_name(name)
        {
            return codec
        }
        return avcodec_find_decoder(parameters.codec_id)
    }

    private static var decodersOfAlpha: [UInt32: String] {
        [AV_CODEC_ID_VP8.rawValue: "libvpx", AV_CODEC_ID_VP9.rawValue: "libvpx-vp9"]
    }

    /// Whether the header says that the content is enciphered, as that of Matroska does.
    package var isEnciphered: Bool { av_dict_get(pointer.pointee.metadata, "enc_key_id", nil, 0) != nil }

    /// Whether the header says that the content is enciphered, or how its keys are got. The latter may be left of what was
    /// deciphered since.
    package var isEncrypted: Bool {
        if isEnciphered { return true }
        var size = 0
        return av_stream_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INIT_INFO, &size) != nil
    }

    /// A moment in the stream's own units.
    /// - Parameter seconds: counted from the stream's start.
    package func timeStamp(at seconds: Double) -> Int64 {
        let base = pointer.pointee.time_base
        guard base.num > 0, base.den > 0 else { return 0 }
        let start = pointer.pointee.start_time == cav_no_time ? 0 : pointer.pointee.start_time
        let units = seconds * Double(base.den) / Double(base.num)
        guard units.isFinite, units.magnitude < 0x1p62 else { return start }
        return start.addingReportingOverflow(Int64(units)).partialValue
    }
}
