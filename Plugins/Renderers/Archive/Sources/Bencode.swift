internal import VitrineKit

/// A value of bencode (BEP 3), the strings of which stay where they are.
enum Bencode {
    case number(Int64)
    case string(Range<Int>)
    case list([Bencode])
    /// In the order of the file.
    case dictionary([Entry])

    /// A key of a dictionary, and what it stands for.
    struct Entry {
        let key: Range<Int>
        let value: Bencode
    }

    /// Lists and dictionaries in one another, and values in all, at most.
    private static let deepest = 64, mostValues = 4_000_000

    /// Reads the value that a file consists of; what stands behind it is left aside.
    /// - Throws: `corrupt`, `limitExceeded`.
    static func read(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Bencode {
        var scanner = Scanner(bytes: bytes)
        return try scanner.value(depth: 0)
    }

    private struct Scanner {
        let bytes: UnsafeRawBufferPointer
        var at = 0
        var count = 0

        private static let damaged = PluginError(
            .corrupt, "the torrent is damaged or cut off: what it says is no bencode")

        mutating func value(depth: Int) throws(PluginError) -> Bencode {
            guard at < bytes.count, depth < Bencode.deepest else { throw Self.damaged }
            count += 1
            guard count <= Bencode.mostValues else {
                throw PluginError(.limitExceeded, "the torrent has more than \(Bencode.mostValues) values")
            }
            switch bytes[at] {
            case UInt8(ascii: "i"):
                at += 1
                return .number(try number(upTo: UInt8(ascii: "e")))
            case UInt8(ascii: "l"):
                var values: [Bencode] = []
                at += 1
                while try !ends() { values.append(try value(depth: depth + 1)) }
                return .list(values)
            case UInt8(ascii: "d"):
                var entries: [Entry] = []
                at += 1
                while try !ends() { entries.append(Entry(key: try string(), value: try value(depth: depth + 1))) }
                return .dictionary(entries)
            default: return .string(try string())
            }
        }

        /// Whether a list or a dictionary ends here; goes behind its end.
        private mutating func ends() throws(PluginError) -> Bool {
            guard at < bytes.count else { throw Self.damaged }
            guard bytes[at] == UInt8(ascii: "e") else { return false }
            at += 1
            return true
        }

        private mutating func string() throws(PluginError) -> Range<Int> {
            let length = try number(upTo: UInt8(ascii: ":"))
            guard length >= 0, length <= bytes.count - at else { throw Self.damaged }
            defer { at += Int(length) }
            return at..<at + Int(length)
        }

        private mutating func number(upTo end: UInt8) throws(PluginError) -> Int64 {
            guard let stop = bytes[at...].prefix(21).firstIndex(of: end),
                let number = Int64(String(decoding: bytes[at..<stop], as: UTF8.self))
            else { throw Self.damaged }
            at = stop + 1
            return number
        }
    }
}
