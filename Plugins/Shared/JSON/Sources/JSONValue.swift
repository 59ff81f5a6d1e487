internal import VitrineKit

/// What a text in JSON (RFC 8259) says.
public enum JSONValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// Yes or no.
    case boolean(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case text(String)
    /// Values in a row.
    case list([JSONValue])
    /// Values by name; of two of one name the last.
    case object([String: JSONValue])

    /// A member of an object; `nil` of anything else.
    public subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
    /// The text that it is.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// Yes or no, if it is one of these.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    /// The whole number that it is.
    public var integer: Int64? { if case .number(let value) = self { Int64(exactly: value) } else { nil } }

    /// The values of a list.
    public var list: [JSONValue]? { if case .list(let values) = self { values } else { nil } }

    /// The most values of an answer: far more than what is waited for.
    public static let most = 500_000

    /// Reads a text.
    /// - Returns: `nil` when it is not JSON, is nested deeper than 16, or holds more than ``most`` values.
    public init?(_ bytes: [UInt8]) {
        guard let value = try? Self(bytes, most: Self.most) else { return nil }
        self = value
    }

    /// Reads a text, for who tells why it was not read.
    /// - Parameter most: how many values it may hold.
    public init(_ bytes: [UInt8], most: Int) throws(JSONRefusal) {
        var reader = JSONReader(bytes[...], most: most)
        guard let value = reader.value(depth: 0), reader.isAtEnd else {
            throw reader.isTooLarge ? .tooLarge : .damaged
        }
        self = value
    }

    /// A text as JSON writes it.
    public static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case _ where scalar.value < 0x20:
                out += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}

/// Why a text was not read.
public enum JSONRefusal: Error {
    /// It is no JSON.
    case damaged
    /// It holds too many values, or is nested deeper than 16.
    case tooLarge
}

private struct JSONReader {
    private var rest: ArraySlice<UInt8>
    private var values = 0
    private let most: Int
    private(set) var isTooLarge = false
    private static let deepest = 16

    init(_ bytes: ArraySlice<UInt8>, most: Int) { (rest, self.most) = (bytes, most) }

    var isAtEnd: Bool { rest.allSatisfy(Self.isBlank) }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private mutating func next() -> UInt8? {
        while let byte = rest.first, Self.isBlank(byte) { rest.removeFirst() }
        return rest.first
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func value(depth: Int) -> JSONValue? {
        values += 1
        if depth >= Self.deepest || values > most { isTooLarge = true }
        guard !isTooLarge, let first = next() else { return nil }
        switch first {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return list(depth)
        case UInt8(ascii: "\""): return text().map { .text($0) }
        default:
            let word = rest.prefix { !Self.isBlank($0) && ![0x2C, 0x5D, 0x7D].contains($0) }
            rest = rest[word.endIndex...]
            switch String(decoding: word, as: UTF8.self) {
            case "null": return .null
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case let number: return Double(number).flatMap { $0.isFinite ? .number($0) : nil }
            }
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        rest.removeFirst()
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
        rest.removeFirst()
        if take(UInt8(ascii: "]")) { return .list(values) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .list(values) : nil
    }

    private mutating func text() -> String? {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                bytes += Array(String(escaped).utf8)
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> UnicodeScalar? {
        switch rest.popFirst() {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"):
            guard let unit = unit() else { return nil }
            guard 0xD800..<0xDC00 ~= unit else { return UnicodeScalar(unit) }
            guard rest.starts(with: [0x5C, 0x75]) else { return nil }
            rest = rest.dropFirst(2)
            guard let low = self.unit(), 0xDC00..<0xE000 ~= low else { return nil }
            return UnicodeScalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        case let byte?: return UnicodeScalar(byte)
        case nil: return nil
        }
    }

    private mutating func unit() -> UInt32? {
        let digits = rest.prefix(4)
        guard digits.count == 4 else { return nil }
        rest = rest.dropFirst(4)
        return UInt32(hexadecimal: digits)
    }
}
