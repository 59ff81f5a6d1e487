internal import AVMedia
internal import CAV

/// One stream of sound of an open container.
struct AudioStream: MediaStream {
    /// libav's own description of it.
    let pointer: UnsafeMutablePointer<AVStream>

    /// - Returns: `nil` for streams that are not sound.
    init?(_ pointer: UnsafeMutablePointer<AVStream>) {
        guard pointer.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO else { return nil }
        self.pointer = pointer
    }

    /// Which stream is preferred: the higher, the better.
    var rank: Int64 {
        let decodable: Int64 = avcodec_find_decoder(parameters.codec_id) == nil ? 0 : 1 << 32
        let chosen: Int64 = pointer.pointee.disposition & AV_DISPOSITION_DEFAULT == 0 ? 0 : 1 << 31
        return decodable + chosen - Int64(index)
    }

    /// Whether samples, or blocks of them, follow one another with nothing that marks where one begins.
    var hasUnmarkedBlocks: Bool { isUnpacked || parameters.block_align > 1 }

    /// Whether samples are stored as they are, each in so many bits.
    var isUnpacked: Bool { av_get_exact_bits_per_sample(parameters.codec_id) > 0 }

    /// Whether a decoder can start from what the header says.
    var isDescribed: Bool {
        guard parameters.codec_id != AV_CODEC_ID_NONE, parameters.sample_rate > 0,
            parameters.ch_layout.nb_channels > 0
        else { return false }
        switch parameters.codec_id {
        case AV_CODEC_ID_AAC, AV_CODEC_ID_VORBIS, AV_CODEC_ID_FLAC, AV_CODEC_ID_ALAC, AV_CODEC_ID_WMAV2:
            return parameters.extradata_size > 0
        default: return true
        }
    }
}
