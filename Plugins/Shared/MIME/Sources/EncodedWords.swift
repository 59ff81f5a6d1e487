/// Words of fields in other scripts than ASCII: `=?utf-8?q?J=C3=B6rg?=` (RFC 2047).
public enum EncodedWords {
    /// More than any honest field has; what comes after is left out.
    private static let longest = 64 << 10

    /// Decodes the text of a field.
    public static func decode(_ field: some Collection<UInt8>) -> String {
        let bytes = Array(field.prefix(longest))
        var out = ""
        var plain: [UInt8] = []
        /// Words of one encoding in a row are decoded together: a letter may be cut between them.
        var pending: (charset: String, bytes: [UInt8])?
        func flushPlain() {
            if !plain.isEmpty { out += Charset.text(plain) }
            plain = []
        }
        func flushPending() {
            if let word = pending { out += Charset.text(word.bytes, charset: word.charset) }
            pending = nil
        }
        var at = 0
        while at < bytes.count {
            if bytes[at] == 0x3D, let word = word(bytes, at) {
                // Blanks between two words are not part of the text.
                if pending != nil { plain = [] }
                if pending?.charset != word.charset { flushPending() }
                flushPlain()
                if pending == nil { pending = (word.charset, []) }
                pending?.bytes += word.bytes
                at = word.end
            } else {
                plain.append(bytes[at])
                at += 1
                // While a word is pending, nothing but blanks came after it.
                if pending != nil, !bytes[at - 1].isSpace { flushPending() }
            }
        }
        flushPending()
        flushPlain()
        return out
    }

    /// The word that begins at an index.
    private static func word(_ bytes: [UInt8], _ start: Int) -> (charset: String, bytes: [UInt8], end: Int)? {
        // A word has at most 75 letters; longer ones are written all the same.
        let limit = min(bytes.count, start + 2000)
        guard start + 1 < limit, bytes[start + 1] == 0x3F else { return nil }
        var parts: [ArraySlice<UInt8>] = []
        var from = start + 2
        for at in from..<max(from, limit) where bytes[at] == 0x3F {
            parts.append(bytes[from..<at])
            from = at + 1
            if parts.count == 3 { break }
        }
        guard parts.count == 3, from < bytes.count, bytes[from] == 0x3D, parts[1].count == 1, let kind = parts[1].first,
            !parts[0].isEmpty, !parts[0].contains(where: \.isSpace)
        else { return nil }
        // A language may follow the encoding (RFC 2231, section 5).
        let charset = String(decoding: parts[0].prefix { $0 != 0x2A }, as: UTF8.self)
        switch kind.lowered {
        case UInt8(ascii: "b"): return (charset, TransferCoding.base64.decode(parts[2]), from + 1)
        case UInt8(ascii: "q"):
            // A blank is written as an underscore (section 4.2).
            let text = parts[2].map { $0 == 0x5F ? 0x20 : $0 }
            return (charset, text[...].unescaped(0x3D), from + 1)
        default: return nil
        }
    }
}
