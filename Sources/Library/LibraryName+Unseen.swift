// Names that look the same are the same: what nobody sees has no place in them.
extension LibraryName {
    /// What is wrong with the first character of a name that nobody sees, or that looks like a blank and is none.
    ///
    /// Emoji need some of these characters, and so do scripts whose letters are joined: there they stay, where they
    /// change what is seen (for scripts after the rules A.1 and A.2 of RFC 5892).
    /// - Returns: the end of a sentence; `nil` for a name that is as it looks.
    static func faultOfUnseen(in name: String) -> String? {
        let scalars = Array(name.unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
            let isBlank = scalar.properties.isWhitespace && scalar != " " && scalar != Self.wideBlank
            if isBlank || scalar.value == 0x2800 { return "holds \(spelt(scalar)), which looks like a blank" }
            let isUnseen =
                scalar.properties.isDefaultIgnorableCodePoint || 0xFFF9...0xFFFB ~= scalar.value
            if isUnseen, !isNeeded(at: place, in: scalars) { return "holds \(spelt(scalar)), which nobody sees" }
        }
        return nil
    }

    /// Whether two names look the same: a letter with an accent can be written in two ways, and an emoji with or without
    /// the mark that it is one.
    static func isSame(_ one: String, _ other: String) -> Bool { unmarked(one) == unmarked(other) }

    /// What has a name, or else one that looks the same: there may be two of before that was refused.
    static func first<Named>(of all: [Named], called name: String, by key: (Named) -> String) -> Named? {
        all.first { key($0) == name } ?? all.first { isSame(key($0), name) }
    }

    private static func unmarked(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.value != markOfEmoji }))
    }

    /// The blank of Chinese and Japanese, which is seen to be wider.
    private static let wideBlank: Unicode.Scalar = "\u{3000}"
    /// Variation selector 16: what stands before it is drawn as an emoji.
    private static let markOfEmoji: UInt32 = 0xFE0F
    /// The keycap that a mark stands before in 1️⃣.
    private static let keycap: UInt32 = 0x20E3

    private static func spelt(_ scalar: Unicode.Scalar) -> String {
        let number = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number
        return scalar.properties.name.map { "\(code) (\($0))" } ?? code
    }

    private static func isNeeded(at place: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = place > 0 ? scalars[place - 1] : nil
        let after = place + 1 < scalars.count ? scalars[place + 1] : nil
        guard let before else { return false }
        switch scalars[place].value {
        case 0x200C:
            guard let after else { return false }
            return isVirama(before) || (joinsForward(before) && isArabic(after))
        case 0x200D:
            if isVirama(before) { return true }
            return (before.value == markOfEmoji || isEmoji(before)) && after.map(isEmoji) == true
        case markOfEmoji:
            return isEmoji(before) || (before.properties.isEmoji && after?.value == keycap)
        case 0xE0020...0xE007F: return isOfFlag(at: place, in: scalars)
        default: return false
        }
    }

    /// Whether it is a picture by itself; digits, which emoji are made of as well, are none.
    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isEmoji && scalar.value > 0x7F }

    private static func isVirama(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass == .virama
    }

    private static func isArabic(_ scalar: Unicode.Scalar) -> Bool {
        0x0620...0x06EF ~= scalar.value && scalar.properties.generalCategory == .otherLetter
    }

    /// Whether an Arabic letter is joined with the one behind it.
    private static func joinsForward(_ scalar: Unicode.Scalar) -> Bool {
        guard isArabic(scalar) else { return false }
        return switch scalar.value {
        case 0x0621...0x0625, 0x0627, 0x0629, 0x062F...0x0632, 0x0648, 0x0671...0x0677, 0x0688...0x0699, 0x06C0,
            0x06C3...0x06CB, 0x06CD, 0x06CF, 0x06D2...0x06D5, 0x06EE...0x06EF:
            false
        default: true
        }
    }

    /// Whether letters that nobody sees tell which part of a country a flag is of. There are three such flags.
    private static func isOfFlag(at place: Int, in scalars: [Unicode.Scalar]) -> Bool {
        func isTag(_ scalar: Unicode.Scalar) -> Bool { 0xE0020...0xE007F ~= scalar.value }
        guard let flag = scalars[..<place].lastIndex(where: { !isTag($0) }), scalars[flag].value == 0x1F3F4 else {
            return false
        }
        let tags = scalars[(flag + 1)...].prefix(while: isTag)
        let letters = tags.dropLast().compactMap { Unicode.Scalar($0.value - 0xE0000) }
        let region = String(String.UnicodeScalarView(letters))
        return tags.last?.value == 0xE007F && ["gbeng", "gbsct", "gbwls"].contains(region)
    }
}
