/// Finds Korean as Windows writes it (code page 949), which has all syllables. uchardet knows those of EUC-KR, and gives up where it
/// meets another one.
enum KoreanPairs {
    /// Whether bytes are such a text: pairs that all mean something, most of them syllables, and most of these common ones.
    /// - Parameters:
    ///   - text: what the table of code page 949 makes of them.
    ///   - bytes: the text as it is written.
    static func fit(_ text: String, _ bytes: [UInt8]) -> Bool {
        // The last letter may be cut.
        guard !text.unicodeScalars.dropLast().contains("\u{FFFD}") else { return false }
        var (pairs, others, common) = (0, 0, 0)
        var counts: [UInt16: Int] = [:]
        var first: UInt8?
        for byte in bytes {
            guard let lead = first else {
                if byte >= 0x80 { first = byte }
                continue
            }
            first = nil
            pairs += 1
            // Signs, letters of other scripts, and syllables in parts.
            if signs.contains(lead), byte >= euc {
                others += 1
                continue
            }
            if syllables.contains(lead), byte >= euc { common += 1 }
            counts[UInt16(lead) << 8 | UInt16(byte), default: 0] += 1
        }
        let letters = pairs - others
        // Lines of one sign over and over are drawn by programs of DOS.
        let mostOfOne = counts.values.max() ?? 0
        return letters > 0 && others <= letters && common * 2 >= letters && mostOfOne * 4 <= letters
    }

    /// The first of the bytes that EUC-KR has in both places.
    private static let euc: UInt8 = 0xA1

    /// First bytes of what EUC-KR has: signs, and the syllables that nearly all words consist of.
    private static let signs: ClosedRange<UInt8> = 0xA1...0xAF
    private static let syllables: ClosedRange<UInt8> = 0xB0...0xC8
}
