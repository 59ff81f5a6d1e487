package import CAV
package import VitrineKit

/// Decodes the packets of one stream, on the calling thread.
package final class FrameDecoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var newest: UnsafeMutablePointer<AVFrame>?
    private var incoming: UnsafeMutablePointer<AVFrame>?

    /// Whether the frame in ``frame`` is one.
    package private(set) var hasFrame = false

    /// Opens the decoder of a stream.
    /// - Parameters:
    ///   - stream: what to decode.
    ///   - maximumPixels: the most pixels that a frame may have; of no matter for sound.
    /// - Throws: `unsupported` when there is no decoder for it, else what the decoder says about its header.
    package init(_ stream: some MediaStream, maximumPixels: Int) throws(PluginError) {
        let name = stream.codecName
        guard let codec = stream.decoder else {
            let noun = stream.parameters.codec_type == AVMEDIA_TYPE_AUDIO ? "sound" : "video"
            throw PluginError(.unsupported, "there is no decoder for its \(noun), which is '\(name)'")
        }
        context = avcodec_alloc_context3(codec)
        newest = av_frame_alloc()
        incoming = av_frame_alloc()
        guard let context, newest != nil, incoming != nil else {
            throw PluginError(.limitExceeded, "no memory to decode the file")
        }
        var status = avcodec_parameters_to_context(context, stream.pointer.pointee.codecpar)
        context.pointee.pkt_timebase = stream.pointer.pointee.time_base
        context.pointee.thread_count = 1
        context.pointee.max_pixels = Int64(maximumPixels)
        if status >= 0 { status = avcodec_open2(context, codec, nil) }
        guard status >= 0 else { throw PluginError(libav: status, startingDecoder: name) }
    }

    deinit {
        av_frame_free(&newest)
        av_frame_free(&incoming)
        avcodec_free_context(&context)
    }

    /// The frame that came out last, valid until the next call.
    package var frame: UnsafeMutablePointer<AVFrame>? { hasFrame ? newest : nil }

    /// Forgets all frames and starts anew.
    /// - Parameter keyFramesOnly: whether to skip what other frames depend on; then the filter that smooths
    ///   the borders of blocks, which nobody sees once the frame is scaled down, is skipped as well.
    package func restart(keyFramesOnly: Bool) {
        guard let context else { return }
        avcodec_flush_buffers(context)
        context.pointee.skip_frame = keyFramesOnly ? AVDISCARD_NONKEY : AVDISCARD_DEFAULT
        context.pointee.skip_loop_filter = keyFramesOnly ? AVDISCARD_ALL : AVDISCARD_DEFAULT
        hasFrame = false
    }

    /// Gives the decoder a packet and takes what comes out. Damaged packets are the decoder's to skip.
    /// - Parameters:
    ///   - packet: `nil` for: no more will come, give out what you hold.
    ///   - body: called with each frame that comes out, which is valid during the call. A packet of sound may
    ///     hold several.
    /// - Returns: whether a new frame came out.
    @discardableResult package func decode(
        _ packet: UnsafeMutablePointer<AVPacket>?, _ body: (UnsafeMutablePointer<AVFrame>) -> Void = { _ in }
    ) -> Bool {
        _ = avcodec_send_packet(context, packet)
        var came = false
        while avcodec_receive_frame(context, incoming) >= 0 {
            swap(&newest, &incoming)
            hasFrame = true
            came = true
            if let newest { body(newest) }
        }
        return came
    }

    /// Whether frames are skipped that no other depends on, as far as the decoder can tell. ``restart(keyFramesOnly:)``
    /// decodes all again.
    package var skipsUnreferenced: Bool {
        get { context?.pointee.skip_frame == AVDISCARD_NONREF }
        set { context?.pointee.skip_frame = newValue ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
    }

    /// Gives the decoder a packet and takes what comes out up to a frame that is beyond what is looked for. That one is
    /// dropped, unless it is the first, and what comes after it stays where it is.
    /// - Parameters:
    ///   - packet: `nil` for: no more will come, give out what you hold.
    ///   - isBeyond: called with each frame that comes out, which is valid during the call.
    /// - Returns: whether such a frame came.
    package func decode(
        _ packet: UnsafeMutablePointer<AVPacket>?, until isBeyond: (UnsafeMutablePointer<AVFrame>) -> Bool
    ) -> Bool {
        _ = avcodec_send_packet(context, packet)
        while avcodec_receive_frame(context, incoming) >= 0, let frame = incoming {
            let isEnd = isBeyond(frame)
            if isEnd, hasFrame { return true }
            swap(&newest, &incoming)
            hasFrame = true
            if isEnd { return true }
        }
        return false
    }
}
