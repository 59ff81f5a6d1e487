/// What bytes are when they are taken for units of UTF-16: letters of few scripts, or of anything.
struct WideUnits {
    private var count = 0
    private var ascii = 0
    /// Letters and signs of Chinese and Japanese, and syllables of Korean.
    private var eastern = 0
    private var korean = 0
    /// Of scripts with an alphabet, the upper halves of which no text in 8 bits is full of: control characters other than tabs and
    /// ends of lines. Latin, Greek, Cyrillic, Hebrew and Arabic; Thai; Georgian.
    private var alphabetic = 0
    /// Dashes and quotes of all scripts, and Latin letters.
    private var shared = 0
    private var isImpossible = false
    private var highBytes = 0

    /// Takes the bytes for units; one byte that is left over is left out.
    init(_ bytes: ArraySlice<UInt8>, littleEndian: Bool) {
        for start in stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2) {
            let (one, other) = (UInt16(bytes[start]), UInt16(bytes[start + 1]))
            take(littleEndian ? other << 8 | one : one << 8 | other)
        }
        highBytes = bytes.count { $0 >= 0x80 }
    }

    private mutating func take(_ unit: UInt16) {
        count += 1
        switch unit {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20...0x7E: ascii += 1
        case 0..<0xA0, 0xFFFE...0xFFFF, 0xE000..<0xF900: isImpossible = true
        case 0xA0...0xFF, 0x1E00..<0x2000, 0x2010...0x203A: shared += 1
        case 0x3000...0x30FF, 0x4E00...0x9FFF, 0xFF00...0xFFEF: eastern += 1
        case 0xAC00...0xD7A3: korean += 1
        case 0x100..<0x700, 0xE00..<0xF00, 0x1000..<0x1100: alphabetic += 1
        default: break
        }
    }

    /// Whether they are a text: of scripts with an alphabet, or of East Asian ones, with few other letters.
    var areText: Bool {
        guard !isImpossible else { return false }
        let usual = ascii + shared
        if alphabetic * 10 >= count * 3 { return (alphabetic + usual) * 10 >= count * 9 }
        // An end of a line or a digit tells the halves from letters in an encoding of one or two bytes, which have no zeros. Of
        // text in ASCII no byte is high.
        guard ascii > 0, highBytes * 10 >= count else { return false }
        // Korean has blanks between its words, and the commonest letters of Chinese in GB 2312 look like its syllables.
        if korean * 2 > eastern { return ascii * 20 >= count && (korean + eastern + usual) * 10 >= count * 9 }
        return (eastern + usual) * 10 >= count * 9 && eastern * 2 > usual
    }
}
