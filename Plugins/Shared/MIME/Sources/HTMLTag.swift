/// A tag of an HTML page, as far as it matters for who reads the words.
struct HTMLTag {
    /// In lower case.
    let name: String
    let isEnd: Bool
    /// Whether its element ends where it begins.
    let isEmpty: Bool
    private let attributes: Substring.UnicodeScalarView

    /// - Parameter text: what stands between the brackets.
    init(_ text: Substring.UnicodeScalarView) {
        isEnd = text.first == "/"
        let begin = isEnd ? text.dropFirst() : text
        let letters = begin.prefix { $0.isASCII && $0.properties.isAlphabetic || "0"..."9" ~= $0 }
        name = String(String.UnicodeScalarView(letters)).lowercased()
        attributes = begin[letters.endIndex...]
        isEmpty = text.last == "/" || Self.empty.contains(name)
    }

    private static let empty: Set = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    /// Bytes of attributes that are looked at.
    private static let longest = 4000

    /// Declarations that hide, and those that do so where what has no room is cut.
    private static let hiding: [Substring] = ["display:none", "visibility:hidden", "opacity:0"]
    private static let emptying: [Substring] = ["max-height:0", "max-height:0px"]

    /// Whether what is in its element is not shown, by an attribute, or by declarations in one that nothing inside can undo.
    var isHidden: Bool {
        guard !isEnd, !isEmpty, !attributes.isEmpty else { return false }
        var rest = attributes.prefix(Self.longest)
        while let (name, value) = Self.attribute(&rest) {
            if name == "hidden" { return true }
            guard name == "style" else { continue }
            let declarations = Set(
                value.lowercased().filter { !$0.isWhitespace }.replacing("!important", with: "").split(separator: ";"))
            let cuts = declarations.contains("overflow:hidden")
            if !declarations.isDisjoint(with: Self.hiding + (cuts ? Self.emptying : [])) { return true }
        }
        return false
    }

    /// Takes the next attribute (HTML, 13.2.5.32 to 13.2.5.39).
    private static func attribute(_ rest: inout Substring.UnicodeScalarView) -> (name: String, value: String)? {
        rest = rest.drop { $0.properties.isWhitespace || $0 == "/" }
        guard !rest.isEmpty else { return nil }
        // A sign of equality may begin a name.
        let first = rest.removeFirst()
        let others = rest.prefix { !$0.properties.isWhitespace && $0 != "=" && $0 != "/" }
        let name = (String(first) + String(String.UnicodeScalarView(others))).lowercased()
        rest = rest[others.endIndex...].drop { $0.properties.isWhitespace }
        guard rest.first == "=" else { return (name, "") }
        rest = rest.dropFirst().drop { $0.properties.isWhitespace }
        let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
        if quote != nil { rest.removeFirst() }
        let value = rest.prefix { quote == nil ? !$0.properties.isWhitespace : $0 != quote }
        rest = rest[value.endIndex...].dropFirst(quote == nil ? 0 : 1)
        return (name, String(String.UnicodeScalarView(value)))
    }
}
