/// Variables of style sheets, written so that litehtml, which looks for the first parenthesis that closes, hands on their names and what
/// is meant where they are missing as a whole.
enum StyleVariables {
    /// Stand for parentheses.
    private static let (open, close): (Character, Character) = ("\u{1}", "\u{2}")

    static func written(_ value: String) -> String {
        guard value.contains("var("), value.contains(",") else { return value }
        var out = ""
        var rest = value[...]
        while let found = rest.firstRange(of: "var(") {
            let inside = rest[found.upperBound...].untilClosed
            out += rest[..<found.upperBound] + flat(inside, deep: 0) + ")"
            rest = rest[inside.endIndex...].dropFirst()
        }
        return out + rest
    }

    /// A name and what is meant where it is missing, in which no parentheses are left.
    private static func flat(_ text: Substring, deep: Int) -> String {
        guard deep < 8, let comma = text.firstIndex(of: ",") else {
            return String(text.filter { $0 != "(" && $0 != ")" })
        }
        let otherwise = text[text.index(after: comma)...].trimmed
        let inner = otherwise.dropFirst(4).untilClosed
        let isVariable = otherwise.hasPrefix("var(") && inner.endIndex == otherwise.dropLast().endIndex
        let last =
            isVariable
            ? flat(inner, deep: deep + 1) : String(otherwise.map { $0 == "(" ? open : $0 == ")" ? close : $0 })
        return text[..<comma].trimmed + "," + last
    }
}
