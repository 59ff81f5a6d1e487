/// Counts letters of scripts that run from right to left: Hebrew, Arabic, Syriac, Thaana and such (Unicode, blocks 0590 to 08FF and
/// their presentation forms).
struct WritingDirection {
    private var (rightToLeft, leftToRight) = (0, 0)

    /// Whether most letters run from right to left.
    var isRightToLeft: Bool { rightToLeft > leftToRight }

    /// Counts the letter that begins at a place of a text in UTF-8.
    mutating func count(_ text: [UInt8], at place: Int) {
        let byte = text[place]
        let next = place + 1 < text.count ? text[place + 1] : 0
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0xC3...0xD5: leftToRight += 1
        case 0xD6 where next < 0x90: leftToRight += 1
        case 0xD6...0xDF: rightToLeft += 1
        case 0xE0 where 0xA0...0xA3 ~= next: rightToLeft += 1
        case 0xEF where 0xAC...0xB7 ~= next || 0xB9...0xBB ~= next: rightToLeft += 1
        // What lies between are marks and signs.
        case 0xE2, 0xEF: break
        case 0xE0...0xF4: leftToRight += 1
        default: break
        }
    }

    /// Counts a letter.
    mutating func count(_ letter: Unicode.Scalar) {
        switch Self.runs(letter) {
        case .rightToLeft: rightToLeft += 1
        case .leftToRight: leftToRight += 1
        case nil: break
        }
    }

    /// How a letter runs.
    enum Run { case leftToRight, rightToLeft }

    /// How a text runs: as its first letter does (Unicode Standard Annex 9, 3.3.1).
    /// - Returns: `nil` for digits and signs.
    static func runs(_ text: String) -> Run? {
        for scalar in text.unicodeScalars { if let run = runs(scalar) { return run } }
        return nil
    }

    private static func runs(_ scalar: Unicode.Scalar) -> Run? {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A: .leftToRight
        case 0..<0xAA, 0x0660...0x066C, 0x06F0...0x06F9: nil
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: .rightToLeft
        default: scalar.properties.isAlphabetic ? .leftToRight : nil
        }
    }
}
