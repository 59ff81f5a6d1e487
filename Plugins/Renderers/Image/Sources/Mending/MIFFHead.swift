/// The head of ImageMagick's own pictures as older versions wrote it: lengths of profiles stand in it
/// (`profile-icm=3144`), which lie before the pixels. Newer versions take these for pixels.
enum MIFFHead {
    /// Bytes of a head, and of a file that is copied.
    private static let longestHead = 64 << 10, longest = 64 << 20

    /// The file without such profiles.
    /// - Returns: `nil` when it has none.
    static func withoutProfiles(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count <= longest,
            let end = bytes.prefix(longestHead).firstRange(of: [0x3A, 0x1A])?.upperBound
        else { return nil }
        var depth = 0
        var plain: [UInt8] = []
        for byte in bytes[..<end] {
            // Remarks and texts stand in braces.
            if byte == UInt8(ascii: "{") { depth += 1 }
            if depth == 0 { plain.append(byte) }
            if byte == UInt8(ascii: "}") { depth = max(0, depth - 1) }
        }
        let words = plain.split { $0 <= 0x20 }
        // A list of names would lie before the profiles.
        guard !words.contains(where: { $0.starts(with: "montage=".utf8) }) else { return nil }
        var length = 0
        for word in words where word.starts(with: "profile-".utf8) {
            guard let sign = word.lastIndex(of: UInt8(ascii: "=")),
                let number = Int(String(decoding: word[(sign + 1)...], as: UTF8.self)), 1...longest ~= number
            else { return nil }
            length += number
            guard length <= bytes.count - end else { return nil }
        }
        return length == 0 ? nil : Array(bytes[..<end]) + bytes[(end + length)...]
    }
}
