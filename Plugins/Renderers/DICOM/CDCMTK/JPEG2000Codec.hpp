#ifndef CDCMTK_JPEG_2000_CODEC_HPP
#define CDCMTK_JPEG_2000_CODEC_HPP

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dccodec.h>
#include <dcmtk/dcmdata/dcerror.h>

/// The codec that DCMTK lacks: frames of JPEG 2000, decoded by OpenJPEG. It decodes one frame at a time, and compresses nothing.
class JPEG2000Codec final : public DcmCodec {
public:
    /// Makes it known to DCMTK, once in a process.
    static void register_once();

    OFCondition decodeFrame(
        const DcmRepresentationParameter *, DcmPixelSequence *sequence, const DcmCodecParameter *, DcmItem *dataset, Uint32 frame,
        Uint32 &fragment, void *buffer, Uint32 room, OFString &colours) const override;

    OFCondition determineDecompressedColorModel(
        const DcmRepresentationParameter *, DcmPixelSequence *, const DcmCodecParameter *, DcmItem *dataset,
        OFString &colours) const override;

    OFBool canChangeCoding(E_TransferSyntax from, E_TransferSyntax to) const override;

    OFCondition decode(
        const DcmRepresentationParameter *, DcmPixelSequence *, DcmPolymorphOBOW &, const DcmCodecParameter *, const DcmStack &,
        OFBool &) const override {
        return EC_IllegalCall;
    }

    OFCondition encode(
        const Uint16 *, Uint32, const DcmRepresentationParameter *, DcmPixelSequence *&, const DcmCodecParameter *, DcmStack &,
        OFBool &) const override {
        return EC_IllegalCall;
    }

    OFCondition encode(
        E_TransferSyntax, const DcmRepresentationParameter *, DcmPixelSequence *, const DcmRepresentationParameter *,
        DcmPixelSequence *&, const DcmCodecParameter *, DcmStack &, OFBool &) const override {
        return EC_IllegalCall;
    }
};

#endif
