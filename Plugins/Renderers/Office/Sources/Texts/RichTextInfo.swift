internal import MIME
internal import VitrineKit

/// What a text in Rich Text Format says of itself (Microsoft's specification 1.9.1, "Information Group").
struct RichTextInfo {
    /// The title, and who wrote it; `nil` in code pages other than Windows' western one, unless all their letters are Unicode.
    var title: String? { fields[.title]?.text }
    var author: String? { fields[.author]?.text }
    /// When it was written, in its author's time.
    private(set) var created: FactDate?

    /// Bytes of a document within which it is looked for: fonts and styles stand before it.
    static let reach = 256 << 10

    private enum Destination { case other, hidden, info, title, author, created }

    private var fields: [Destination: Field] = [:]
    /// Of each group that is open.
    private var groups: [Destination] = []
    private var isGroupNew = false
    private var codePage = 1252
    private var fallback = (length: 1, left: 0)
    private var moment: [String: Int] = [:]

    /// Groups in groups.
    private static let mostGroups = 1000

    /// Reads it.
    /// - Parameter head: the beginning of the document.
    init(of head: [UInt8]) { head.withUnsafeBytes { read($0) } }

    private mutating func read(_ text: UnsafeRawBufferPointer) {
        var at = 0
        while at < text.count {
            let byte = text[at]
            at += 1
            switch byte {
            case UInt8(ascii: "{"):
                guard groups.count < Self.mostGroups else { return }
                let around = groups.last ?? .other
                groups.append(around == .info ? .other : around)
                (isGroupNew, fallback.left) = (true, 0)
            case UInt8(ascii: "}"):
                guard let ended = groups.popLast(), !groups.isEmpty, ended != .info else { return }
                if ended == .created, groups.last != .created { created = Self.date(moment) }
                (isGroupNew, fallback.left) = (false, 0)
            case UInt8(ascii: "\\"):
                guard let word = RichTextWord(in: text, &at) else { return }
                if word.name == [UInt8(ascii: "'")] {
                    put(byte: UInt8(hexadecimal: text[at...].prefix(2)))
                    at = min(at + 2, text.count)
                } else {
                    take(word, &at)
                }
            case 0x0A, 0x0D: continue
            default: put(byte: byte)
            }
        }
    }

    private mutating func take(_ word: RichTextWord, _ at: inout Int) {
        let name = String(decoding: word.name, as: UTF8.self)
        if isGroupNew, let destination = destination(name), let last = groups.indices.last {
            groups[last] = destination
            if destination == .title || destination == .author { fields[destination] = Field() }
        }
        isGroupNew = false
        switch name {
        case "bin": at += max(0, word.number ?? 0)
        case "ansicpg": codePage = word.number ?? 1252
        case "mac", "pc", "pca": codePage = 0
        case "uc": fallback.length = min(max(word.number ?? 1, 0), 16)
        case "u":
            field { $0.add(UInt16(truncatingIfNeeded: word.number ?? 0)) }
            fallback.left = fallback.length
        case "yr", "mo", "dy", "hr", "min": if groups.last == .created { moment[name] = word.number }
        default: if let letter = Self.letters[name] { put(letter) }
        }
    }

    /// What a group is for whose first word is this one.
    private func destination(_ word: String) -> Destination? {
        if word == "*" { return .hidden }
        if word == "info" { return groups.count == 2 ? .info : nil }
        guard groups.contains(.info) else { return nil }
        return switch word {
        case "title": .title
        case "author": .author
        case "creatim": .created
        default: nil
        }
    }

    /// Words and symbols that mean a letter.
    private static let letters: [String: UInt16] = [
        "\\": 0x5C, "{": 0x7B, "}": 0x7D, "~": 0x20, "tab": 0x20, "par": 0x20, "line": 0x20, "emdash": 0x2014,
        "endash": 0x2013,
        "lquote": 0x2018, "rquote": 0x2019, "ldblquote": 0x201C, "rdblquote": 0x201D, "bullet": 0x2022,
    ]

    /// Windows' western letters from 80 to 9F (hexadecimal), where Latin-1 has control characters.
    private static let western: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
        0x017E, 0x0178,
    ]

    private mutating func put(byte: UInt8?) {
        guard let byte, byte < 0x80 || codePage == 1252 else {
            // Only what nothing else stands for is missing.
            if fallback.left > 0 { fallback.left -= 1 } else { field { $0.isReadable = false } }
            return
        }
        put(0x80...0x9F ~= byte ? Self.western[Int(byte) - 0x80] : UInt16(byte))
    }

    private mutating func put(_ letter: UInt16) {
        if fallback.left > 0 {
            fallback.left -= 1
        } else {
            field { $0.add(letter) }
        }
    }

    private mutating func field(_ change: (inout Field) -> Void) {
        guard let last = groups.last, var field = fields[last] else { return }
        change(&field)
        fields[last] = field
    }

    private static func date(_ parts: [String: Int]) -> FactDate? {
        let numbers = ["yr", "mo", "dy", "hr", "min"].map { parts[$0] ?? 0 }
        guard numbers.allSatisfy({ 0...9999 ~= $0 }) else { return nil }
        let digits = zip(numbers, [4, 2, 2, 2, 2]).map { String(("000" + String($0)).suffix($1)) }
        return FactDate(digits[0] + "-" + digits[1] + "-" + digits[2] + "T" + digits[3] + ":" + digits[4] + ":00")
    }

    /// One of the texts, as it is gathered.
    private struct Field {
        var isReadable = true
        private var units: [UInt16] = []

        /// Units of UTF-16 that are kept.
        private static let most = 2048

        mutating func add(_ unit: UInt16) {
            if units.count < Self.most { units.append(unit) }
        }

        var text: String? { isReadable ? Facts.line(String(decoding: units, as: UTF16.self)) : nil }
    }
}
