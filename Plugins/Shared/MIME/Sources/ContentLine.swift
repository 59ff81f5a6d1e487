/// A line of an address book (RFC 6350, section 3.3; RFC 2426, and vCard 2.1 before them) or of a calendar (RFC 5545, section 3.1):
/// what it tells of, how that is written, and the value.
public struct ContentLine {
    /// The name in capitals, without what it is grouped by.
    public let property: String
    /// What stands before the value, as it is.
    private let head: ArraySlice<UInt8>
    /// As it is written.
    public let value: ArraySlice<UInt8>

    /// - Returns: `nil` when there is no colon, which ends the head.
    private init?(_ line: [UInt8]) {
        guard let colon = Self.colon(in: line) else { return nil }
        head = line[..<colon]
        value = line[(colon + 1)...]
        // Before a dot stands what belongs together, behind a semicolon what more there is to say.
        let name = head.prefix { $0 != UInt8(ascii: ";") }.split(separator: UInt8(ascii: ".")).last ?? []
        property = String(decoding: name, as: UTF8.self).uppercased()
    }

    /// The value in letters: vCard 2.1 writes those beyond ASCII as mails do, in any encoding.
    public var text: String { Self.unescaped(decoded[...]) }

    /// The parts of a value that has several, such as a name or an address, in letters; those between semicolons.
    public var parts: [String] {
        var parts: [Substring] = []
        var (start, isEscaped) = (decoded.startIndex, false)
        for index in decoded.indices {
            if decoded[index] == ";", !isEscaped {
                parts.append(decoded[start..<index])
                start = decoded.index(after: index)
            }
            isEscaped = decoded[index] == "\\" && !isEscaped
        }
        return (parts + [decoded[start...]]).map(Self.unescaped)
    }

    private var decoded: String {
        let parameters = String(decoding: head, as: UTF8.self).uppercased().split(separator: ";").dropFirst()
        let isQuoted = parameters.contains { $0 == Self.quotedPrintable || $0 == "ENCODING=" + Self.quotedPrintable }
        let charset = parameters.first { $0.hasPrefix("CHARSET=") }?.dropFirst("CHARSET=".count)
        let bytes = (isQuoted ? TransferCoding.quotedPrintable : .identity).decode(value)
        return Charset.text(bytes, charset: charset.map { String($0) })
    }

    /// Signs behind a backslash are meant as they are, and an `n` is the end of a line. vCard 2.1 has backslashes before other
    /// letters that are meant as well.
    private static func unescaped(_ text: Substring) -> String {
        var (result, isEscaped) = ("", false)
        for letter in text {
            if letter == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            if isEscaped, !"\\,;:nN".contains(letter) { result.append("\\") }
            result.append(isEscaped && (letter == "n" || letter == "N") ? "\n" : letter)
            isEscaped = false
        }
        return isEscaped ? result + "\\" : result
    }

    private static let quotedPrintable = "QUOTED-PRINTABLE"

    /// Lines as they were before they were folded: what goes on begins with a blank or, of a picture in vCard 2.1, has no
    /// colon in it; or it follows a line in QUOTED-PRINTABLE whose last letter says so. An empty line ends that as well.
    public static func lines(_ bytes: [UInt8]) -> [Self] {
        var lines: [[UInt8]] = []
        var end = bytes.startIndex
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let isFolded = line.first == 0x20 || line.first == 0x09
            let hasColon = line.contains(UInt8(ascii: ":"))
            let isApart = bytes[end..<line.startIndex].count { $0 == 0x0A } > 1
            end = line.endIndex
            let softEnd = lines.indices.last.flatMap { isSoftlyEnded(lines[$0]) ? $0 : nil }
            if let softEnd { lines[softEnd].removeLast() }
            if let softEnd, !isApart || !hasColon {
                lines[softEnd] += line
            } else if !lines.isEmpty, softEnd == nil, isFolded || !hasColon {
                lines[lines.count - 1] += isFolded ? line.dropFirst() : line
            } else {
                lines.append(Array(line))
            }
        }
        return lines.compactMap(Self.init)
    }

    private static func isSoftlyEnded(_ line: [UInt8]) -> Bool {
        guard line.last == UInt8(ascii: "=") else { return false }
        let head = line.prefix(mostHead).prefix { $0 != UInt8(ascii: ":") }
        return String(decoding: head, as: UTF8.self).uppercased().contains(quotedPrintable)
    }

    /// Bytes of a head that are looked at.
    private static let mostHead = 256

    /// The colon before the value: others may stand in quotes.
    private static func colon(in line: [UInt8]) -> Int? {
        var isQuoted = false
        return line.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ":") && !isQuoted
        }
    }
}
