/* libavformat and libavcodec, on one thread: the cover, scaled by libswscale; else a waveform of at most 24 seconds from
 * the start, drawn by cairo. Sound that lasts longer is left out, since Vitrine listens to pieces of it. */
#include <cairo.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <loop.h>
#include <math.h>
#include <stdlib.h>

#define BARS 28
#define SECONDS 24
/* Samples that are measured together. */
#define PIECE 512
/* More pieces than there are in the time. */
#define PIECES 16384

static int start(const char *scratch) {
    (void)scratch;
    av_log_set_level(AV_LOG_QUIET);
    return 1;
}

/* Opens a decoder for a stream; the caller frees it. */
static AVCodecContext *decoder_for(const AVStream *stream) {
    const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
    AVCodecContext *decoder = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!decoder) return NULL;
    decoder->thread_count = 1;
    if (avcodec_parameters_to_context(decoder, stream->codecpar) < 0 || avcodec_open2(decoder, codec, NULL) < 0)
        avcodec_free_context(&decoder);
    return decoder;
}

static int draw_cover(const AVStream *stream, int box, loop_picture *picture) {
    AVCodecContext *decoder = decoder_for(stream);
    AVFrame *frame = av_frame_alloc();
    struct SwsContext *scaler = NULL;
    if (decoder && frame && avcodec_send_packet(decoder, &stream->attached_pic) >= 0
        && avcodec_receive_frame(decoder, frame) >= 0
        && loop_fit(frame->width, frame->height, box, 0, &picture->width, &picture->height)) {
        picture->stride = ((size_t)picture->width * 4 + 63) & ~(size_t)63;
        picture->format = LOOP_RGBX;
        picture->pixels = aligned_alloc(64, picture->stride * (size_t)(picture->height + 1));
        scaler = sws_getContext(
            frame->width, frame->height, frame->format, picture->width, picture->height, AV_PIX_FMT_RGB0,
            SWS_AREA | SWS_ACCURATE_RND, NULL, NULL, NULL);
    }
    uint8_t *planes[4] = {picture->pixels};
    int strides[4] = {(int)picture->stride};
    int drawn = scaler && picture->pixels
        && sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides) > 0;
    sws_freeContext(scaler);
    av_frame_free(&frame);
    avcodec_free_context(&decoder);
    return drawn;
}

/* The mean square of so many samples of the first channel, in the forms that most decoders give. */
static double loudness(const AVFrame *frame, int from, int count) {
    int step = av_sample_fmt_is_planar(frame->format) ? 1 : frame->ch_layout.nb_channels;
    const void *data = frame->extended_data[0];
    double sum = 0;
    for (int i = from; i < from + count; i++) {
        float value = 0;
        if (av_get_packed_sample_fmt(frame->format) == AV_SAMPLE_FMT_FLT) value = ((const float *)data)[i * step];
        if (av_get_packed_sample_fmt(frame->format) == AV_SAMPLE_FMT_S16)
            value = (float)((const int16_t *)data)[i * step] / 32768;
        sum += value * value;
    }
    return sum / count;
}

static int listen(AVFormatContext *format, int index, double *pieces) {
    AVCodecContext *decoder = decoder_for(format->streams[index]);
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int count = 0;
    while (decoder && frame && packet && av_read_frame(format, packet) >= 0) {
        if (packet->stream_index == index && avcodec_send_packet(decoder, packet) >= 0) {
            while (avcodec_receive_frame(decoder, frame) >= 0) {
                for (int at = 0; at < frame->nb_samples && count < PIECES; at += PIECE) {
                    int left = frame->nb_samples - at;
                    pieces[count++] = loudness(frame, at, left < PIECE ? left : PIECE);
                }
            }
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&decoder);
    return count;
}

static int draw_bars(const double *pieces, int count, int box, loop_picture *picture) {
    double level[BARS] = {0}, loudest = 1e-9;
    for (int bar = 0; bar < BARS; bar++) {
        int from = bar * count / BARS, to = (bar + 1) * count / BARS;
        for (int i = from; i < to; i++) level[bar] += pieces[i] / (to - from);
        level[bar] = sqrt(level[bar]);
        loudest = fmax(loudest, level[bar]);
    }
    *picture = (loop_picture){calloc((size_t)box, (size_t)box * 4), (size_t)box * 4, box, box, LOOP_BGRA_PREMULTIPLIED};
    if (!picture->pixels) return 0;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        picture->pixels, CAIRO_FORMAT_ARGB32, box, box, (int)picture->stride);
    cairo_t *context = cairo_create(surface);
    cairo_scale(context, box, box);
    cairo_set_source_rgb(context, 0.2, 0.26, 0.34);
    cairo_paint(context);
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(context, 0.016);
    for (int bar = 0; bar < BARS; bar++) {
        double x = 0.13 + 0.76 * bar / BARS, half = 0.31 * pow(level[bar] / loudest, 0.7);
        cairo_move_to(context, x, 0.5 - half);
        cairo_line_to(context, x, 0.5 + half);
    }
    cairo_set_source_rgb(context, 0.6, 0.9, 0.92);
    cairo_stroke(context);
    int drawn = cairo_status(context) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(context);
    cairo_surface_destroy(surface);
    return drawn;
}

static int draw(AVFormatContext *format, int box, loop_picture *picture) {
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVStream *stream = format->streams[i];
        if (stream->disposition & AV_DISPOSITION_ATTACHED_PIC && stream->attached_pic.size > 0)
            return draw_cover(stream, box, picture);
    }
    int index = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
    if (index < 0 || format->duration > SECONDS * (int64_t)AV_TIME_BASE) return 0;
    static double pieces[PIECES];
    int count = listen(format, index, pieces);
    return count > 0 && draw_bars(pieces, count, box, picture);
}

static int render(const char *path, int box, loop_picture *picture) {
    AVFormatContext *format = NULL;
    if (avformat_open_input(&format, path, NULL, NULL) < 0) return 0;
    int drawn = avformat_find_stream_info(format, NULL) >= 0 && draw(format, box, picture);
    avformat_close_input(&format);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}
