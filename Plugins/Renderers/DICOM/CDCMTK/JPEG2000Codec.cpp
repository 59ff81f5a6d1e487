#include "JPEG2000Codec.hpp"
#include "FramePieces.hpp"

#include <dcmtk/dcmdata/dcdeftag.h>
#include <dcmtk/dcmdata/dcitem.h>
#include <dcmtk/dcmdata/dcxfer.h>
#include <openjpeg-2.5/openjpeg.h>
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace {

struct Source {
    std::vector<Uint8> bytes;
    size_t at = 0;
};

OPJ_SIZE_T read(void *buffer, OPJ_SIZE_T wanted, void *data) {
    auto *source = static_cast<Source *>(data);
    const size_t count = std::min<size_t>(wanted, source->bytes.size() - source->at);
    if (count == 0) return static_cast<OPJ_SIZE_T>(-1);
    std::memcpy(buffer, source->bytes.data() + source->at, count);
    source->at += count;
    return count;
}

OPJ_OFF_T skip(OPJ_OFF_T wanted, void *data) {
    auto *source = static_cast<Source *>(data);
    const auto rest = static_cast<OPJ_OFF_T>(source->bytes.size() - source->at);
    if (wanted < 0 || rest == 0) return -1;
    const OPJ_OFF_T count = std::min(wanted, rest);
    source->at += static_cast<size_t>(count);
    return count;
}

OPJ_BOOL seek(OPJ_OFF_T to, void *data) {
    auto *source = static_cast<Source *>(data);
    if (to < 0 || static_cast<size_t>(to) > source->bytes.size()) return OPJ_FALSE;
    source->at = static_cast<size_t>(to);
    return OPJ_TRUE;
}

template <auto function>
struct Free {
    template <typename T>
    void operator()(T *object) const { function(object); }
};
using Stream = std::unique_ptr<opj_stream_t, Free<opj_stream_destroy>>;
using Decoder = std::unique_ptr<opj_codec_t, Free<opj_destroy_codec>>;
using Image = std::unique_ptr<opj_image_t, Free<opj_image_destroy>>;

/// What the elements of the file say of each frame.
struct Shape {
    Uint16 rows = 0, columns = 0, samples = 1, bits = 0, planar = 0;

    explicit Shape(DcmItem &dataset) {
        dataset.findAndGetUint16(DCM_Rows, rows);
        dataset.findAndGetUint16(DCM_Columns, columns);
        dataset.findAndGetUint16(DCM_SamplesPerPixel, samples);
        dataset.findAndGetUint16(DCM_BitsAllocated, bits);
        dataset.findAndGetUint16(DCM_PlanarConfiguration, planar);
    }

    /// Bytes of a sample; 0 where no sample is made of whole bytes.
    size_t width() const { return bits == 8 || bits == 16 || bits == 32 ? bits / 8 : 0; }
    size_t pixels() const { return static_cast<size_t>(rows) * columns; }

    /// Whether a picture has as many pixels and colours as it should, before they are decoded.
    bool fits(const opj_image_t &image) const {
        if (image.numcomps != samples || image.x1 <= image.x0 || image.y1 <= image.y0) return false;
        if (image.x1 - image.x0 != columns || image.y1 - image.y0 != rows) return false;
        return std::all_of(image.comps, image.comps + image.numcomps, [&](const opj_image_comp_t &one) {
            return one.dx == 1 && one.dy == 1 && one.prec <= bits;
        });
    }
};

/// Appends what a piece holds.
OFCondition append(DcmPixelItem &piece, std::vector<Uint8> &bytes) {
    Uint8 *found = nullptr;
    const OFCondition result = piece.getUint8Array(found);
    if (result.good() && found) bytes.insert(bytes.end(), found, found + piece.getLength());
    return result;
}

/// Writes samples as they are in files that are not compressed.
template <typename Sample>
void write(const opj_image_t &image, const Shape &shape, Sample *target) {
    const size_t step = shape.planar ? 1 : shape.samples, plane = shape.planar ? shape.pixels() : 1;
    for (size_t sample = 0; sample < shape.samples; sample++) {
        const OPJ_INT32 *source = image.comps[sample].data;
        Sample *place = target + sample * plane;
        for (size_t index = 0; index < shape.pixels(); index++, place += step) *place = static_cast<Sample>(source[index]);
    }
}

OFCondition decode(Source &source, const Shape &shape, void *buffer) {
    static const Uint8 boxes[] = {0, 0, 0, 12, 'j', 'P', ' ', ' '};
    const bool has_boxes = source.bytes.size() >= sizeof boxes && std::memcmp(source.bytes.data(), boxes, sizeof boxes) == 0;
    Stream stream(opj_stream_default_create(OPJ_TRUE));
    Decoder decoder(opj_create_decompress(has_boxes ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K));
    if (!stream || !decoder) return EC_MemoryExhausted;
    opj_stream_set_user_data(stream.get(), &source, nullptr);
    opj_stream_set_user_data_length(stream.get(), source.bytes.size());
    opj_stream_set_read_function(stream.get(), read);
    opj_stream_set_skip_function(stream.get(), skip);
    opj_stream_set_seek_function(stream.get(), seek);
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    // Palettes of the boxes are none of DICOM, and would make other components than the header says.
    parameters.flags |= OPJ_DPARAMETERS_IGNORE_PCLR_CMAP_CDEF_FLAG;
    if (!opj_setup_decoder(decoder.get(), &parameters)) return EC_CorruptedData;
    opj_image_t *header = nullptr;
    const bool is_read = opj_read_header(stream.get(), decoder.get(), &header);
    const Image image(header);
    if (!is_read || !image || !shape.fits(*image)) return EC_CorruptedData;
    if (!opj_decode(decoder.get(), stream.get(), image.get())) return EC_CorruptedData;
    if (image->numcomps != shape.samples) return EC_CorruptedData;
    for (OPJ_UINT32 index = 0; index < image->numcomps; index++) {
        const opj_image_comp_t &one = image->comps[index];
        if (!one.data || one.w != shape.columns || one.h != shape.rows) return EC_CorruptedData;
    }
    switch (shape.width()) {
        case 1: write(*image, shape, static_cast<Uint8 *>(buffer)); break;
        case 2: write(*image, shape, static_cast<Uint16 *>(buffer)); break;
        default: write(*image, shape, static_cast<Uint32 *>(buffer));
    }
    return EC_Normal;
}

}  // namespace

