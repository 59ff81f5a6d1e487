/// The words of an HTML page: no more than is needed to see what a mail is about. Nothing is fetched or run.
public enum HTMLText {
    /// Elements whose content is not for readers.
    private static let hidden: Set = ["style", "script", "head", "title", "template"]
    /// Elements that begin a line.
    private static let blocks: Set = [
        "p", "div", "br", "li", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "hr",
        "pre",
    ]

    /// Takes the tags out.
    public static func words(_ html: String) -> String {
        var out = String.UnicodeScalarView()
        var rest = html.unicodeScalars[...]
        var hiddenIn: String?
        while let scalar = rest.popFirst() {
            switch scalar {
            case "<":
                if rest.starts(with: "!--".unicodeScalars) {
                    skip(&rest, past: "-->")
                    continue
                }
                let tag = rest.prefix { $0 != ">" }
                rest = rest.dropFirst(tag.count + 1)
                let name = String(String.UnicodeScalarView(tag.drop { $0 == "/" }.prefix { isLetter($0) })).lowercased()
                // The end of the head may be left out.
                if hiddenIn == "head", name == "body" || blocks.contains(name) { hiddenIn = nil }
                if let inside = hiddenIn {
                    if tag.first == "/", name == inside { hiddenIn = nil }
                } else if hidden.contains(name), tag.first != "/", tag.last != "/" {
                    hiddenIn = name
                } else if blocks.contains(name) {
                    out.append("\n")
                }
            case _ where hiddenIn != nil: break
            case "&": out.append(reference(&rest))
            default: out.append(scalar.properties.isWhitespace ? " " : scalar)
            }
        }
        return String(out)
    }

    /// Puts characters in the place of references to them, as in the value of an attribute; references that are not known stay.
    public static func withoutReferences(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() { out.append(scalar == "&" ? reference(&rest) : scalar) }
        return String(out)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.properties.isAlphabetic || "0"..."9" ~= scalar
    }

    private static func skip(_ rest: inout Substring.UnicodeScalarView, past end: String) {
        while !rest.isEmpty {
            if rest.starts(with: end.unicodeScalars) {
                rest = rest.dropFirst(end.unicodeScalars.count)
                return
            }
            rest.removeFirst()
        }
    }

    /// What a reference to a character means; an ampersand where it means none.
    private static func reference(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar {
        let name = rest.prefix(10).prefix { $0 != ";" && ($0 == "#" || isLetter($0)) }
        guard rest.dropFirst(name.count).first == ";" else { return "&" }
        let text = String(name)
        let known: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
            "hellip": "…", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
            "eacute": "é", "euro": "€", "copy": "©", "rsquo": "’", "lsquo": "‘", "rdquo": "”", "ldquo": "“",
        ]
        var meaning = known[text]
        if text.hasPrefix("#") {
            let digits = text.dropFirst()
            let number = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            meaning = number.flatMap(Unicode.Scalar.init)
        }
        guard let meaning else { return "&" }
        rest = rest.dropFirst(name.count + 1)
        return meaning
    }
}
