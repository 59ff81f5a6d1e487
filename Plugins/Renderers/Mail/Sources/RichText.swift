internal import MIME

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
    /// Groups in groups.
    private static let mostGroups = 1000

    private var text = ""
    /// Bytes in the encoding of the text that are not decoded yet.
    private var pending: [UInt8] = []
    /// Whether each of the open groups is hidden, and how many letters stand behind one in Unicode for those who cannot read it.
    private var groups: [(isHidden: Bool, fallback: Int)] = [(false, 1)]
    private var isGroupNew = false
    private var skipped = 0
    private var charset: String?
    /// Whether what comes is only for those who do not read the page of the web in the text ([MS-OXRTFEX] 2.1.3.1.4).
    private var isForOthers = false

    /// - Parameter bytes: the document, or its beginning.
    static func words(_ bytes: [UInt8]) -> String {
        var text = RichText()
        bytes.withUnsafeBytes { text.read($0) }
        return text.text
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) {
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "{"):
                guard groups.count < Self.mostGroups else { return }
                groups.append(groups[groups.count - 1])
                (isGroupNew, skipped) = (true, 0)
            case UInt8(ascii: "}"):
                if groups.count > 1 { groups.removeLast() }
                (isGroupNew, skipped) = (false, 0)
            case UInt8(ascii: "\\"):
                guard let word = RichTextWord(in: bytes, &at) else { break }
                if word.name == [UInt8(ascii: "'")] {
                    if let letter = UInt8(String(decoding: bytes[at...].prefix(2), as: UTF8.self), radix: 16) {
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
        decode()
    }

    private mutating func take(_ word: String, _ number: Int?, _ at: inout Int) {
        let last = groups.count - 1
        switch word {
        case _ where isGroupNew && Self.hidden.contains(word): groups[last].isHidden = true
        case "bin": at += min(max(0, number ?? 0), Int.max - at)
        case "ansicpg": charset = number.flatMap(Charset.name(ofCodePage:))
        case "htmlrtf": isForOthers = number != 0
        case "uc": groups[last].fallback = min(max(number ?? 1, 0), 16)
        case "u":
            decode()
            let unit = UInt16(truncatingIfNeeded: number ?? 0)
            if isShown, let scalar = Unicode.Scalar(unit) { text.unicodeScalars.append(scalar) }
            skipped = groups[last].fallback
        default:
            guard let letter = Self.letters[word] else { return }
            decode()
            if isShown { text += letter }
        }
    }

    private var isShown: Bool { !groups[groups.count - 1].isHidden && !isForOthers }

    private mutating func put(_ byte: UInt8) {
        if skipped > 0 {
            skipped -= 1
        } else if isShown {
            pending.append(byte)
        }
    }

    private mutating func decode() {
        guard !pending.isEmpty else { return }
        text += Charset.likelyText(pending, charset: charset)
        pending = []
    }
}
