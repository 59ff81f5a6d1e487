/// What is common to texts of all kinds.
enum PlainText {
    /// More than any page shows, in bytes of UTF-8.
    private static let reach = 16 << 10

    /// Takes the beginning of a text and leaves out what cannot be seen: control characters, and the sequences that
    /// colour a terminal (ECMA-48). Every end of a line becomes a newline.
    static func cleaned(_ text: String) -> String {
        // Bytes, since a string that grows by one letter after the other costs more than drawing it.
        var result: [UInt8] = []
        result.reserveCapacity(min(text.utf8.count, reach) + 4)
        var bytes = 0
        var escape = Escape.none
        var previous: Unicode.Scalar = "\n"
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if escape.swallows(scalar) { continue }
            switch scalar {
            case "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{0C}": result.append(UInt8(ascii: "\n"))
            case "\n": if previous != "\r" { result.append(UInt8(ascii: "\n")) }
            case "\t": result.append(UInt8(ascii: "\t"))
            case "\u{FEFF}": continue
            default:
                // Marks that turn the direction of all that follows are meant to deceive, or forgotten.
                if scalar.isControl || 0x202A...0x202E ~= scalar.value { continue }
                if scalar.isASCII {
                    result.append(UInt8(truncatingIfNeeded: scalar.value))
                } else {
                    result.append(contentsOf: scalar.utf8)
                }
            }
            bytes += UTF8.width(scalar)
            if bytes >= reach { break }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Where in a sequence of a terminal a text is.
    private enum Escape {
        case none, begun, parameters, string

        mutating func swallows(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .none:
                if scalar != "\u{1B}" { return false }
                self = .begun
            case .begun:
                switch scalar {
                case "[": self = .parameters
                case "]": self = .string
                default:
                    self = .none
                    return 0x40...0x7E ~= scalar.value
                }
            case .string:
                // A title for the window: up to a bell, or to the sequence that ends it.
                self = scalar == "\u{07}" || scalar == "\n" ? .none : scalar == "\u{1B}" ? .begun : .string
                return scalar != "\n"
            case .parameters:
                // Parameters and what stands between, then one final byte.
                if 0x20...0x3F ~= scalar.value { return true }
                self = .none
                return 0x40...0x7E ~= scalar.value
            }
            return true
        }
    }

    /// The lines of a text, tabs expanded, each cut where no page reaches.
    /// - Parameters:
    ///   - limit: how many lines at most.
    ///   - tab: columns from one stop to the next.
    static func lines(_ text: String, limit: Int, tab: Int) -> [String] {
        var lines: [String] = []
        let all = text.unicodeScalars.split(separator: "\n", maxSplits: limit, omittingEmptySubsequences: false)
        for line in all.prefix(limit) {
            var expanded = String.UnicodeScalarView()
            for scalar in line.prefix(longestLine) {
                if scalar == "\t" {
                    let blanks = tab - expanded.count % tab
                    expanded.append(contentsOf: repeatElement(" ", count: blanks))
                } else {
                    expanded.append(scalar)
                }
            }
            lines.append(String(expanded))
        }
        return lines
    }

    /// Scalars of a line that are looked at.
    private static let longestLine = 200
}

extension Unicode.Scalar {
    /// Whether it is a control character: all of the category Cc, which no version of Unicode will change. Looking
    /// categories up takes longer than all else that is done with a letter.
    var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }
}
