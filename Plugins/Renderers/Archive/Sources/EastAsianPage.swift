/// The code pages of two bytes for a letter in which Windows writes names in Japan, in China and in Korea.
///
/// Names in pages of one byte may be sound ones in these, too. What tells them apart is what they would be: Japanese names are
/// made of kana and of the kanji of level 1 (JIS X 0208), Chinese ones of the hanzi of level 1 (GB 2312), one after the other, and
/// few of others, Korean ones of usual syllables; the bytes of these are frames and signs in pages 437 and 866, rather than letters of words.
enum EastAsianPage {
    /// Windows's Shift-JIS, what followed GBK, and what Windows made of EUC-KR.
    case japanese, chinese, korean

    /// The name that the C library has for it.
    var charset: String {
        switch self {
        case .japanese: "CP932"
        case .chinese: "GB18030"
        case .korean: "UHC"
        }
    }

    /// The page of names; `nil` when they are in none of these, or too few to tell.
    /// - Parameter names: those that are no UTF-8.
    init?(of names: some Sequence<[UInt8]>) {
        var chinese: Chinese? = Chinese()
        var japanese: Japanese? = Japanese()
        var korean: Korean? = Korean()
        for name in names {
            if chinese?.take(name) != true { chinese = nil }
            if japanese?.take(name) != true { japanese = nil }
            if korean?.take(name) != true { korean = nil }
            if chinese == nil, japanese == nil, korean == nil { return nil }
        }
        if korean?.isLikely == true {
            self = .korean
        } else if chinese?.isLikely == true {
            self = .chinese
        } else if japanese?.isLikely == true {
            self = .japanese
        } else {
            return nil
        }
    }

    /// Whether a byte begins a letter of two.
    func isLead(_ byte: UInt8) -> Bool {
        self == .japanese ? 0x81...0x9F ~= byte || 0xE0...0xFC ~= byte : 0x81...0xFE ~= byte
    }

    /// So many letters of a script for one that hardly stands in a name.
    static let most = 4

    /// Goes through the letters of two bytes of a name in Chinese or Korean, whose first byte is 0x81 to 0xFE.
    /// - Parameter isSound: whether these two bytes are a letter.
    /// - Returns: whether all of them are.
    static func areSound(in name: [UInt8], _ isSound: (_ lead: UInt8, _ trail: UInt8) -> Bool) -> Bool {
        var index = name.startIndex
        while index < name.endIndex {
            let lead = name[index]
            index += 1
            if lead < 0x80 { continue }
            guard 0x81...0xFE ~= lead, index < name.endIndex, isSound(lead, name[index]) else { return false }
            index += 1
        }
        return true
    }

    /// What names would be in Chinese.
    private struct Chinese {
        private var common = 0
        private var rare = 0
        private var wrong = 0
        /// Common ones whose first byte no syllable of Korean has.
        private var beyondHangul = 0
        /// So many letters are Korean, if each of them may be: two of five in Chinese may not.
        private static let manyHangul = 6

        /// - Returns: whether the name is sound.
        mutating func take(_ name: [UInt8]) -> Bool {
            EastAsianPage.areSound(in: name) { lead, trail in
                guard 0x40...0xFE ~= trail, trail != 0x7F else { return false }
                switch lead {
                case 0xB0...0xD7 where trail >= 0xA1:
                    common += 1
                    if lead >= 0xC9 { beyondHangul += 1 }
                case 0xD8...0xF7 where trail >= 0xA1: rare += 1
                // Signs and Latin letters as wide as hanzi.
                case 0xA1...0xA3 where trail >= 0xA1: break
                default: wrong += 1
                }
                return true
            }
        }

        var isLikely: Bool {
            common >= 2 && wrong * most <= common && rare <= common && (beyondHangul > 0 || common < Self.manyHangul)
        }
    }

