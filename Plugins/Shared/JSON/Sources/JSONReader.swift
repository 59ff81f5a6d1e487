internal import VitrineKit

/// Goes through a text in JSON once.
struct JSONReader {
    private let bytes: [UInt8]
    private var at = 0
    private var values = 0
    private let most: Int
    private let isStrict: Bool
    private(set) var isTooLarge = false
    private static let deepest = 16

    init(_ bytes: [UInt8], most: Int, isStrict: Bool) {
        (self.bytes, self.most, self.isStrict) = (bytes, most, isStrict)
    }

    /// The line in which it stands, counted from 1; at the end that of the last byte which is no blank.
    var line: Int {
        let read = at < bytes.count ? bytes[..<at] : bytes[...(bytes.lastIndex { !Self.isBlank($0) } ?? -1)]
        return 1 + read.count { $0 == 0x0A }
    }

    /// The one value of the text; `nil` when there is none, or something behind it.
    mutating func document() -> JSONValue? {
        guard let value = value(depth: 0), next() == nil else { return nil }
        return value
    }

    /// The next byte that is no blank; `nil` at the end.
    private mutating func next() -> UInt8? {
        while at < bytes.count {
            let byte = bytes[at]
            guard Self.isBlank(byte) else { return byte }
            at += 1
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        at += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        values += 1
        if depth >= Self.deepest || values > most { isTooLarge = true }
        guard !isTooLarge, let first = next() else { return nil }
        switch first {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return list(depth)
        case UInt8(ascii: "\""): return text().map { .text($0) }
        default: return word()
        }
    }

    private mutating func word() -> JSONValue? {
        let start = at
        while at < bytes.count, !Self.isBlank(bytes[at]), ![0x2C, 0x5D, 0x7D].contains(bytes[at]) { at += 1 }
        switch String(decoding: bytes[start..<at], as: UTF8.self) {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case let number:
            guard !isStrict || Self.isNumber(bytes[start..<at]) else { return nil }
            return Double(number).flatMap { $0.isFinite ? .number($0) : nil }
        }
    }

    /// Whether a word is a number as JSON writes them (RFC 8259, section 6). Others know hexadecimal ones, and plus signs.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        var rest = word
        func take(_ bytes: String) -> Bool {
            guard let first = rest.first, bytes.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func digits() -> Int {
            let digits = rest.prefix(while: isDigit)
            rest = rest.dropFirst(digits.count)
            return digits.count
        }
        _ = take("-")
        if !take("0"), digits() == 0 { return false }
        if take("."), digits() == 0 { return false }
        if take("eE") {
            _ = take("+-")
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        at += 1
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            guard next() == UInt8(ascii: "\""), let name = text(), take(UInt8(ascii: ":")),
                let value = value(depth: depth + 1)
            else { return nil }
            members[name] = value
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func list(_ depth: Int) -> JSONValue? {
        var values: [JSONValue] = []
        at += 1
        if take(UInt8(ascii: "]")) { return .list(values) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .list(values) : nil
    }

    private mutating func text() -> String? {
        at += 1
        var start = at
        // What came before an escape; most texts have none.
        var before: [UInt8] = []
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                let rest = bytes[start..<at]
                at += 1
                return before.isEmpty
                    ? String(validating: rest, as: UTF8.self) : String(validating: before + rest, as: UTF8.self)
            case UInt8(ascii: "\\"):
                before += bytes[start..<at]
                at += 1
                guard let escaped = escape() else { return nil }
                before += Array(String(escaped).utf8)
                start = at
            case 0..<0x20 where isStrict: return nil
            default: at += 1
            }
        }
        return nil
    }

    private mutating func escape() -> UnicodeScalar? {
        guard at < bytes.count else { return nil }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"):
            guard let unit = unit() else { return nil }
            guard 0xD800..<0xDC00 ~= unit else { return UnicodeScalar(unit) }
            guard bytes[at...].starts(with: [0x5C, 0x75]) else { return nil }
            at += 2
            guard let low = self.unit(), 0xDC00..<0xE000 ~= low else { return nil }
            return UnicodeScalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UnicodeScalar(byte)
        default: return isStrict ? nil : UnicodeScalar(byte)
        }
    }

    private mutating func unit() -> UInt32? {
        let digits = bytes[at...].prefix(4)
        guard digits.count == 4 else { return nil }
        at += 4
        return UInt32(hexadecimal: digits)
    }
}
