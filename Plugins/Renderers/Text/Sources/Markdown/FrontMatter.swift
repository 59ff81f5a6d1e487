/// Settings that generators of web sites put in front of a text, in YAML between lines of `---` or in TOML between those of `+++`.
struct FrontMatter {
    /// What the page is called.
    var title: String?

    /// Tells them from the text; a line that nothing ends is one across the page.
    static func split(_ text: String) -> (settings: FrontMatter?, rest: Substring) {
        guard let mark = ["---", "+++"].first(where: { text.hasPrefix($0) }) else { return (nil, text[...]) }
        var settings = FrontMatter()
        var rest = text[...]
        var isFirst = true
        while !rest.isEmpty {
            let line = rest.prefix { $0 != "\n" }
            rest = rest[line.endIndex...].dropFirst()
            let words = line.trimmingBlanks
            if isFirst {
                guard words == mark, rest.first?.isNewline == false else { return (nil, text[...]) }
                isFirst = false
            } else if words == mark {
                return (settings, rest)
            } else if settings.title == nil {
                settings.title = title(line, mark == "---" ? ":" : "=")
            }
        }
        return (nil, text[...])
    }

    private static func title(_ line: Substring, _ separator: Character) -> String? {
        guard line.hasPrefix("title"), let at = line.firstIndex(of: separator),
            line[..<at].trimmingBlanks == "title"
        else { return nil }
        var value = line[at...].dropFirst().trimmingBlanks
        if let quote = value.first, quote == "\"" || quote == "'", value.count > 1, value.last == quote {
            value = value.dropFirst().dropLast()
        }
        return value.isEmpty || "|>[{".contains(value.first ?? " ") ? nil : String(value.prefix(300))
    }
}
