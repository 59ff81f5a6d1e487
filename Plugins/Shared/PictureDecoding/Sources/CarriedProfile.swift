internal import CPictureCodecs
internal import PictureTraits

/// The ICC profile that a picture carries, as its format wraps it; empty when there is none, or a damaged one.
enum CarriedProfile {
    /// Of a JPEG picture: parts of it in several segments, each with a number (ICC.1:2022, annex B.4).
    static func inJPEG(_ bytes: [UInt8]) -> [UInt8] {
        var parts: [UInt8: ArraySlice<UInt8>] = [:]
        for segment in JPEGSegments(bytes) where segment.marker == 0xE2 {
            let content = segment.content
            guard content.starts(with: "ICC_PROFILE\0".utf8), content.count > 14 else { continue }
            parts[content[content.startIndex + 12]] = content.dropFirst(14)
        }
        let profile = parts.sorted { $0.key < $1.key }.flatMap(\.value)
        return profile.count <= ColorProfile.longest ? profile : []
    }

    /// Of a PNG picture: packed, behind a name (PNG, Third Edition, 11.3.2.3).
    static func inPNG(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { file in
            guard let chunk = PNGChunks(file).beforePixels.first(where: { $0.name == "iCCP" }) else { return [] }
            let content = file[chunk.content]
            guard let end = content.prefix(80).firstIndex(of: 0), end + 2 < content.endIndex, content[end + 1] == 0
            else { return [] }
            return unpacked(Array(content[(end + 2)...]))
        }
    }

    /// Of a WebP picture.
    static func inWebP(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { WebPChunks.profile($0).map(Array.init) ?? [] }
    }

    /// What zlib packed (RFC 1950), in a buffer that grows with it up to the longest that is taken.
    private static func unpacked(_ packed: [UInt8]) -> [UInt8] {
        var room = 16 << 10
        while room <= ColorProfile.longest {
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
