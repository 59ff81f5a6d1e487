/* libavformat, libavcodec and libswscale: the key frame before 15 % of the duration, on one thread. It shows what
 * comes, be it black, and does not turn it as the file says. */
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <loop.h>
#include <stdlib.h>
#include <string.h>

static int start(const char *scratch) {
    (void)scratch;
    av_log_set_level(AV_LOG_QUIET);
    return 1;
}

/* Whether the header says all that a decoder needs. Probing costs more than the rest in MP4 and Matroska. */
static int header_says_enough(const AVFormatContext *format) {
    if (!strstr(format->iformat->name, "mov") && !strstr(format->iformat->name, "matroska")) return 0;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVCodecParameters *codec = format->streams[i]->codecpar;
        if (codec->codec_type == AVMEDIA_TYPE_VIDEO && (codec->width < 1 || codec->codec_id == AV_CODEC_ID_NONE))
            return 0;
    }
    return format->duration > 0;
}

static int decode(AVFormatContext *format, int index, AVCodecContext *decoder, AVFrame *frame) {
    AVPacket *packet = av_packet_alloc();
    int done = 0;
    while (packet && !done && av_read_frame(format, packet) >= 0) {
        if (packet->stream_index == index && avcodec_send_packet(decoder, packet) >= 0)
            done = avcodec_receive_frame(decoder, frame) >= 0;
        /* A decoder that reorders gives the frame out once it knows that nothing follows. */
        if (packet->stream_index == index && !done && packet->flags & AV_PKT_FLAG_KEY) {
            avcodec_send_packet(decoder, NULL);
            done = avcodec_receive_frame(decoder, frame) >= 0;
            avcodec_flush_buffers(decoder);
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return done;
}

static int scale(AVFrame *frame, AVRational aspect, int box, loop_picture *picture) {
    double width = frame->width * (aspect.num > 0 ? av_q2d(aspect) : 1);
    if (!loop_fit(width, frame->height, box, 0, &picture->width, &picture->height)) return 0;
    picture->stride = ((size_t)picture->width * 4 + 63) & ~(size_t)63;
    picture->format = LOOP_RGBA;
    picture->pixels = aligned_alloc(64, picture->stride * (size_t)(picture->height + 1));
    struct SwsContext *scaler = sws_getContext(
        frame->width, frame->height, frame->format, picture->width, picture->height, AV_PIX_FMT_RGBA, SWS_AREA, NULL,
        NULL, NULL);
    if (!picture->pixels || !scaler) {
        sws_freeContext(scaler);
        return 0;
    }
    uint8_t *planes[4] = {picture->pixels};
    int strides[4] = {(int)picture->stride};
    int rows = sws_scale(
        scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
    sws_freeContext(scaler);
    return rows > 0;
}

static int draw(AVFormatContext *format, int box, loop_picture *picture) {
    const AVCodec *codec = NULL;
    int index = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (index < 0) return 0;
    AVStream *stream = format->streams[index];
    for (unsigned i = 0; i < format->nb_streams; i++) {
        if ((int)i != index) format->streams[i]->discard = AVDISCARD_ALL;
    }
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    AVFrame *frame = av_frame_alloc();
    int drawn = 0;
    if (decoder && frame && avcodec_parameters_to_context(decoder, stream->codecpar) >= 0) {
        decoder->thread_count = 1;
        decoder->skip_frame = AVDISCARD_NONKEY;
        decoder->skip_loop_filter = AVDISCARD_ALL;
        if (format->duration > 0) av_seek_frame(format, -1, format->duration * 15 / 100, AVSEEK_FLAG_BACKWARD);
        drawn = avcodec_open2(decoder, codec, NULL) >= 0 && decode(format, index, decoder, frame)
            && scale(frame, av_guess_sample_aspect_ratio(format, stream, frame), box, picture);
    }
    av_frame_free(&frame);
    avcodec_free_context(&decoder);
    return drawn;
}

static int render(const char *path, int box, loop_picture *picture) {
    AVFormatContext *format = NULL;
    if (avformat_open_input(&format, path, NULL, NULL) < 0) return 0;
    int drawn = (header_says_enough(format) || avformat_find_stream_info(format, NULL) >= 0)
        && draw(format, box, picture);
    avformat_close_input(&format);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}
