/// A value for a statement's parameter.
public enum Value: Sendable, Hashable {
    /// Nothing.
    case null
    /// A whole number.
    case integer(Int64)
    /// A fraction.
    case real(Double)
    /// Text in UTF-8.
    case text(String)
    /// Bytes.
    case bytes([UInt8])

    /// A whole number of another kind; one that does not fit is the nearest that does.
    public static func count(_ number: some BinaryInteger) -> Value { .integer(Int64(clamping: number)) }

    /// Text, or nothing.
    public static func text(_ text: String?) -> Value { text.map { .text($0) as Value } ?? .null }

    /// A number, or nothing.
    public static func number(_ number: Int64?) -> Value { number.map { .integer($0) as Value } ?? .null }

    /// Bytes, or nothing.
    public static func bytes(_ bytes: [UInt8]?) -> Value { bytes.map { .bytes($0) as Value } ?? .null }
}
