/// What AutoCAD's texts of several lines (MTEXT) say, without how it looks, in lines that fit into a width.
///
/// Source: AutoCAD's DXF Reference, and its manual on format codes of such texts.
enum MultilineText {
    /// Lines of a text at most.
    private static let mostLines = 500
    /// Letters of a text, and of one of its codes, at most.
    private static let longest = 64 << 10, longestCode = 256
    /// Codes without an end that are gone through at most: an author's text has none.
    private static let mostUnended = 100

    /// - Parameters:
    ///   - text: with its codes.
    ///   - length: letters of a line at most; `nil` for any number.
    static func lines(_ text: String, length: Int?) -> [String] {
        var lines: [String] = []
        for line in plain(text.prefix(longest)).split(separator: "\n", omittingEmptySubsequences: false) {
            lines += wrapped(String(line), length)
            if lines.count >= mostLines { break }
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return Array(lines.prefix(mostLines))
    }

    /// Without codes, its lines divided as the author did.
    private static func plain(_ text: Substring) -> String {
        var plain = ""
        var rest = text
        var unended = 0
        /// Where a code ends that has a semicolon behind it.
        func end() -> Substring.Index? {
            guard unended < mostUnended else { return nil }
            if let end = rest.prefix(longestCode).firstIndex(of: ";") { return end }
            unended += 1
            return nil
        }
        while let letter = rest.popFirst() {
            if letter == "{" || letter == "}" { continue }
            guard letter == "\\", let code = rest.popFirst() else {
                plain.append(letter)
                continue
            }
            switch code {
            // Paragraphs and columns.
            case "P", "N", "X": plain.append("\n")
            case "~": plain.append(" ")
            case "\\", "{", "}": plain.append(code)
            // Lines above, below and through.
            case "L", "l", "O", "o", "K", "k": break
            // Two texts above one another.
            case "S":
                guard let end = end() else { break }
                plain += rest[..<end].map { $0 == "^" || $0 == "#" ? "/" : $0 }
                rest = rest[end...].dropFirst()
            // A font, a height, a colour and the like, up to a semicolon.
            case "A", "C", "c", "F", "f", "H", "p", "Q", "T", "W":
                if let end = end() { rest = rest[end...].dropFirst() }
            default: plain += ["\\", code]
            }
        }
        return plain
    }

    private static func wrapped(_ line: String, _ length: Int?) -> [String] {
        guard let length, line.count > length else { return [line] }
        var lines = [""]
        var count = 0
        for word in line.split(separator: " ") {
            if count > 0, count + 1 + word.count > length {
                lines.append("")
                count = 0
            }
            if count > 0 {
                lines[lines.count - 1] += " "
                count += 1
            }
            lines[lines.count - 1] += word
            count += word.count
            if lines.count >= mostLines { break }
        }
        return lines
    }
}
