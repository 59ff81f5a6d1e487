#include "CEncoders.h"
#include <avif/avif.h>
#include <string.h>
#include <turbojpeg.h>
#include <webp/encode.h>
#include <webp/mux.h>

static int copy_out(const uint8_t *bytes, size_t count, uint8_t *memory, size_t capacity, size_t *length) {
    if (count > capacity) return CENCODERS_NO_ROOM;
    memcpy(memory, bytes, count);
    *length = count;
    return CENCODERS_ENCODED;
}

static int encode_jpeg(
    const uint8_t *rgba, int width, int height, int quality, uint8_t *memory, size_t capacity, size_t *length) {
    tjhandle handle = tjInitCompress();
    if (!handle) return CENCODERS_NO_MEMORY;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    /* Letters and lines suffer first from colour at half the size. */
    int sampling = quality >= 90 ? TJSAMP_444 : TJSAMP_420;
    int failed = tjCompress2(
        handle, rgba, width, width * 4, height, TJPF_RGBX, &bytes, &count, sampling, quality, TJFLAG_ACCURATEDCT);
    int status = failed ? CENCODERS_REFUSED : copy_out(bytes, count, memory, capacity, length);
    tjFree(bytes);
    tjDestroy(handle);
    return status;
}

typedef struct memory_writer {
    uint8_t *bytes;
    size_t used, capacity;
    int overflow;
} memory_writer;

static int write_webp(const uint8_t *data, size_t size, const WebPPicture *picture) {
    memory_writer *writer = picture->custom_ptr;
    if (size > writer->capacity - writer->used) {
        writer->overflow = 1;
        return 0;
    }
    memcpy(writer->bytes + writer->used, data, size);
    writer->used += size;
    return 1;
}

static int webp_settings(WebPConfig *config, int quality) {
    if (!WebPConfigInit(config)) return 0;
    config->quality = (float)quality;
    config->method = 4;
    config->alpha_quality = 90;
    config->thread_level = 0;
    return 1;
}

static int encode_webp(
    const uint8_t *rgba, int width, int height, int quality, uint8_t *memory, size_t capacity, size_t *length) {
    WebPConfig config;
    WebPPicture picture;
    if (!webp_settings(&config, quality) || !WebPPictureInit(&picture)) return CENCODERS_REFUSED;
    memory_writer writer = {memory, 0, capacity, 0};
    picture.width = width;
    picture.height = height;
    picture.writer = write_webp;
    picture.custom_ptr = &writer;
    int status = CENCODERS_REFUSED;
    if (WebPPictureImportRGBA(&picture, rgba, width * 4)) {
        if (WebPEncode(&config, &picture)) {
            *length = writer.used;
            status = CENCODERS_ENCODED;
        } else if (writer.overflow) {
            status = CENCODERS_NO_ROOM;
        } else if (picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY) {
            status = CENCODERS_NO_MEMORY;
        }
    }
    WebPPictureFree(&picture);
    return status;
}

static int is_opaque(const uint8_t *rgba, size_t pixels) {
    for (size_t i = 0; i < pixels; i++)
        if (rgba[4 * i + 3] != 255) return 0;
    return 1;
}

