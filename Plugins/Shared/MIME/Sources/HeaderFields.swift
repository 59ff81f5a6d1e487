/// The head of a message, or of one of its parts (RFC 5322, section 2.2): its fields, unfolded.
public struct HeaderFields: Sendable {
    /// The most bytes of a head that are read.
    public static let longest = 256 << 10
    private static let mostFields = 2000

    private var fields: [(name: String, value: [UInt8])] = []
    private var bytes = 0

    /// No fields yet.
    public init() {}

    /// Reads a head up to its end, an empty line.
    public init(_ head: some Collection<UInt8>) {
        for line in Array(head.prefix(Self.longest)).split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty { break }
            take(line: line)
        }
    }

    /// Whether there is any field.
    public var isEmpty: Bool { fields.isEmpty }

    /// Takes a line without its end.
    mutating func take(line: ArraySlice<UInt8>) {
        bytes += line.count
        guard bytes <= Self.longest, fields.count < Self.mostFields, let first = line.first else { return }
        if first.isBlank {
            guard !fields.isEmpty else { return }
            fields[fields.count - 1].value += line
        } else if let colon = line.firstIndex(of: 0x3A) {
            let name = line[..<colon].withoutSpace
            guard !name.isEmpty, !name.contains(where: \.isSpace) else { return }
            fields.append((name.lowercase, Array(line[(colon + 1)...])))
        }
    }

    /// The first field of a name in lower case, as it is written.
    public func value(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value.withoutSpace }

    /// All fields of a name in lower case, the topmost first.
    public func values(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value.withoutSpace) }

    /// The first field of a name in lower case, as people read it: decoded, on one line.
    public func text(_ name: String) -> String? { value(name).map { Self.line(EncodedWords.decode($0)) } }

    /// A text with single blanks in place of blanks and ends of lines.
    public static func line(_ text: String) -> String {
        text.unicodeScalars.split { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F }
            .map { String($0) }.joined(separator: " ")
    }
}
