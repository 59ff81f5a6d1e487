internal import CAV
package import VitrineKit

extension Container {
    /// Whether the file brings a picture that can be taken for its cover.
    package var hasCover: Bool { videoStreams.contains(where: \.isUsableCover) }

    /// The cover that the file brings.
    /// - Parameters:
    ///   - box: the longest side wanted, in pixels; a cover is never enlarged.
    ///   - maximumPixels: the most pixels that a cover may have.
    ///   - takes: whether one of this size will do. Default: any.
    /// - Returns: `nil` when there is none that can be shown: the sound itself is the picture then.
    /// - Throws: what the input throws.
    package func cover(
        box: Int, maximumPixels: Int, where takes: (PixelSize) -> Bool = { _ in true }
    ) throws(PluginError) -> Bitmap? {
        // The front before the back, the artist or the disc; then as the file has them.
        let covers = videoStreams.filter(\.isUsableCover)
        for cover in covers.filter(\.isFront) + covers.filter({ !$0.isFront }) {
            do throws(PluginError) {
                return try cover.picture(box: box, maximumPixels: maximumPixels, takes)
            } catch {
                if let inputFailure { throw inputFailure }
            }
        }
        return nil
    }
}

extension VideoStream {
    /// Formats in which covers come. Each is a picture by itself; no others are decoded.
    private static let coverFormats = [
        AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_BMP, AV_CODEC_ID_GIF, AV_CODEC_ID_WEBP,
    ]

    /// The smallest longer side, in pixels, with which a picture shows anything.
    private static let smallestCover = 32

    fileprivate var isUsableCover: Bool {
        coverPacket != nil && Self.coverFormats.contains { $0 == parameters.codec_id }
    }

    /// Whether the file says that it is the front. ID3, FLAC and Ogg number the kinds alike; libav names them.
    fileprivate var isFront: Bool {
        guard let kind = av_dict_get(pointer.pointee.metadata, "comment", nil, 0) else { return false }
        return av_strcasecmp(kind.pointee.value, "Cover (front)") == 0
    }

    fileprivate func picture(
        box: Int, maximumPixels: Int, _ takes: (PixelSize) -> Bool
    ) throws(PluginError) -> Bitmap {
        let decoder = try FrameDecoder(self, maximumPixels: maximumPixels)
        decoder.decode(coverPacket)
        if !decoder.hasFrame { decoder.decode(nil) }
        guard let frame = decoder.frame else { throw PluginError(.corrupt, "the cover cannot be decoded") }
        let geometry = try FrameGeometry(frame, of: self, box: box)
        guard max(geometry.size.width, geometry.size.height) >= Self.smallestCover else {
            throw PluginError(.unsupported, "the cover is too small to show anything")
        }
        guard takes(geometry.size) else { throw PluginError(.unsupported, "the cover is not as it was asked for") }
        return try geometry.orientation.applied(to: FrameScaler.scale(frame, to: geometry.target))
    }
}
