/// Tells a document that has no pages, which PDFium refuses as if it were damaged.
enum PagelessDocument {
    /// Files without a page are small.
    private static let sizeLimit = 64 << 10

    /// Whether a file says itself that it has no pages: a tree of pages that counts none (ISO 32000-1, 7.7.3.2), and no
    /// page anywhere.
    /// - Parameter bytes: the file. Of one whose objects are compressed nothing is found.
    static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= sizeLimit, bytes.starts(with: Array("%PDF-".utf8)) else { return false }
        return follows("/Count", in: bytes) { value in
            value.first == UInt8(ascii: "0") && !(value.dropFirst().first.map(isDigit) ?? false)
        } && !follows("/Type", in: bytes) { $0.starts(with: Array("/Page".utf8)) && $0.dropFirst(5).first != 0x73 }
    }

    /// Whether a key stands somewhere with a value that begins as wanted.
    private static func follows(
        _ key: String, in bytes: UnsafeRawBufferPointer, _ isWanted: (Slice<UnsafeRawBufferPointer>) -> Bool
    ) -> Bool {
        let key = Array(key.utf8)
        for start in bytes.indices.dropLast(key.count)
        where bytes[start] == key[0] && bytes[start...].starts(with: key) {
            if isWanted(bytes[(start + key.count)...].drop { $0 == 0x20 || 0x09...0x0D ~= $0 }) { return true }
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
