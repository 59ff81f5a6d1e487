#include "CJPEGXR.h"
#include <jxrlib/windowsmediaphoto.h>
#include <string.h>

/* The bytes of a file, and the next place. */
struct source {
    const uint8_t *bytes;
    size_t count, at;
};

/* The codec reads whole packets, also behind the last one: it gets zeros there, but not for ever. */
enum { most_behind = 1 << 16 };

static ERR read_bytes(struct WMPStream *stream, void *buffer, size_t count) {
    struct source *source = stream->state.pvObj;
    size_t left = source->at < source->count ? source->count - source->at : 0;
    size_t taken = count < left ? count : left;
    if (taken < count && (count > most_behind || source->at - source->count + left > most_behind)) return WMP_errFileIO;
    if (taken) memcpy(buffer, source->bytes + source->at, taken);
    if (count > taken) memset((uint8_t *)buffer + taken, 0, count - taken);
    source->at += count;
    return WMP_errSuccess;
}

static ERR write_bytes(struct WMPStream *stream, const void *buffer, size_t count) {
    (void)stream, (void)buffer, (void)count;
    return WMP_errFileIO;
}

static ERR seek(struct WMPStream *stream, size_t offset) {
    struct source *source = stream->state.pvObj;
    if (offset > source->count) return WMP_errFileIO;
    source->at = offset;
    return WMP_errSuccess;
}

static ERR tell(struct WMPStream *stream, size_t *offset) {
    *offset = ((struct source *)stream->state.pvObj)->at;
    return WMP_errSuccess;
}

static Bool is_over(struct WMPStream *stream) {
    struct source *source = stream->state.pvObj;
    return source->at >= source->count;
}

static ERR close_nothing(struct WMPStream **stream) {
    (void)stream;
    return WMP_errSuccess;
}

static struct WMPStream stream_of(struct source *source) {
    return (struct WMPStream){
        .state.pvObj = source, .Close = close_nothing, .EOS = is_over, .Read = read_bytes, .Write = write_bytes,
        .SetPos = seek, .GetPos = tell,
    };
}

/* The heads of a picture as the codec reads them. */
static bool read_info(struct WMPStream *stream, CWMImageInfo *info, CWMIStrCodecParam *codec) {
    memset(info, 0, sizeof *info);
    memset(codec, 0, sizeof *codec);
    codec->pWStream = stream;
    /* It is set to 0 where there is none. */
    codec->uAlphaMode = 2;
    return ImageStrDecGetInfo(info, codec) == ICERR_OK;
}

static bool describe(const CWMImageInfo *info, const CWMIStrCodecParam *codec, cjpegxr_head *head) {
    static const struct {
        cjpegxr_numbers numbers;
        uint8_t size;
    } kinds[] = {
        [BD_8] = {cjpegxr_byte, 1}, [BD_16] = {cjpegxr_word, 2}, [BD_16S] = {cjpegxr_fixed16, 2}, [BD_16F] = {cjpegxr_half, 2},
        [BD_32S] = {cjpegxr_fixed32, 4}, [BD_32F] = {cjpegxr_float, 4},
    };
    *head = (cjpegxr_head){.width = info->cWidth, .height = info->cHeight, .numbers = cjpegxr_other, .size = 1};
    head->has_alpha = codec->uAlphaMode != 0;
    /* Colours may be stored without any. */
    head->is_gray = info->cfColorFormat == Y_ONLY || codec->cfColorFormat == Y_ONLY;
    switch (info->cfColorFormat) {
        case Y_ONLY:
        case CF_RGB:
            if ((size_t)info->bdBitDepth < sizeof kinds / sizeof kinds[0] && kinds[info->bdBitDepth].size) {
                head->numbers = kinds[info->bdBitDepth].numbers;
                head->size = kinds[info->bdBitDepth].size;
            }
            break;
        case CF_RGBE: head->numbers = head->is_gray ? cjpegxr_other : cjpegxr_rgbe; break;
        default: break;
    }
    return info->cWidth > 0 && info->cHeight > 0;
}

bool cjpegxr_read(const uint8_t *bytes, size_t count, size_t offset, cjpegxr_head *head) {
    struct source source = {bytes, count, offset};
    struct WMPStream stream = stream_of(&source);
    CWMImageInfo info;
    CWMIStrCodecParam codec;
    return offset < count && read_info(&stream, &info, &codec) && describe(&info, &codec, head);
}

bool cjpegxr_decode(
    const uint8_t *bytes, size_t count, size_t offset, int step, bool alpha, uint8_t *pixels, size_t stride) {
    struct source source = {bytes, count, offset};
    struct WMPStream stream = stream_of(&source);
    CWMImageInfo info;
    CWMIStrCodecParam codec;
    cjpegxr_head head;
    if (offset >= count || step < 0 || step > cjpegxr_steps) return false;
    if (!read_info(&stream, &info, &codec) || !describe(&info, &codec, &head) || head.numbers == cjpegxr_other) return false;
    if (alpha || head.is_gray) info.cfColorFormat = Y_ONLY;
    info.bRGB = TRUE;
    info.cBitsPerUnit = head.numbers == cjpegxr_rgbe ? 32 : 32 * (size_t)head.size;
    info.cLeadingPadding = alpha ? 3 : 0;
    info.oOrientation = O_NONE;
    info.cThumbnailWidth = (info.cWidth + ((size_t)1 << step) - 1) >> step;
    info.cThumbnailHeight = (info.cHeight + ((size_t)1 << step) - 1) >> step;
    info.cROIWidth = info.cThumbnailWidth;
    info.cROIHeight = info.cThumbnailHeight;
    if (alpha) codec.uAlphaMode = 0;

    CTXSTRCODEC context = NULL;
    if (ImageStrDecInit(&info, &codec, &context) != ICERR_OK || !context) return false;
    size_t rows = (head.height + 15) / 16;
    bool is_whole = true;
    /* A row of blocks is written when the next one is there, which overlaps with it. */
    for (size_t row = 0; is_whole && row <= rows; row++) {
        CWMImageBufferInfo buffer = {
            .pv = pixels, .cLine = info.cThumbnailHeight, .cbStride = stride, .uiFirstMBRow = (unsigned)row,
            .uiLastMBRow = (unsigned)row,
        };
        size_t lines = 0;
        is_whole = ImageStrDecDecode(context, &buffer, &lines) == ICERR_OK;
    }
    ImageStrDecTerm(context);
    return is_whole;
}
