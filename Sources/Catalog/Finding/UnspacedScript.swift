/// Scripts that set no blanks between words, so that no index of words serves them.
enum UnspacedScript {
    /// Whether a character belongs to one: Chinese, Japanese, Korean (whose words take endings), Thai, Lao, Khmer and
    /// Burmese. By Unicode's blocks.
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x0E00: false
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7FF, 0xF900...0xFAFF, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Folded text in two parts: what an index of words is given, and the pieces of unspaced scripts.
    static func split(_ folded: [UInt8]) -> (words: String, pieces: [String]) {
        let text = String(decoding: folded, as: UTF8.self)
        // All of them take three bytes or more.
        guard folded.contains(where: { $0 >= 0xE0 }) else { return (text, []) }
        var words = String.UnicodeScalarView()
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        func end() {
            if !piece.isEmpty { pieces.append(String(piece)) }
            piece = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if contains(scalar) {
                if piece.isEmpty { words.append(" ") }
                piece.append(scalar)
            } else {
                end()
                words.append(scalar)
            }
        }
        end()
        return (String(words), pieces)
    }
}
