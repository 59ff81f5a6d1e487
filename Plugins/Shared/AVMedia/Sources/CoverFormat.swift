internal import CAV

/// What a cover is by its first bytes.
enum CoverFormat {
    /// How pictures in some formats begin; `nil` stands for any byte. BMP has four bytes of zeros there, and WebP its length.
    private static let beginnings: [(bytes: [UInt8?], codec: AVCodecID)] = [
        ([0xFF, 0xD8, 0xFF], AV_CODEC_ID_MJPEG), ([0x89] + letters("PNG\r\n"), AV_CODEC_ID_PNG),
        (letters("GIF8"), AV_CODEC_ID_GIF),
        (letters("RIFF") + [nil, nil, nil, nil] + letters("WEBPVP8"), AV_CODEC_ID_WEBP),
        (letters("BM") + [nil, nil, nil, nil, 0, 0, 0, 0], AV_CODEC_ID_BMP),
    ]

    /// Bytes in which a picture begins where others stand before it: what a tag says of it.
    private static let reach = 1024
    /// Bytes in which ``picture(in:)`` finds the beginning of a picture, if there is one.
    static let head = reach + 16

    /// The codec of a picture.
    /// - Returns: `nil` where its first bytes leave a doubt.
    static func codec(of picture: some Collection<UInt8>) -> AVCodecID? {
        beginnings.first { beginning in
            let start = picture.prefix(beginning.bytes.count)
            return start.count == beginning.bytes.count
                && zip(start, beginning.bytes).allSatisfy { $1 == nil || $0 == $1 }
        }?.codec
    }

    /// The picture behind what a tag says of it: its kind, its name and its size.
    /// - Parameter content: of a part of a tag, up to the end of the picture.
    /// - Returns: `nil` where none begins soon.
    static func picture(in content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for start in content.indices.prefix(reach) where codec(of: content[start...]) != nil {
            return content[start...]
        }
        return nil
    }

    private static func letters(_ text: String) -> [UInt8?] { text.utf8.map { $0 } }
}
