#include "CDCMTK.h"
#include "FramePieces.hpp"
#include "JPEG2000Codec.hpp"
#include "MemoryStream.hpp"

#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmimage/diregist.h>
#include <dcmtk/dcmimgle/dcmimage.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpls/djdecode.h>
#include <dcmtk/oflog/oflog.h>
#include <malloc.h>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

struct cdcmtk_file {
    std::unique_ptr<MemoryStream> stream;
    DcmFileFormat file;

    /// Group 2 stands before all others, in a part of its own.
    DcmItem &part(uint16_t group) {
        return group == 2 ? static_cast<DcmItem &>(*file.getMetaInfo()) : static_cast<DcmItem &>(*file.getDataset());
    }
};

struct cdcmtk_frame {
    std::unique_ptr<DicomImage> image;
    /// Whether some values stand for no part of the picture.
    bool is_padded;
};

bool cdcmtk_start(void) try {
#ifdef M_PERTURB
    // Memory is handed out as zeros, so that what a decoder leaves as it was never shows a part of an earlier file.
    mallopt(M_PERTURB, 0xFF);
#endif
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);
    DJDecoderRegistration::registerCodecs();
    DJLSDecoderRegistration::registerCodecs();
    DcmRLEDecoderRegistration::registerCodecs();
    JPEG2000Codec::register_once();
    return dcmDataDict.isDictionaryLoaded();
} catch (...) {
    return false;
}

/// Calls something that makes an object, and says why there is none.
template <typename Body>
static auto attempt(cdcmtk_failure *failure, const Body &body) -> decltype(body()) {
    *failure = CDCMTK_DAMAGED;
    try {
        return body();
    } catch (const std::bad_alloc &) {
        *failure = CDCMTK_NO_MEMORY;
    } catch (const TooDeep &) {
        *failure = CDCMTK_TOO_DEEP;
    } catch (const TooLarge &) {
        *failure = CDCMTK_TOO_LARGE;
    } catch (...) {
    }
    return {};
}

cdcmtk_file *cdcmtk_open(const void *bytes, size_t count, cdcmtk_failure *failure, char *reason, size_t room) {
    reason[0] = '\0';
    return attempt(failure, [&]() -> cdcmtk_file * {
        auto opened = std::make_unique<cdcmtk_file>();
        opened->stream = std::make_unique<MemoryStream>(static_cast<const uint8_t *>(bytes), static_cast<offile_off_t>(count));
        opened->file.transferInit();
        const OFCondition result = opened->file.read(*opened->stream);
        opened->file.transferEnd();
        if (result.good()) return opened.release();
        std::snprintf(reason, room, "%s", result.text());
        if (result == EC_MemoryExhausted) *failure = CDCMTK_NO_MEMORY;
        if (result == EC_UnsupportedEncoding) *failure = CDCMTK_UNSUPPORTED;
        return nullptr;
    });
}

void cdcmtk_close(cdcmtk_file *file) { delete file; }

bool cdcmtk_text(cdcmtk_file *file, uint16_t group, uint16_t element, char *text, size_t room) try {
    OFString found;
    if (file->part(group).findAndGetOFString(DcmTagKey(group, element), found).bad() || found.size() >= room) return false;
    std::snprintf(text, room, "%s", found.c_str());
    return true;
} catch (...) {
    return false;
}

bool cdcmtk_number(cdcmtk_file *file, uint16_t group, uint16_t element, int64_t *number) try {
    const DcmTagKey key(group, element);
    Uint16 small = 0;
    Sint32 found = 0;
    if (file->part(group).findAndGetUint16(key, small).good())
        *number = small;
    else if (file->part(group).findAndGetSint32(key, found).good())
        *number = found;
    else
        return false;
    return true;
} catch (...) {
    return false;
}

bool cdcmtk_has(cdcmtk_file *file, uint16_t group, uint16_t element) try {
    return file->part(group).tagExists(DcmTagKey(group, element));
} catch (...) {
    return false;
}

const char *cdcmtk_name(const char *identifier) { return dcmFindNameOfUID(identifier, nullptr); }

/// The pieces of a picture that is compressed, or NULL.
static DcmPixelSequence *pieces(DcmDataset &dataset) {
    DcmElement *element = nullptr;
    DcmPixelSequence *sequence = nullptr;
    if (dataset.findAndGetElement(DCM_PixelData, element).bad()) return nullptr;
    auto *pixels = dynamic_cast<DcmPixelData *>(element);
    const E_TransferSyntax syntax = dataset.getOriginalXfer();
    if (!pixels || !DcmXfer(syntax).isEncapsulated()) return nullptr;
    return pixels->getEncapsulatedRepresentation(syntax, nullptr, sequence).good() ? sequence : nullptr;
}

