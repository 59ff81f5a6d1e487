/// What style sheets choose elements by, as far as litehtml has other words for it.
enum StyleSelector {
    /// Writes selectors anew.
    static func written(_ selectors: [UInt8]) -> [UInt8] {
        let text = String(decoding: selectors, as: UTF8.self)
        guard text.contains(":root") || text.contains(":where(") || text.contains(":is(") else { return selectors }
        var parts: [String] = []
        for part in text.parts(between: { $0 == "," }) {
            parts += alternatives(
                String(part.replacing("html:root", with: ":root").replacing(":root", with: "html")), deep: 0)
            if parts.count > most { break }
        }
        return Array(parts.prefix(most).joined(separator: ",").utf8)
    }

    /// Selectors that one rule may become, and bytes of one that is taken apart.
    private static let most = 64, longest = 1000

    /// Selectors with one of those in the place of each choice between several (Selectors 4, 4.2 and 4.4).
    private static func alternatives(_ selector: String, deep: Int) -> [String] {
        guard deep < 4, selector.utf8.count <= longest,
            let found = [":where(", ":is("].lazy.compactMap({ selector.firstRange(of: $0) }).first
        else { return [selector] }
        let inside = selector[found.upperBound...].untilClosed
        let before = selector[..<found.lowerBound]
        let after = selector[inside.endIndex...].dropFirst()
        let choices = inside.parts(between: { $0 == "," }).prefix(16)
        // What is none of several is not the first, and not the second.
        if before.hasSuffix(":not("), after.first == ")" {
            let none = choices.map { ":not(\($0.trimmed))" }.joined()
            return alternatives("\(before.dropLast(5))\(none)\(after.dropFirst())", deep: deep + 1)
        }
        // An element's name stands before its classes.
        let isJoined = before.last.map { !$0.isWhitespace && !">+~".contains($0) } ?? false
        var all: [String] = []
        for choice in choices where all.count < most {
            let word = choice.trimmed
            guard !isJoined || word.first?.isLetter != true else { continue }
            all += alternatives("\(before)\(word)\(after)", deep: deep + 1)
        }
        return Array(all.prefix(most))
    }
}
