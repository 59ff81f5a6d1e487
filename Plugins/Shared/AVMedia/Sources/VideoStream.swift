package import CAV
package import VitrineKit

/// One video stream of an open container, or a picture that is kept as one.
package struct VideoStream: MediaStream {
    /// libav's own description of it.
    package let pointer: UnsafeMutablePointer<AVStream>

    /// - Returns: `nil` for streams that are not video.
    package init?(_ pointer: UnsafeMutablePointer<AVStream>) {
        guard let parameters = pointer.pointee.codecpar,
            parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        else { return nil }
        self.pointer = pointer
    }

    /// A cover or a still beside the video, not a frame of it.
    package var isCover: Bool {
        let covers = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_STILL_IMAGE | AV_DISPOSITION_TIMED_THUMBNAILS
        return pointer.pointee.disposition & covers != 0
    }

    /// The cover's data, which is not among the packets that are read.
    package var coverPacket: UnsafeMutablePointer<AVPacket>? {
        guard pointer.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
            pointer.pointee.attached_pic.size > 0
        else { return nil }
        return cav_cover(pointer)
    }

    /// Which stream is preferred: the higher, the better.
    package var rank: Int64 {
        let decodable: Int64 = avcodec_find_decoder(parameters.codec_id) == nil ? 0 : 1 << 62
        let moving: Int64 = isCover ? 0 : 1 << 61
        let chosen: Int64 = pointer.pointee.disposition & AV_DISPOSITION_DEFAULT == 0 ? 0 : 1 << 60
        let area = max(0, min(Int64(parameters.width) * Int64(parameters.height), 1 << 50))
        return decodable + moving + chosen + area
    }

    /// Whether a decoder can start from what the header says.
    package var isDescribed: Bool {
        let parameters = parameters
        guard parameters.codec_id != AV_CODEC_ID_NONE, parameters.width > 0, parameters.height > 0 else { return false }
        switch parameters.codec_id {
        case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4, AV_CODEC_ID_VC1:
            return parameters.extradata_size > 0
        default: return true
        }
    }

    /// Whether each key frame brings what a decoder has to know.
    package var describesItself: Bool {
        [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG2VIDEO].contains { $0 == parameters.codec_id }
    }

    /// What a player shows at 100 %, as far as the header says it: with square pixels, upright.
    package var shownSize: PixelSize? {
        let shape = av_guess_sample_aspect_ratio(nil, pointer, nil)
        return try? FrameGeometry(
            width: Int(parameters.width), height: Int(parameters.height),
            pixelAspectRatio: shape.num > 0 && shape.den > 0 ? av_q2d(shape) : 1,
            orientation: Orientation(displayMatrix: displayMatrix), box: 1
        ).size
    }

    /// The display matrix of the stream; empty where there is none.
    package var displayMatrix: [Int32] {
        var size = 0
        guard let data = av_stream_get_side_data(pointer, AV_PKT_DATA_DISPLAYMATRIX, &size) else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: size).bindMemory(to: Int32.self))
    }
}