void cdcmtk_pixels(cdcmtk_file *file, uint64_t *bytes, uint32_t *fragments) try {
    *bytes = *fragments = 0;
    DcmDataset &dataset = *file->file.getDataset();
    DcmElement *element = nullptr;
    if (DcmPixelSequence *sequence = pieces(dataset))
        *fragments = sequence->card() > 0 ? static_cast<uint32_t>(sequence->card() - 1) : 0;
    else if (dataset.findAndGetElement(DCM_PixelData, element).good())
        *bytes = element->getLength(dataset.getOriginalXfer());
} catch (...) {
}

const uint8_t *cdcmtk_profile(cdcmtk_file *file, size_t *count) try {
    DcmItem *place = file->file.getDataset(), *path = nullptr;
    // Slides of tissue have one for each way that light takes.
    if (!place->tagExists(DCM_ICCProfile) && place->findAndGetSequenceItem(DCM_OpticalPathSequence, path, 0).good()) place = path;
    const Uint8 *found = nullptr;
    unsigned long length = 0;
    if (place->findAndGetUint8Array(DCM_ICCProfile, found, &length).bad()) return nullptr;
    *count = length;
    return found;
} catch (...) {
    return nullptr;
}

/// Copies what newer kinds of files say of groups of frames to where DCMTK looks for it.
static void lift(DcmItem &dataset, DcmItem &group) {
    static const DcmTagKey sequences[] = {DCM_FrameVOILUTSequence, DCM_PixelValueTransformationSequence, DCM_PixelMeasuresSequence};
    static const DcmTagKey elements[] = {DCM_WindowCenter,     DCM_WindowWidth,  DCM_VOILUTFunction, DCM_VOILUTSequence,
                                         DCM_RescaleIntercept, DCM_RescaleSlope, DCM_PixelSpacing};
    for (const DcmTagKey &sequence : sequences) {
        DcmItem *item = nullptr;
        if (group.findAndGetSequenceItem(sequence, item, 0).bad()) continue;
        for (const DcmTagKey &element : elements) item->findAndInsertCopyOfElement(element, &dataset, OFTrue);
    }
}

/// Whether the segments of a piece in RLE lie in it, one behind the other (PS3.5, annex G.5).
static bool has_sound_segments(DcmPixelItem &piece) {
    const Uint32 length = piece.getLength(), head = 64;
    Uint8 *bytes = nullptr;
    if (length < head || piece.getUint8Array(bytes).bad() || !bytes) return false;
    auto number = [&](Uint32 index) {
        const Uint8 *at = bytes + 4 * index;
        return at[0] | at[1] << 8 | at[2] << 16 | static_cast<Uint32>(at[3]) << 24;
    };
    const Uint32 count = number(0);
    if (count < 1 || count > 15) return false;
    for (Uint32 index = 1, last = head; index <= count; last = number(index++))
        if (number(index) < last || number(index) > length) return false;
    return true;
}

/// Whether the frame segment of a JPEG picture (ITU-T T.81, B.2.2) says what the elements of the file say. DCMTK makes room by the
/// elements and decodes by the segment: of a smaller picture the rest of the room would stay as it was.
static bool has_told_shape(DcmDataset &dataset, const Uint8 *segment, size_t count) {
    if (count < 10) return false;
    Uint16 rows = 0, columns = 0, samples = 0, bits = 0;
    dataset.findAndGetUint16(DCM_Rows, rows);
    dataset.findAndGetUint16(DCM_Columns, columns);
    dataset.findAndGetUint16(DCM_SamplesPerPixel, samples);
    dataset.findAndGetUint16(DCM_BitsAllocated, bits);
    // Behind the marker and the length.
    const int precision = segment[4], height = segment[5] << 8 | segment[6], width = segment[7] << 8 | segment[8];
    return height == rows && width == columns && segment[9] == samples && (precision > 8) == (bits > 8);
}

/// Whether the first piece of a JPEG picture begins as one, up to the frame's own segment (ITU-T T.81, B.2.1), and that is sound.
static bool has_sound_markers(DcmDataset &dataset, DcmPixelItem &piece) {
    const size_t length = piece.getLength();
    Uint8 *bytes = nullptr;
    if (length < 2 || piece.getUint8Array(bytes).bad() || !bytes || bytes[0] != 0xFF || bytes[1] != 0xD8) return false;
    for (size_t at = 2; at + 4 <= length;) {
        const Uint8 marker = bytes[at + 1];
        const size_t size = static_cast<size_t>(bytes[at + 2]) << 8 | bytes[at + 3];
        if (bytes[at] != 0xFF) return false;
        if (marker == 0xFF) {
            at++;
            continue;
        }
        if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC)
            return has_told_shape(dataset, bytes + at, length - at);
        // Markers that stand alone, none of which is before the frame, have no size.
        if (marker <= 1 || (marker >= 0xD0 && marker <= 0xD9) || size < 2) return false;
        at += 2 + size;
    }
    // DCMTK looks for the segment in the first piece alone, too.
    return false;
}