    /// What names would be in Japanese.
    private struct Japanese {
        private var common = 0
        private var rare = 0
        private var wrong = 0
        /// What no name in page 437 has: signs, and vowels with an accent again and again.
        private var evidence = 0
        /// Second bytes that are no letters of page 866.
        private var foreign = 0
        /// Words that may be Cyrillic, less those that are not.
        private var cyrillic = 0

        /// - Returns: whether the name is sound.
        mutating func take(_ name: [UInt8]) -> Bool {
            var index = name.startIndex
            while index < name.endIndex {
                let start = index
                var letters: [Int] = []
                while index < name.endIndex, Self.isLead(name[index]) {
                    guard index + 1 < name.endIndex, Self.isTrail(name[index + 1]) else { return false }
                    letters.append(Int(name[index]) << 8 | Int(name[index + 1]))
                    index += 2
                }
                if letters.isEmpty {
                    let byte = name[index]
                    // Half as wide, which nobody writes any more.
                    if 0xA1...0xDF ~= byte { wrong += 1 } else if byte >= 0x80 { return false }
                    index += 1
                    continue
                }
                let isIsolated = letters.count == 1 && (Self.isLetter(name, start - 1) || Self.isLetter(name, index))
                judge(letters, isIsolated: isIsolated)
            }
            evidence += name.count { $0 >= 0xA6 && $0 != 0xE1 || 0x9B...0x9F ~= $0 }
            for word in name.split(whereSeparator: { !Self.isCyrillic($0) && !Self.isOther($0) }) {
                if word.allSatisfy(Self.isCyrillic), Self.hasCase(word) {
                    cyrillic += word.count > 2 ? 1 : 0
                } else if word.contains(where: { $0 >= 0x80 }) {
                    cyrillic -= 1
                }
            }
            return true
        }

        private mutating func judge(_ letters: [Int], isIsolated: Bool) {
            var kana = 0
            if !isIsolated { foreign += letters.count { !Self.isCyrillic(UInt8($0 & 0xFF)) } }
            for code in letters {
                switch code {
                case 0x829F...0x82F1, 0x8340...0x8396, 0x815B:
                    kana += 1
                    common += isIsolated ? 0 : 1
                case 0x889F...0x9872: common += isIsolated ? 0 : 1
                case 0x989F...0x9FFC, 0xE040...0xEAA4: rare += 1
                case 0x8140...0x81FC, 0x824F...0x829A: continue
                default: wrong += 1
                }
                if isIsolated { wrong += 1 }
            }
            if kana > 2 { evidence += kana }
        }

        var isLikely: Bool {
            common >= 2 && wrong * most <= common && rare <= common && evidence * most >= common
                && foreign * most >= common && cyrillic <= 0
        }

        private static func isLead(_ byte: UInt8) -> Bool { EastAsianPage.japanese.isLead(byte) }
        private static func isTrail(_ byte: UInt8) -> Bool { 0x40...0xFC ~= byte && byte != 0x7F }

        private static func isLetter(_ name: [UInt8], _ index: Int) -> Bool {
            name.indices.contains(index) && (0x41...0x5A ~= name[index] || 0x61...0x7A ~= name[index])
        }

        /// Letters of page 866.
        private static func isCyrillic(_ byte: UInt8) -> Bool { 0x80...0xAF ~= byte || 0xE0...0xF7 ~= byte }

        /// What is no letter there, but part of words in other pages, and Latin letters.
        private static func isOther(_ byte: UInt8) -> Bool {
            0xB0...0xDF ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
        }

        /// Whether no capital of page 866 stands behind a small letter.
        private static func hasCase(_ word: ArraySlice<UInt8>) -> Bool {
            let small = word.drop { 0x80...0x9F ~= $0 || 0xF0...0xF7 ~= $0 && $0 & 1 == 0 }
            return small.allSatisfy { $0 >= 0xA0 && !(0xF0...0xF7 ~= $0 && $0 & 1 == 0) }
        }
    }
}
