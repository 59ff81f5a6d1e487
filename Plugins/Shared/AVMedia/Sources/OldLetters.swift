internal import MIME

/// Words in the encodings that Windows had in Russia and in Japan, in tags that do not say so, or call them Latin letters. Those of
/// China, Korea and Taiwan cannot be told from one another in as few letters as a title has.
enum OldLetters {
    /// Reads words that no language has which is written in Latin letters.
    /// - Parameter bytes: not in UTF-8.
    /// - Returns: `nil` for any others.
    static func text(_ bytes: [UInt8]) -> String? {
        let name = isCyrillic(bytes) ? "WINDOWS-1251" : isJapanese(bytes) ? "CP932" : nil
        guard let name else { return nil }
        let text = Charset.text(bytes, charset: name)
        return text.unicodeScalars.contains("\u{FFFD}") ? nil : text
    }

    /// The bytes of words that a library took for Latin letters, one byte for each.
    /// - Returns: `nil` for words that have others, and for those in ASCII.
    static func latinBytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes.contains { $0 >= 0x80 } ? bytes : nil
    }

    // MARK: Windows-1251

    /// Russian letters in both cases, and those of Ukraine and Belarus beside them.
    private static let capitals = Set<UInt8>(0xC0...0xDF).union([0xA1, 0xA5, 0xA8, 0xAA, 0xAF, 0xB2])
    private static let small = Set<UInt8>(0xE0...0xFF).union([0xA2, 0xB4, 0xB8, 0xBA, 0xBF, 0xB3])
    private static let vowels = Set<UInt8>(
        [0xC0, 0xC5, 0xC8, 0xCE, 0xD3, 0xDB, 0xDD, 0xDE, 0xDF].flatMap { [$0, $0 + 0x20] }
            + [0xA8, 0xB8, 0xAA, 0xBA, 0xAF, 0xBF, 0xB2, 0xB3])
    /// Quotation marks, dashes, the number sign and others that titles have between words.
    private static let signs = Set<UInt8>(
        [
            0x82, 0x84, 0x85, 0x8B, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9B, 0xA0, 0xA9, 0xAB, 0xAE, 0xB9,
            0xBB,
        ])

    /// Whether all words that are not in ASCII are in Cyrillic letters alone, with capitals where words have them, and as many
    /// vowels as they have. What is written in Latin letters has hardly any word of three letters none of which is in ASCII.
    private static func isCyrillic(_ bytes: [UInt8]) -> Bool {
        let words = bytes.split { $0 < 0x80 && !isLetter($0) || signs.contains($0) }
        let strange = words.filter { $0.contains { $0 >= 0x80 } }
        let letters = strange.joined()
        guard letters.allSatisfy({ capitals.contains($0) || small.contains($0) }), strange.allSatisfy(isSpelt) else {
            return false
        }
        let found = letters.count { vowels.contains($0) }
        // Of few letters more have to be vowels.
        let isSpoken =
            letters.count == 4 ? 2...3 ~= found : found * 5 >= letters.count && found * 4 <= letters.count * 3
        return letters.count >= 4 && strange.contains { $0.count >= 3 } && isSpoken
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

    /// Whether a word has capitals only, or none behind its first letter, and its short i only behind vowels: those of Greek, Hebrew
    /// and KOI8-R have that byte behind any letter.
    private static func isSpelt(_ word: ArraySlice<UInt8>) -> Bool {
        let isCased = word.allSatisfy(capitals.contains) || word.dropFirst().allSatisfy(small.contains)
        return isCased && zip(word, word.dropFirst()).allSatisfy { $1 | 0x20 != 0xE9 || vowels.contains($0) }
    }

    // MARK: Windows-31J

    /// Whether all of it can be letters of Japan, with syllables among them. Those begin with two bytes that mean a comma and a
    /// florin in Latin letters.
    private static func isJapanese(_ bytes: [UInt8]) -> Bool {
        var (rest, syllables, most) = (bytes[...], 0, 0)
        while let lead = rest.popFirst() {
            guard lead >= 0x80, !(0xA1...0xDF ~= lead) else {
                // A florin in front of a word in ASCII is no syllable, and two such words are none.
                if lead < 0x80 { syllables = 0 }
                continue
            }
            guard let trail = rest.popFirst(), trail >= 0x40, trail != 0x7F else { return false }
            switch lead {
            case 0x82 where 0x9F...0xF1 ~= trail, 0x83 where 0x40...0x96 ~= trail: syllables += 1
            default: break
            }
            most = max(most, syllables)
        }
        return most >= 2
    }
}
