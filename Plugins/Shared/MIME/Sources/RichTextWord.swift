/// A control word or symbol of Rich Text Format, behind its backslash.
package struct RichTextWord {
    /// The letters of a word, or the one byte of a symbol.
    package private(set) var name: [UInt8] = []
    /// What stands behind the letters of a word.
    package private(set) var number: Int?

    /// - Parameter at: where it begins, and then where it ends.
    package init?(in text: UnsafeRawBufferPointer, _ at: inout Int) {
        guard at < text.count else { return nil }
        func letter() -> UInt8? {
            guard at < text.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[at] | 0x20 else { return nil }
            return text[at]
        }
        guard letter() != nil else {
            name = [text[at]]
            at += 1
            return
        }
        while let letter = letter(), name.count < 32 {
            name.append(letter)
            at += 1
        }
        var digits = ""
        if at < text.count, text[at] == UInt8(ascii: "-") {
            digits = "-"
            at += 1
        }
        while at < text.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[at], digits.utf8.count < 11 {
            digits.append(Character(UnicodeScalar(text[at])))
            at += 1
        }
        number = Int(digits)
        if at < text.count, text[at] == UInt8(ascii: " ") { at += 1 }
    }
}
