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
        // The front before the back, the artist or the disc, and these before pictures of chapters; then as the file has them.
        let covers = videoStreams.filter(\.isUsableCover)
        let others = covers.filter { !$0.isFront }
        for cover in covers.filter(\.isFront) + others.filter({ !$0.isOfChapter }) + others.filter(\.isOfChapter) {
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

    /// What the cover is by its first bytes, else as the file says. Writers of tags take PNG for JPEG, JPEG for PNG, and what
    /// comes from the web, whatever it is, for what its name ends in.
    private var coverFormat: AVCodecID? {
        guard let packet = coverPacket?.pointee, let data = packet.data else { return nil }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.size))
        return CoverFormat.codec(of: bytes) ?? parameters.codec_id
    }

    fileprivate var isUsableCover: Bool { Self.coverFormats.contains { $0 == coverFormat } }

    /// Whether the file says that it is the front. ID3, FLAC, Ogg and ASF number the kinds alike, and libav names them; APE has
    /// names of its own (APEv2, "APE key"), and Matroska those of files (RFC 9559, "Cover Art").
    fileprivate var isFront: Bool {
        func says(_ name: String, _ value: String) -> Bool {
            guard let entry = av_dict_get(pointer.pointee.metadata, name, nil, 0) else { return false }
            return String(cString: entry.pointee.value).lowercased().hasPrefix(value)
        }
        return says("comment", "cover (front)") || says("Cover Art (Front)", "") || says("filename", "cover.")
    }

    /// Whether it is the first of several pictures, each of which belongs to a part of the sound.
    fileprivate var isOfChapter: Bool { pointer.pointee.disposition & AV_DISPOSITION_TIMED_THUMBNAILS != 0 }

    fileprivate func picture(
        box: Int, maximumPixels: Int, _ takes: (PixelSize) -> Bool
    ) throws(PluginError) -> Bitmap {
        if let coverFormat { pointer.pointee.codecpar.pointee.codec_id = coverFormat }
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
