/// Bytes that the grammars of mail speak of.
extension UInt8 {
    /// A blank or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
    /// A blank, a tab or an end of a line.
    var isSpace: Bool { isBlank || self == 0x0A || self == 0x0D }
    /// In lower case, if it is a letter of ASCII.
    var lowered: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
    /// What it means as a hexadecimal digit.
    var hexadecimal: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}

extension RandomAccessCollection<UInt8> where SubSequence: RandomAccessCollection {
    /// Without blanks and ends of lines on both sides.
    var withoutSpace: [UInt8] {
        let begin = drop { $0.isSpace }
        guard let last = begin.lastIndex(where: { !$0.isSpace }) else { return [] }
        return Array(begin[...last])
    }
    /// As text in lower case.
    var lowercase: String { String(decoding: map(\.lowered), as: UTF8.self) }
}

extension ArraySlice<UInt8> {
    /// With the bytes for which `%XX` stands (RFC 3986, 2.1); a `%` without two digits behind it is itself.
    package var withoutPercents: [UInt8] { unescaped(UInt8(ascii: "%")) }

    /// With the bytes for which two hexadecimal digits behind a mark stand; a mark without them is itself.
    func unescaped(_ mark: UInt8) -> [UInt8] {
        var out: [UInt8] = []
        var rest = self
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(\.hexadecimal)
            if byte == mark, digits.count == 2 {
                out.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                out.append(byte)
            }
        }
        return out
    }
}
