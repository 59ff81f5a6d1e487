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
    /// - Parameters:
    ///   - most: how many values it may hold.
    ///   - isStrict: whether texts with line ends in them, idle backslashes, and numbers that JSON does not know are
    ///     refused, as many programs take them. Default: no.
    public init(_ bytes: [UInt8], most: Int, isStrict: Bool = false) throws(JSONRefusal) {
        var reader = JSONReader(bytes, most: most, isStrict: isStrict)
        guard let value = reader.document() else { throw reader.isTooLarge ? .tooLarge : .damaged(line: reader.line) }
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
public enum JSONRefusal: Error, Hashable {
    /// It is no JSON: what stands in this line, counted from 1, was not understood.
    case damaged(line: Int)
    /// It holds too many values, or is nested deeper than 16.
    case tooLarge
}
