internal import VitrineKit

/// What a DICOM file says of its picture (DICOM PS3.3, C.7.6.3), checked before anything of it is decoded.
struct PictureShape {
    /// Of each frame.
    let size: PixelSize
    /// How many frames there are: as many as are told, and no more than there is room for.
    let frames: Int

    /// Bits of a frame that is not compressed; the next one follows without a gap.
    private let frameBits: Int
    private let pixels: (bytes: Int, pieces: Int)

    /// - Parameter maximumPixels: of a frame.
    /// - Throws: `corrupt`, `limitExceeded`, and `unsupported` for what is no picture.
    init(_ file: DICOMFile, maximumPixels: Int) throws(PluginError) {
        try file.refuseOther()
        guard let rows = file.number(.rows), let columns = file.number(.columns), rows > 0, columns > 0 else {
            throw Self.damaged("it does not say how large its picture is")
        }
        guard rows * columns <= maximumPixels, max(rows, columns) <= Bitmap.maximumSide else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(columns) × \(rows) pixels; at most \(maximumPixels) are decoded")
        }
        let samples = file.number(.samplesPerPixel) ?? 1, bits = file.number(.bitsAllocated) ?? 0
        guard 1...4 ~= samples, 1...64 ~= bits else {
            throw Self.damaged("it has \(samples) samples of \(bits) bits for a pixel")
        }
        size = PixelSize(width: columns, height: rows)
        // Every second sample of colour is left out in one way of writing.
        let isHalved = file.text(.photometricInterpretation)?.hasSuffix("_422") == true
        let samplesInAll = isHalved ? (rows * columns * 2) : rows * columns * samples
        frameBits = samplesInAll * bits
        pixels = file.pixels
        let told = max(1, file.number(.numberOfFrames) ?? 1)
        let room = pixels.pieces > 0 ? pixels.pieces : pixels.bytes * 8 / frameBits
        frames = min(told, max(1, room))
    }

    /// Refuses a frame whose pixels are not all there: DCMTK would make them black.
    /// - Throws: `corrupt`.
    func checkPixels(of frame: Int) throws(PluginError) {
        guard pixels.pieces > 0 || (frame + 1) * frameBits <= pixels.bytes * 8 else {
            throw Self.damaged("its picture is cut off")
        }
    }

    private static func damaged(_ what: String) -> PluginError {
        PluginError(.corrupt, "the DICOM file is damaged: \(what); fetch or export it again")
    }
}

extension DICOMFile.Element {
    fileprivate static let rows = Self(0x28, 0x10), columns = Self(0x28, 0x11)
    fileprivate static let samplesPerPixel = Self(0x28, 0x02), bitsAllocated = Self(0x28, 0x100)
    fileprivate static let photometricInterpretation = Self(0x28, 0x04), numberOfFrames = Self(0x28, 0x08)
}
