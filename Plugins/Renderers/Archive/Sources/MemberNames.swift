internal import MIME
internal import VitrineKit

/// Names of an archive's members as people may see them.
///
/// Zip files say of names in UTF-8 that they are, and all others are in IBM code page 437 (APPNOTE 6.3, appendix D). Windows
/// writes the page of its own language instead, without a word: where all of these names may be Japanese, Chinese or Korean and look
/// like it, see ``EastAsianPage``, or most of their words may be Cyrillic of page 866, it is that one. German, French and their
/// neighbours have their letters at the same places in 437 and in Windows's 850.
struct MemberNames {
    /// What bytes from 0x80 on mean; `nil` where nothing but UTF-8 is expected.
    private let table: [Unicode.Scalar]?
    /// The page of two bytes for a letter that they are in.
    private let page: EastAsianPage?

    /// Judges all names once: one program wrote them, and a short one alone does not tell.
    /// - Parameters:
    ///   - names: of all members, any bytes.
    ///   - isZip: whether they are from a zip file; what is no UTF-8 in others becomes U+FFFD.
    init(_ names: some Sequence<[UInt8]>, isZip: Bool) {
        table = isZip ? Self.areCyrillic(names) ? Self.cyrillic : Self.western : nil
        page = isZip ? EastAsianPage(of: names.lazy.filter { !Self.isUnicode($0) }) : nil
    }

    /// Loads the tables of pages, for who can open no files later on.
    static func warmUp() { Charset.warmUp() }

    /// The folders and the file of a member's path. Windows divides them by a backslash, which is no division where it is the second byte of
    /// a letter.
    func parts(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        let backslash = UInt8(ascii: "\\")
        var parts: [ArraySlice<UInt8>]
        if path.contains(UInt8(ascii: "/")) || !path.contains(backslash) {
            parts = path.split(separator: UInt8(ascii: "/"))
        } else {
            parts = []
            var (start, index) = (0, 0)
            let isPaged = page != nil && !Self.isUnicode(path)
            while index < path.count {
                if path[index] == backslash {
                    parts.append(path[start..<index])
                    start = index + 1
                } else if isPaged, page?.isLead(path[index]) == true {
                    index += 1
                }
                index += 1
            }
            parts.append(path[min(start, path.count)...])
        }
        return parts.filter { !$0.isEmpty && !$0.elementsEqual([UInt8(ascii: ".")]) }
    }

    /// - Parameter name: a member's name, or a part of it.
    func text(_ name: some Collection<UInt8>) -> String {
        guard let table, !Self.isUnicode(name) else { return DisplayText.of(name) }
        if let page { return DisplayText.of(Charset.text(name, charset: page.charset)) }
        let letters = name.map { $0 < 0x80 ? Unicode.Scalar($0) : table[Int($0) - 0x80] }
        return DisplayText.of(String(String.UnicodeScalarView(letters)))
    }

    private static func isUnicode(_ name: some Collection<UInt8>) -> Bool {
        name.allSatisfy { $0 < 0x80 } || String(validating: name, as: UTF8.self) != nil
    }

    /// Letters of a word by which it is known: other languages hardly have so many in a row beyond ASCII.
    private static let long = 3

    /// Whether more words are Cyrillic than are of Latin letters with some beyond ASCII.
    private static func areCyrillic(_ names: some Sequence<[UInt8]>) -> Bool {
        var votes = 0
        for name in names where !isUnicode(name) {
            // Letters of 866, of which those from 0xF0 on are of Ukrainian and its neighbours; signs are in no word.
            let isHigh = { (byte: UInt8) in 0x80...0xAF ~= byte || 0xE0...0xF7 ~= byte }
            let isLatin = { (byte: UInt8) in
                // Page 850 has letters where others have frames.
                0x41...0x5A ~= byte || 0x61...0x7A ~= byte || 0xB0...0xDF ~= byte
            }
            for word in name.split(whereSeparator: { !isHigh($0) && !isLatin($0) }) {
                let high = word.count(where: isHigh)
                if high == word.count, high >= long { votes += 1 }
                if word.contains(where: isLatin), word.contains(where: { $0 >= 0x80 }) { votes -= 1 }
            }
        }
        return votes > 0
    }

    /// The upper halves of IBM's code pages 437 and 866.
    private static let western = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»\(box)αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """.unicodeScalars)
    private static let cyrillic = Array(
        """
        АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп\(box)рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u{A0}
        """.unicodeScalars)
    /// What both have in their middle.
    private static let box = "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
}