/// Whether DCMTK can be given the pieces of a frame. Its decoder of RLE reads beyond them otherwise, that of JPEG looks for ever at
/// a marker that stands alone, and none of those that are empty.
static bool has_sound_pieces(DcmDataset &dataset, uint32_t number) {
    DcmPixelSequence *sequence = pieces(dataset);
    if (!sequence) return true;
    const E_TransferSyntax syntax = dataset.getOriginalXfer();
    const bool is_rle = syntax == EXS_RLELossless, is_jpeg = syntax >= EXS_JPEGProcess1 && syntax <= EXS_JPEGProcess14SV1;
    bool is_sound = true, is_first = true;
    for_each_piece(dataset, *sequence, number, [&](DcmPixelItem &piece) {
        is_sound = is_sound && piece.getLength() > 0 && (!is_rle || has_sound_segments(piece));
        is_sound = is_sound && (!is_jpeg || !is_first || has_sound_markers(dataset, piece));
        is_first = false;
        return EC_Normal;
    });
    return is_sound;
}

cdcmtk_frame *cdcmtk_frame_open(cdcmtk_file *file, uint32_t number, cdcmtk_failure *failure, char *reason, size_t room) {
    reason[0] = '\0';
    return attempt(failure, [&]() -> cdcmtk_frame * {
        DcmDataset &dataset = *file->file.getDataset();
        if (!has_sound_pieces(dataset, number)) return nullptr;
        DcmItem *group = nullptr;
        if (dataset.findAndGetSequenceItem(DCM_SharedFunctionalGroupsSequence, group, 0).good()) lift(dataset, *group);
        if (dataset.findAndGetSequenceItem(DCM_PerFrameFunctionalGroupsSequence, group, number).good()) lift(dataset, *group);
        auto frame = std::make_unique<cdcmtk_frame>();
        frame->is_padded = dataset.tagExists(DCM_PixelPaddingValue);
        frame->image = std::make_unique<DicomImage>(
            &dataset, dataset.getOriginalXfer(), CIF_UsePartialAccessToPixelData | CIF_NeverAccessEmbeddedOverlays, number, 1);
        const EI_Status status = frame->image->getStatus();
        if (status == EIS_Normal) return frame.release();
        std::snprintf(reason, room, "%s", DicomImage::getString(status));
        if (status == EIS_MemoryFailure) *failure = CDCMTK_NO_MEMORY;
        if (status == EIS_NotSupportedValue) *failure = CDCMTK_UNSUPPORTED;
        return nullptr;
    });
}

void cdcmtk_frame_free(cdcmtk_frame *frame) { delete frame; }
double cdcmtk_frame_ratio(const cdcmtk_frame *frame) { return frame->image->getWidthHeightRatio(); }
bool cdcmtk_frame_is_grey(const cdcmtk_frame *frame) { return frame->image->isMonochrome(); }

/// Sets the shades that the file asks for. Returns whether it asks for any.
static bool set_shades(DicomImage &image) {
    if (image.getVoiLutCount() > 0 && image.setVoiLut(0)) return true;
    return image.getWindowCount() > 0 && image.setWindow(0);
}

/// Shades of grey, or red, green and blue; NULL when there is no memory for them, or the picture has none.
static const uint8_t *samples(DicomImage &image, size_t count) {
    if (image.getOutputDataSize(8) < count) return nullptr;
    return static_cast<const uint8_t *>(image.getOutputData(8, 0, 0));
}

static bool is_flat(const uint8_t *samples, size_t count) { return count < 2 || std::memcmp(samples, samples + 1, count - 1) == 0; }

bool cdcmtk_frame_draw(
    cdcmtk_frame *frame, uint32_t width, uint32_t height, uint8_t *rows, size_t bytes_per_row, cdcmtk_failure *failure) {
    return attempt(failure, [&]() -> bool {
        DicomImage *image = frame->image.get();
        std::unique_ptr<DicomImage> scaled;
        if (width != image->getWidth() || height != image->getHeight()) {
            scaled.reset(image->createScaledImage(static_cast<unsigned long>(width), height, 1));
            if (!scaled || scaled->getStatus() != EIS_Normal) return false;
            image = scaled.get();
        }
        image->hideAllOverlays();
        const bool is_grey = image->isMonochrome();
        const size_t pixels = static_cast<size_t>(width) * height, count = pixels * (is_grey ? 1 : 3);
        const bool has_shades = is_grey && set_shades(*image);
        if (is_grey && !has_shades) image->setMinMaxWindow(frame->is_padded ? 1 : 0);
        const uint8_t *found = samples(*image, count);
        // A window beside all values, or nothing but padding, would show nothing.
        if (is_grey && found && is_flat(found, count) && image->setMinMaxWindow(0)) found = samples(*image, count);
        if (!found) return false;
        for (uint32_t y = 0; y < height; y++) {
            uint8_t *pixel = rows + y * bytes_per_row;
            for (uint32_t x = 0; x < width; x++, pixel += 4, found += is_grey ? 1 : 3) {
                pixel[0] = found[0], pixel[1] = found[is_grey ? 0 : 1], pixel[2] = found[is_grey ? 0 : 2], pixel[3] = 255;
            }
        }
        return true;
    });
}