static int encode_avif(
    const uint8_t *rgba, int width, int height, int quality, uint8_t *memory, size_t capacity, size_t *length) {
    avifImage *image = avifImageCreate(
        (uint32_t)width, (uint32_t)height, 8, quality >= 90 ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420);
    avifEncoder *encoder = avifEncoderCreate();
    int status = CENCODERS_NO_MEMORY;
    if (image && encoder) {
        /* sRGB, as other programs tell it: primaries of BT.709, transfer of sRGB, matrix of BT.601. */
        image->colorPrimaries = AVIF_COLOR_PRIMARIES_BT709;
        image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_SRGB;
        image->matrixCoefficients = AVIF_MATRIX_COEFFICIENTS_BT601;
        image->yuvRange = AVIF_RANGE_FULL;
        avifRGBImage pixels;
        avifRGBImageSetDefaults(&pixels, image);
        pixels.format = AVIF_RGB_FORMAT_RGBA;
        pixels.depth = 8;
        pixels.pixels = (uint8_t *)(uintptr_t)rgba;
        pixels.rowBytes = (uint32_t)width * 4;
        pixels.ignoreAlpha = is_opaque(rgba, (size_t)width * (size_t)height);
        /* One thread: the worker may start no other. */
        encoder->codecChoice = AVIF_CODEC_CHOICE_AOM;
        encoder->maxThreads = 1;
        encoder->speed = 8;
#if AVIF_VERSION >= 1000000
        encoder->quality = quality;
        encoder->qualityAlpha = quality;
#else
        int quantizer = (100 - quality) * AVIF_QUANTIZER_WORST_QUALITY / 100;
        encoder->minQuantizer = encoder->minQuantizerAlpha = quantizer > 4 ? quantizer - 4 : 0;
        encoder->maxQuantizer = encoder->maxQuantizerAlpha = quantizer < 59 ? quantizer + 4 : 63;
#endif
        avifRWData out = AVIF_DATA_EMPTY;
        avifResult result = avifImageRGBToYUV(image, &pixels);
        if (result == AVIF_RESULT_OK) result = avifEncoderWrite(encoder, image, &out);
        status = result == AVIF_RESULT_OK ? copy_out(out.data, out.size, memory, capacity, length)
            : result == AVIF_RESULT_OUT_OF_MEMORY ? CENCODERS_NO_MEMORY
                                                  : CENCODERS_REFUSED;
        avifRWDataFree(&out);
    }
    if (encoder) avifEncoderDestroy(encoder);
    if (image) avifImageDestroy(image);
    return status;
}

int cencoders_encode_v1(
    int format, const uint8_t *rgba, int width, int height, int quality, uint8_t *memory, size_t capacity,
    size_t *length) {
    if (width < 1 || height < 1 || width > 16384 || height > 16384 || quality < 1 || quality > 100) return CENCODERS_REFUSED;
    switch (format) {
    case CENCODERS_JPEG: return encode_jpeg(rgba, width, height, quality, memory, capacity, length);
    case CENCODERS_WEBP: return encode_webp(rgba, width, height, quality, memory, capacity, length);
    case CENCODERS_AVIF: return encode_avif(rgba, width, height, quality, memory, capacity, length);
    default: return CENCODERS_REFUSED;
    }
}

static int add_frames(
    WebPAnimEncoder *encoder, const uint8_t *rgba, int count, int width, int height, int quality, int milliseconds) {
    WebPConfig config;
    if (!webp_settings(&config, quality)) return 0;
    for (int i = 0; i < count; i++) {
        WebPPicture picture;
        if (!WebPPictureInit(&picture)) return 0;
        picture.use_argb = 1;
        picture.width = width;
        picture.height = height;
        const uint8_t *frame = rgba + (size_t)i * (size_t)width * (size_t)height * 4;
        int added = WebPPictureImportRGBA(&picture, frame, width * 4)
            && WebPAnimEncoderAdd(encoder, &picture, i * milliseconds, &config);
        WebPPictureFree(&picture);
        if (!added) return 0;
    }
    return WebPAnimEncoderAdd(encoder, NULL, count * milliseconds, NULL);
}

int cencoders_encode_loop_v1(
    const uint8_t *rgba, int count, int width, int height, int quality, int milliseconds, uint8_t *memory,
    size_t capacity, size_t *length) {
    if (count < 1 || width < 1 || height < 1 || quality < 1 || quality > 100) return CENCODERS_REFUSED;
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options)) return CENCODERS_REFUSED;
    options.anim_params.loop_count = 0;
    WebPAnimEncoder *encoder = WebPAnimEncoderNew(width, height, &options);
    if (!encoder) return CENCODERS_NO_MEMORY;
    WebPData data;
    WebPDataInit(&data);
    int status = CENCODERS_REFUSED;
    if (add_frames(encoder, rgba, count, width, height, quality, milliseconds)
        && WebPAnimEncoderAssemble(encoder, &data))
        status = copy_out(data.bytes, data.size, memory, capacity, length);
    WebPDataClear(&data);
    WebPAnimEncoderDelete(encoder);
    return status;
}
