internal import CPictureCodecs

/// The ICC profile that a picture carries, as its format wraps it; empty when there is none, or a damaged one.
enum CarriedProfile {
    /// Bytes of a profile at most; those of printers have up to about 3 MB.
    private static let limit = 4 << 20

    /// Of a JPEG picture: parts of it in several segments, each with a number (ICC.1:2022, annex B.4).
    static func inJPEG(_ bytes: [UInt8]) -> [UInt8] {
        var parts: [UInt8: ArraySlice<UInt8>] = [:]
        for segment in JPEGSegments(bytes) where segment.marker == 0xE2 {
            let content = segment.content
            guard content.starts(with: "ICC_PROFILE\0".utf8), content.count > 14 else { continue }
            parts[content[content.startIndex + 12]] = content.dropFirst(14)
        }
        let profile = parts.sorted { $0.key < $1.key }.flatMap(\.value)
        return profile.count <= limit ? profile : []
    }

    /// Of a PNG picture: packed, behind a name (PNG, Third Edition, 11.3.2.3).
    static func inPNG(_ bytes: [UInt8]) -> [UInt8] {
        for chunk in PNGChunks(bytes) where chunk.name.elementsEqual("iCCP".utf8) {
            let content = chunk.content
            guard let end = content.prefix(80).firstIndex(of: 0), end + 2 < content.endIndex, content[end + 1] == 0
            else { return [] }
            return unpacked(Array(content[(end + 2)...]))
        }
        return []
    }

    /// Of a WebP picture: a chunk before the picture's own (RFC 9649, 2.7.1.4).
    static func inWebP(_ bytes: [UInt8]) -> [UInt8] {
        var at = 12
        while at + 8 <= bytes.count {
            let length = bytes[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - at - 8 else { return [] }
            if bytes[at..<at + 4].elementsEqual("ICCP".utf8) {
                return length <= limit ? Array(bytes[at + 8..<at + 8 + length]) : []
            }
            at += 8 + length + length % 2
        }
        return []
    }

    /// What zlib packed (RFC 1950), in a buffer that grows with it up to the limit.
    private static func unpacked(_ packed: [UInt8]) -> [UInt8] {
        var room = 16 << 10
        while room <= limit {
            var count = uLongf(room)
            var status = Z_OK
            let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                status = uncompress(buffer.baseAddress, &count, packed, uLong(packed.count))
                filled = status == Z_OK ? Int(count) : 0
            }
            if status != Z_BUF_ERROR { return bytes }
            room *= 4
        }
        return []
    }
}
