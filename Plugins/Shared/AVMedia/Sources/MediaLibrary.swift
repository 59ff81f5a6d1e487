public import CAV
internal import MIME

/// libav as a whole, before a renderer is locked in.
public enum MediaLibrary {
    /// Makes it quiet, and fills the tables that it makes at first use, and those for the letters of old tags.
    /// - Parameter codecs: those that most files have; one that is not there is passed over.
    public static func warmUp(_ codecs: [AVCodecID]) {
        av_log_set_level(AV_LOG_QUIET)
        av_get_cpu_flags()
        Charset.warmUp(.tags)
        for codec in codecs {
            guard let decoder = avcodec_find_decoder(codec) else { continue }
            var context = avcodec_alloc_context3(decoder)
            context?.pointee.thread_count = 1
            avcodec_open2(context, decoder, nil)
            avcodec_free_context(&context)
        }
    }
}
