/// Names of files as people may see them.
public enum DisplayText {
    /// Makes bytes safe for a terminal or a log: what is not UTF-8 becomes U+FFFD, and control characters
    /// (also the Unicode ones that reorder text) become `\n`, `\t` or `\u{…}`.
    /// - Parameter bytes: a name or path.
    public static func of(_ bytes: some Collection<UInt8>) -> String {
        of(String(decoding: bytes, as: UTF8.self))
    }

    /// The same for text, such as a message that quotes a file.
    /// - Parameter text: any text.
    public static func of(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": out.append(contentsOf: "\\n".unicodeScalars)
            case "\t": out.append(contentsOf: "\\t".unicodeScalars)
            case "\r": out.append(contentsOf: "\\r".unicodeScalars)
            case _ where isHidden(scalar):
                out.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }

    /// Whether a byte of UTF-8 is part of no character that is hidden: those beyond ASCII begin with 0xC2, 0xD8 or 0xE2.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F && byte != 0xC2 && byte != 0xD8 && byte != 0xE2
    }

    /// Whether a character controls or reorders others rather than shows something.
    static func isHidden(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
