#ifndef CDCMTK_FRAME_PIECES_HPP
#define CDCMTK_FRAME_PIECES_HPP

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dccodec.h>
#include <dcmtk/dcmdata/dcdeftag.h>
#include <dcmtk/dcmdata/dcitem.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>

/// Calls something with each piece of a picture that belongs to a frame, which is counted from 0, until it fails.
template <typename Body>
OFCondition for_each_piece(DcmItem &dataset, DcmPixelSequence &sequence, Uint32 frame, const Body &body) {
    Sint32 frames = 1;
    if (dataset.findAndGetSint32(DCM_NumberOfFrames, frames).bad() || frames < 1) frames = 1;
    Uint32 first = 0, end = static_cast<Uint32>(sequence.card());
    OFCondition result = DcmCodec::determineStartFragment(frame, frames, &sequence, first);
    if (result.good() && frame + 1 < static_cast<Uint32>(frames))
        result = DcmCodec::determineStartFragment(frame + 1, frames, &sequence, end);
    DcmPixelItem *item = nullptr;
    if (result.good() && first < end) result = sequence.getItem(item, first);
    // Each by its number would be looked for from the beginning.
    for (DcmObject *piece = item; result.good() && first < end && piece; first++, piece = sequence.nextInContainer(piece))
        result = body(static_cast<DcmPixelItem &>(*piece));
    return result;
}

#endif
