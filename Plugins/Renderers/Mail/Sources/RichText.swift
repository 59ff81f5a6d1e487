internal import MIME
internal import VitrineKit

/// The words of a text in Rich Text Format (Microsoft's specification 1.9.1): no more than is needed to see what a mail is about.
struct RichText {
    /// Groups that hold no words.
    private static let hidden: Set = [
        "*", "colortbl", "filetbl", "fonttbl", "footer", "header", "info", "object", "pict", "stylesheet",
    ]
    /// Words that stand for a letter.
    private static let letters = [
        "par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "cell": " ", "tab": " ", "~": "\u{A0}",
        "_": "-", "\\": "\\", "{": "{", "}": "}", "\n": "\n", "\r": "\n", "emdash": "—", "endash": "–", "lquote": "‘",
        "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
    ]
    /// Groups in groups, fonts, and bytes of the text, which are more than are shown.
    private static let mostGroups = 1000, mostFonts = 4096, longest = 256 << 10

    private var text = ""
    /// Bytes in the encoding of the text that are not decoded yet.
    private var pending: [UInt8] = []
    /// Units of UTF-16 of which some may be halves of a letter.
    private var units: [UInt16] = []
    private var groups = [Group()]
    private var isGroupNew = false
    private var skipped = 0
    /// The encoding of the document, and those of its fonts by their numbers.
    private var charset: String?
    private var charsets: [Int: String] = [:]

    private struct Group {
        var isHidden = false
        /// Whether it lists fonts.
        var isFonts = false
        /// The font that letters have, or that is listed.
        var font: Int?
        /// How many letters stand behind one in Unicode for those who cannot read it.
        var fallback = 1
    }

    /// - Parameter bytes: the document, or its beginning.
    static func words(_ bytes: [UInt8]) -> String {
        var text = RichText()
        bytes.withUnsafeBytes { text.read($0) }
        return text.text
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) {
        defer { decode() }
        var at = 0
        while at < bytes.count, text.utf8.count < Self.longest {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "{"):
                guard groups.count < Self.mostGroups else { return }
                groups.append(groups[groups.count - 1])
                (isGroupNew, skipped) = (true, 0)
            case UInt8(ascii: "}"):
                decode()
                if groups.count > 1 { groups.removeLast() }
                (isGroupNew, skipped) = (false, 0)
            case UInt8(ascii: "\\"):
                guard let word = RichTextWord(in: bytes, &at) else { break }
                if word.name == [UInt8(ascii: "'")] {
                    if let letter = UInt8(hexadecimal: bytes[at...].prefix(2)) {
                        put(letter)
                    }
                    at = min(at + 2, bytes.count)
                } else {
                    take(String(decoding: word.name, as: UTF8.self), word.number, &at)
                }
                isGroupNew = false
            case 0x0A, 0x0D, 0: continue
            default:
                put(byte)
                isGroupNew = false
            }
        }
    }

    /// A page of the web that a mail was written as lies in hidden groups, and what others see of it beside them ([MS-OXRTFEX] 2.1.3).
    private mutating func take(_ word: String, _ number: Int?, _ at: inout Int) {
        let last = groups.count - 1
        switch word {
        case _ where isGroupNew && Self.hidden.contains(word):
            groups[last].isHidden = true
            groups[last].isFonts = word == "fonttbl"
        case "bin": at += min(max(0, number ?? 0), Int.max - at)
        case "ansicpg": charset = number.flatMap(Charset.name(ofCodePage:))
        case "f":
            decode()
            groups[last].font = number
        case "fcharset" where groups[last].isFonts:
            guard let font = groups[last].font, charsets.count < Self.mostFonts else { break }
            charsets[font] = number.flatMap { Self.codePages[$0] }.flatMap(Charset.name(ofCodePage:))
        case "uc": groups[last].fallback = min(max(number ?? 1, 0), 16)
        case "u":
            decodeBytes()
            if !groups[last].isHidden { units.append(UInt16(truncatingIfNeeded: number ?? 0)) }
            skipped = groups[last].fallback
        default:
            guard let letter = Self.letters[word] else { return }
            decode()
            if !groups[last].isHidden { text += letter }
        }
    }

    private mutating func put(_ byte: UInt8) {
        if skipped > 0 {
            skipped -= 1
        } else if !groups[groups.count - 1].isHidden {
            decodeUnits()
            pending.append(byte)
        }
    }

    private mutating func decode() {
        decodeUnits()
        decodeBytes()
    }

    private mutating func decodeUnits() {
        guard !units.isEmpty else { return }
        text += String(decoding: units, as: UTF16.self)
        units = []
    }

    private mutating func decodeBytes() {
        guard !pending.isEmpty else { return }
        if pending.allSatisfy({ $0 < 0x80 && $0 != 0x1B }) {
            text += String(decoding: pending, as: UTF8.self)
        } else {
            let font = groups[groups.count - 1].font.flatMap { charsets[$0] }
            text += Charset.likelyText(pending, charset: font ?? charset)
        }
        pending = []
    }

    /// Windows' code pages by the numbers that fonts have for sets of letters (`\fcharset`).
    private static let codePages = [
        128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257,
        204: 1251, 222: 874, 238: 1250,
    ]
}
