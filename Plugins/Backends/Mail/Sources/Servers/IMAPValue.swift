import Transfer
import VitrineKit

/// What a server of IMAP tells (RFC 3501, section 4).
enum IMAPValue: Sendable {
    /// A number, a keyword, or the name of a section with its brackets.
    case atom([UInt8])
    /// A quoted string or a literal.
    case string([UInt8])
    case list([IMAPValue])
    /// `NIL`.
    case nothing

    private static let largest: Int64 = 1 << 50

    var bytes: [UInt8]? {
        switch self {
        case .atom(let bytes), .string(let bytes): bytes
        case .list, .nothing: nil
        }
    }
    var text: String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? "" }
    var number: Int64? { bytes.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } }
    /// A number of bytes; at most so many that a few of them can be added up.
    var size: Int64? { number.map { max(0, min($0, Self.largest)) } }
    var list: [IMAPValue]? { if case .list(let values) = self { values } else { nil } }
}

extension [IMAPValue] {
    /// A value by its place; `nothing` where there is none.
    func at(_ index: Int) -> IMAPValue { indices.contains(index) ? self[index] : .nothing }
    /// The value behind a keyword, as FETCH tells its items. What stands in brackets behind the word does not count.
    func item(_ name: String) -> IMAPValue? {
        for index in stride(from: 0, to: count - 1, by: 2)
        where self[index].text.prefix(while: { $0 != "[" }).uppercased() == name { return self[index + 1] }
        return nil
    }
}

/// Reads one answer of a server, which may go on over lines with literals in between. Bounded in depth and number, so that
/// no server fills the memory.
struct IMAPReader {
    private let line: any ServerLines
    private let doing: String
    private var bytes: [UInt8] = []
    private var at = 0
    private var count = 0
    private var literals = 0

    static let longestLine = 1 << 20
    private static let deepest = 60
    private static let most = 100_000
    /// The most bytes of all literals of an answer.
    private static let mostLiterals = 2 << 20

    /// Goes on behind what was read of the first line.
    init(_ line: any ServerLines, _ first: [UInt8], from at: Int, _ doing: String) {
        self.line = line
        self.doing = doing
        bytes = first
        self.at = at
    }

    /// What is left of the line, as it is.
    var rest: [UInt8] { Array(bytes[min(at, bytes.count)...]) }

    /// Leaves the rest of the line out, which is known to hold no literal.
    mutating func skip() { at = bytes.count }

    /// All values up to the end of the answer.
    mutating func values() throws(TransferFailure) -> [IMAPValue] {
        var values: [IMAPValue] = []
        while let value = try value(0) { values.append(value) }
        return values
    }

    private func bad(_ why: String) -> TransferFailure {
        TransferFailure(
            PluginError(.io, "\(doing): '\(line.server)' gave an answer that cannot be understood: \(why)"),
            isOfSource: true)
    }

    /// The next value; `nil` at the end of the line or of the list.
    private mutating func value(_ depth: Int) throws(TransferFailure) -> IMAPValue? {
        while at < bytes.count, bytes[at] == 0x20 { at += 1 }
        guard at < bytes.count, bytes[at] != UInt8(ascii: ")") else { return nil }
        count += 1
        guard depth < Self.deepest, count < Self.most else { throw bad("it is nested too deep, or too long") }
        switch bytes[at] {
        case UInt8(ascii: "("):
            at += 1
            var values: [IMAPValue] = []
            while let value = try value(depth + 1) { values.append(value) }
            guard at < bytes.count else { throw bad("a list does not end") }
            at += 1
            return .list(values)
        case UInt8(ascii: "\""): return .string(try quoted())
        case UInt8(ascii: "{"), UInt8(ascii: "~"): return .string(try literal())
        default: return atom()
        }
    }

    private mutating func quoted() throws(TransferFailure) -> [UInt8] {
        var out: [UInt8] = []
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count { at += 1 }
            out.append(bytes[at])
            at += 1
        }
        guard at < bytes.count else { throw bad("a text in quotes does not end") }
        at += 1
        return out
    }

    private mutating func literal() throws(TransferFailure) -> [UInt8] {
        let text = bytes[at...].drop { $0 == UInt8(ascii: "~") }
        let digits = text.dropFirst().prefix { (0x30...0x39).contains($0) }
        guard text.first == UInt8(ascii: "{"), let size = Int(String(decoding: digits, as: UTF8.self)),
            text.dropFirst(1 + digits.count).elementsEqual("}".utf8)
        else { throw bad("a literal has no length") }
        // The difference, since a sum of what servers say may be more than a number holds.
        guard size <= Self.mostLiterals - literals else { throw bad("a literal is too long") }
        literals += size
        let out = try line.bytes(size, doing)
        bytes = try line.line(longest: Self.longestLine, doing)
        at = 0
        return out
    }

    private mutating func atom() -> IMAPValue {
        let start = at
        while at < bytes.count, bytes[at] != 0x20, bytes[at] != UInt8(ascii: "("), bytes[at] != UInt8(ascii: ")") {
            // The name of a section holds blanks and lists of its own.
            if bytes[at] == UInt8(ascii: "[") {
                while at < bytes.count, bytes[at] != UInt8(ascii: "]") { at += 1 }
            }
            if at < bytes.count { at += 1 }
        }
        let word = Array(bytes[start..<at])
        return String(decoding: word, as: UTF8.self).uppercased() == "NIL" ? .nothing : .atom(word)
    }
}
