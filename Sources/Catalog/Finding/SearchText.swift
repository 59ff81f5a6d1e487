import CGIO
import Glibc

/// How names, texts and queries are compared: case, accents, the width of letters and invisible characters do not count.
///
/// Text is decomposed for compatibility, folded and composed again (Unicode's NFKC with case folding), without the
/// combining marks of U+0300 to U+036F: `Müller` is `muller`, `ﬁ` is `fi`, `ＡＢＣ` is `abc`. Marks that make another
/// letter stay: Cyrillic `й`, and those of Japanese, Korean and the scripts of India. Bytes that are no UTF-8 count as
/// U+FFFD each way.
enum SearchText {
    /// Bytes as they are compared, in UTF-8, without a NUL.
    static func folded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        bytes.withContiguousStorageIfAvailable { folded(inARow: $0) }
            ?? Array(bytes).withUnsafeBufferPointer { folded(inARow: $0) }
    }

    private static func folded(inARow bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        // Two passes that look at many bytes at once.
        guard bytes.reduce(0, |) < 0x80 else { return foldedUnicode(String(decoding: bytes, as: UTF8.self)) }
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
            for index in bytes.indices { out[index] = foldedASCII(bytes[index]) }
            count = bytes.count
        }
    }

    /// A character as it is compared.
    static func folded(_ character: Character) -> [UInt8] { folded(String(character).utf8) }

    /// Whether all words, which are folded, are in a text, which is not. For texts without accents nothing is allocated.
    static func contains(_ text: UnsafeRawBufferPointer, all words: [[UInt8]]) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { room in
            for (index, byte) in text.enumerated() {
                guard byte < 0x80 else {
                    let folded = folded(text)
                    return words.allSatisfy { contains(folded, $0) }
                }
                room.initializeElement(at: index, to: foldedASCII(byte))
            }
            return words.allSatisfy { offset(of: $0, in: UnsafeRawBufferPointer(room)) != nil }
        }
    }

    /// Whether one text is in another; both are folded.
    static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool { offset(of: word, in: text) != nil }

    /// Where a text begins in another, in bytes; both are folded.
    static func offset(of word: [UInt8], in text: [UInt8]) -> Int? {
        text.withUnsafeBytes { offset(of: word, in: $0) }
    }

    private static func offset(of word: [UInt8], in text: UnsafeRawBufferPointer) -> Int? {
        guard let first = word.first else { return 0 }
        guard let start = text.baseAddress else { return nil }
        var offset = 0
        while offset + word.count <= text.count {
            let rest = text.count - word.count - offset + 1
            guard let found = memchr(start + offset, CInt(first), rest) else { return nil }
            offset = UnsafeRawPointer(found) - start
            if memcmp(found, word, word.count) == 0 { return offset }
            offset += 1
        }
        return nil
    }

    private static func foldedASCII(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case 0: UInt8(ascii: " ")
        default: byte
        }
    }

    private static func foldedUnicode(_ text: String) -> [UInt8] {
        let text = text.utf8.contains(0) ? text.replacing("\0", with: " ") : text
        guard let decomposed = g_utf8_normalize(text, -1, G_NORMALIZE_ALL) else { return [] }
        defer { g_free(decomposed) }
        guard let cased = g_utf8_casefold(decomposed, -1) else { return [] }
        defer { g_free(cased) }
        var kept = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in String(cString: cased).unicodeScalars {
            defer { last = scalar }
            if isDropped(scalar, after: last) { continue }
            kept.append(scalar)
        }
        guard let composed = g_utf8_normalize(String(kept), -1, G_NORMALIZE_ALL_COMPOSE) else { return [] }
        defer { g_free(composed) }
        return Array(String(cString: composed).utf8)
    }

    private static func isDropped(_ scalar: Unicode.Scalar, after last: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0xAD: false
        case 0x300...0x36F: !(scalar.value == 0x306 && last.value == 0x438)
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