OFCondition JPEG2000Codec::decodeFrame(
    const DcmRepresentationParameter *, DcmPixelSequence *sequence, const DcmCodecParameter *, DcmItem *dataset, Uint32 frame,
    Uint32 &, void *buffer, Uint32 room, OFString &colours) const {
    if (!sequence || !dataset || !buffer) return EC_IllegalCall;
    const Shape shape(*dataset);
    if (shape.width() == 0 || shape.samples == 0 || shape.samples > 4) return EC_UnsupportedEncoding;
    if (shape.pixels() * shape.samples * shape.width() > room) return EC_IllegalCall;
    Source source;
    OFCondition result =
        for_each_piece(*dataset, *sequence, frame, [&](DcmPixelItem &piece) { return append(piece, source.bytes); });
    if (result.good()) result = ::decode(source, shape, buffer);
    return result.good() ? determineDecompressedColorModel(nullptr, sequence, nullptr, dataset, colours) : result;
}

OFCondition JPEG2000Codec::determineDecompressedColorModel(
    const DcmRepresentationParameter *, DcmPixelSequence *, const DcmCodecParameter *, DcmItem *dataset, OFString &colours) const {
    const OFCondition result = dataset->findAndGetOFString(DCM_PhotometricInterpretation, colours);
    // What the format itself turned colours into, OpenJPEG turns back.
    if (colours == "YBR_RCT" || colours == "YBR_ICT") colours = "RGB";
    return result;
}

OFBool JPEG2000Codec::canChangeCoding(E_TransferSyntax from, E_TransferSyntax to) const {
    const DcmXfer target(to);
    const bool is_known = from == EXS_JPEG2000LosslessOnly || from == EXS_JPEG2000
        || from == EXS_JPEG2000MulticomponentLosslessOnly || from == EXS_JPEG2000Multicomponent;
    return is_known && target.isNotEncapsulated();
}

namespace {
class NoParameter final : public DcmCodecParameter {
public:
    DcmCodecParameter *clone() const override { return new NoParameter(); }
    const char *className() const override { return "NoParameter"; }
};
}  // namespace

void JPEG2000Codec::register_once() {
    static const JPEG2000Codec codec;
    static const NoParameter parameter;
    DcmCodecList::registerCodec(&codec, nullptr, &parameter);
}
