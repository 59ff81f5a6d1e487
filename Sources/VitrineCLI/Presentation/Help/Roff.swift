/// Lines of a manual page in the macros of groff_man(7), with all text escaped.
struct Roff {
    /// The page so far; each line ends with a line feed.
    private(set) var text = ""

    /// A macro and its arguments, which are plain text.
    mutating func macro(_ name: String, _ arguments: String...) {
        let words = arguments.map { "\"" + Self.escaped($0) + "\"" }
        text += ([".\(name)"] + words).joined(separator: " ") + "\n"
    }

    /// A request of roff itself, as it is.
    mutating func request(_ line: String) { text += ".\(line)\n" }

    /// Sentences, without an end of their paragraph. Where lines were broken before does not matter.
    mutating func sentences(_ plain: String) {
        let words = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        text += Self.line(Self.escaped(words)) + "\n"
    }

    /// A paragraph.
    mutating func paragraph(_ plain: String) {
        macro("P")
        sentences(plain)
    }

    /// A row of a list: a name in bold, what is put in for it in italics, and what it means.
    mutating func row(_ name: String, _ value: String = "", meaning: String) {
        macro("TP")
        let value = value.isEmpty ? "" : " \\fI\(Self.escaped(value))\\fR"
        text += Self.line("\\fB\(Self.escaped(name))\\fR\(value)") + "\n"
        sentences(meaning)
    }

    /// Lines as they are, such as commands to type.
    mutating func example(_ lines: [String]) {
        macro("P")
        macro("EX")
        for line in lines { text += Self.line(Self.escaped(line)) + "\n" }
        macro("EE")
    }

    /// Text in which no sign steers the typesetter. What is typed into a shell stays what can be typed: hyphens, quotes and
    /// tildes are not replaced by what looks better.
    private static func escaped(_ plain: String) -> String {
        var text = ""
        for scalar in plain.unicodeScalars {
            switch scalar {
            case "\\": text += "\\e"
            case "-": text += "\\-"
            case "'": text += "\\(aq"
            case "\"": text += "\\(dq"
            case "`": text += "\\(ga"
            case "^": text += "\\(ha"
            case "~": text += "\\(ti"
            case _ where scalar.isASCII: text.unicodeScalars.append(scalar)
            default:
                let hex = String(scalar.value, radix: 16, uppercase: true)
                text += "\\[u\(String(repeating: "0", count: max(0, 4 - hex.count)))\(hex)]"
            }
        }
        return text
    }

    /// A line that begins with no request: a period there would be one.
    private static func line(_ escaped: String) -> String { escaped.hasPrefix(".") ? "\\&" + escaped : escaped }
}
