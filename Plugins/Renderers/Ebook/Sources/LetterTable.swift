/// What the bytes of an encoding mean in which each letter has one: those that books have which are older than their readers'
/// habit of UTF-8, and that expat does not know.
struct LetterTable {
    /// The code point of each of the 256 bytes; -1 where there is none.
    let letters: [CInt]

    /// Looks one up.
    /// - Parameter name: as the declaration of the document has it; capitals are the same as small letters.
    init?(named name: String) {
        let name = name.lowercased()
        guard let upper = Self.upper[Self.others[name] ?? name] else { return nil }
        letters = (0..<128) + upper.unicodeScalars.map { $0 == "\u{FFFD}" ? -1 : CInt($0.value) }
    }

    private static let others = ["cp1251": "windows-1251", "cp1252": "windows-1252", "koi8r": "koi8-r"]

    /// The bytes from 0x80 on, as the WHATWG's Encoding Standard has them; U+FFFD for those that mean nothing.
    private static let upper = [
        "windows-1251": "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{FFFD}™љ›њќћџ\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї"
            + "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя",
        "windows-1252":
            "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿"
            + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
        "koi8-r": "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©"
            + "юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
    ]
}
