/// What is shown of a mail.
struct Letter {
    var subject: String?
    var sender: String?
    /// As `2024-01-31 12:00`.
    var date: String?
    /// The same as a fact, with its zone; `nil` where ``date`` tells all that is known.
    var moment: String?
    var text = ""
    var attachments = 0
    /// Whether there is a picture in it or attached to it.
    var hasPicture = false
    /// Those of them that are there whole.
    var pictures = MailPictures()
    /// Whether the text cannot be read without a key.
    var isEncrypted = false

    /// What is shown of it: its text, or why there is none.
    var shownText: String {
        if !text.isEmpty { return text }
        if isEncrypted { return "The text of this mail is encrypted." }
        return hasPicture ? "This mail has a picture and no text." : ""
    }

    /// The most scalars of a subject, a name or a line.
    private static let longestLine = 500

    /// Lines of so many letters go on in the next one.
    private static let longPart = 56

    /// A text on one line, without what steers terminals or directions; `nil` for nothing.
    static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longestLine) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            case .format: if scalar.value == 0x200D { line.append(scalar) }
            default: line.append(scalar)
            }
        }
        let words = String(line).split(separator: " ")
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// A text as lines without empty ones at its ends, two after one another nowhere, and without what is quoted.
    static func body(_ text: String) -> String {
        var lines: [String] = []
        var previousWasLong = false
        for part in text.prefix(64 << 10).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if part.hasPrefix(">") { continue }
            // A line of two dashes begins the signature (RFC 3676, section 4.3).
            if part == "-- " { break }
            let line = line(String(part)) ?? ""
            if line.isEmpty, lines.last?.isEmpty ?? true { continue }
            // Mails are broken by hand at some 72 columns.
            if let last = lines.last, !line.isEmpty, previousWasLong {
                lines[lines.count - 1] = last + " " + line
            } else {
                lines.append(line)
            }
            previousWasLong = part.count >= longPart
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
