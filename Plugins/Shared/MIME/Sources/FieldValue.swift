/// A field with parameters, such as `text/plain; charset=utf-8` (RFC 2045, section 5.1; RFC 2231).
public struct FieldValue: Sendable {
    /// What stands before the first semicolon, in lower case.
    public private(set) var value = ""
    private var parameters: [String: String] = [:]

    private static let longest = 16 << 10
    /// Parameters that are of use here; others are not kept, and of these no more than this.
    private static let kept: Set<String> = ["boundary", "charset", "name", "filename"]
    private static let longestValue = 1000
    private static let mostParameters = 100
    /// Pieces of one long parameter.
    private static let mostPieces = 100

    /// Without parameters.
    public init(_ value: String) { self.value = Self.name(value) }

    /// Of names and values that a server took apart.
    public init(_ value: String, _ raw: [(name: [UInt8], value: [UInt8])]) {
        self.value = Self.name(value)
        take(raw)
    }

    /// Reads a field.
    public init(_ field: some Collection<UInt8>) {
        var scanner = Scanner(rest: Array(field.prefix(Self.longest))[...])
        value = Self.name(String(decoding: scanner.token(until: [0x3B]).withoutSpace, as: UTF8.self))
        var raw: [(name: [UInt8], value: [UInt8])] = []
        while scanner.skip(0x3B), raw.count < Self.mostParameters {
            let name = scanner.token(until: [0x3B, 0x3D]).withoutSpace
            guard scanner.skip(0x3D) else { continue }
            raw.append((name, scanner.token(until: [0x3B])))
        }
        take(raw)
    }

    /// A parameter by its name in lower case.
    public subscript(_ name: String) -> String? { parameters[name] }

    private static func name(_ value: String) -> String {
        String(String.UnicodeScalarView(value.lowercased().unicodeScalars.prefix(longestName)))
    }
    /// No type has a longer name.
    private static let longestName = 255

    private mutating func take(_ raw: [(name: [UInt8], value: [UInt8])]) {
        /// Pieces of long ones by number, and whether each is percent-encoded.
        var pieces: [String: [Int: (bytes: [UInt8], isEncoded: Bool)]] = [:]
        for (name, value) in raw.prefix(Self.mostParameters) {
            let parts = name.lowercase.split(separator: "*", omittingEmptySubsequences: false)
            guard let base = parts.first.map(String.init), Self.kept.contains(base) else { continue }
            if parts.count == 1 {
                if parameters[base] == nil { parameters[base] = Self.kept(EncodedWords.decode(value)) }
            } else {
                let isEncoded = parts.last?.isEmpty == true
                let number = parts.count == 2 && isEncoded ? 0 : Int(parts[1]) ?? -1
                guard 0..<Self.mostPieces ~= number else { continue }
                pieces[base, default: [:]][number] = (value, isEncoded)
            }
        }
        for (name, numbered) in pieces {
            if let text = Self.joined(numbered) { parameters[name] = Self.kept(text) }
        }
    }

    private static func kept(_ text: String) -> String {
        HeaderFields.line(String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestValue))))
    }

    /// Pieces in their order, up to the first that is missing.
    private static func joined(_ numbered: [Int: (bytes: [UInt8], isEncoded: Bool)]) -> String? {
        guard let first = numbered[0] else { return nil }
        var charset: String?
        var bytes: [UInt8] = []
        if first.isEncoded {
            let parts = first.bytes.split(separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count == 3 { charset = String(decoding: parts[0], as: UTF8.self) }
            bytes = (parts.last ?? []).withoutPercents
        } else {
            bytes = first.bytes
        }
        var number = 1
        while let piece = numbered[number] {
            bytes += piece.isEncoded ? piece.bytes[...].withoutPercents : piece.bytes
            number += 1
        }
        return Charset.text(bytes, charset: charset?.isEmpty == false ? charset : nil)
    }

    /// Takes tokens, quoted texts and comments apart.
    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func skip(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        /// What stands before one of these bytes, quotes and comments taken away.
        mutating func token(until ends: [UInt8]) -> [UInt8] {
            var out: [UInt8] = []
            var isQuoted = false
            var depth = 0
            while let byte = rest.first, isQuoted || depth > 0 || !ends.contains(byte) {
                rest.removeFirst()
                if byte == 0x5C, isQuoted || depth > 0 {
                    if let next = rest.popFirst(), isQuoted { out.append(next) }
                } else if byte == 0x22, depth == 0 {
                    isQuoted.toggle()
                } else if byte == 0x28, !isQuoted {
                    depth += 1
                } else if byte == 0x29, depth > 0 {
                    depth -= 1
                } else if depth == 0 {
                    if isQuoted || !byte.isSpace { out.append(byte) }
                }
            }
            return out
        }
    }
}
