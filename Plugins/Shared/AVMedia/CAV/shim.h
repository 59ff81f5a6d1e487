#pragma once
/* What of libav Swift cannot import: macros that compute. */
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/cpu.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

static const int cav_error_io = AVERROR(EIO);
static const int cav_error_busy = AVERROR(EBUSY);
static const int cav_error_no_memory = AVERROR(ENOMEM);
static const int cav_error_not_permitted = AVERROR(EPERM);
static const int cav_error_invalid_argument = AVERROR(EINVAL);
static const int cav_error_not_implemented = AVERROR(ENOSYS);
static const int cav_error_unknown = AVERROR_UNKNOWN;
static const int cav_error_invalid_data = AVERROR_INVALIDDATA;
static const int cav_error_end = AVERROR_EOF;
static const int cav_error_stopped = AVERROR_EXIT;
static const int cav_error_no_decoder = AVERROR_DECODER_NOT_FOUND;
static const int cav_error_no_demuxer = AVERROR_DEMUXER_NOT_FOUND;
static const int cav_error_no_protocol = AVERROR_PROTOCOL_NOT_FOUND;
static const int cav_error_patch_welcome = AVERROR_PATCHWELCOME;

/* The time stamp that stands for none. */
static const int64_t cav_no_time = AV_NOPTS_VALUE;

/* Bytes of a packet that an index tells of: a bit field. */
static inline int cav_size(const AVIndexEntry *entry) { return entry->size; }

/* The packet with a stream's cover, which lies inside the stream itself. */
static inline AVPacket *cav_cover(AVStream *stream) { return &stream->attached_pic; }
