internal import VitrineKit

/// The words of an HTML page: no more than is needed to see what a mail is about. Nothing is fetched or run.
public enum HTMLText {
    /// Elements whose content is not for readers.
    private static let hidden: Set = ["style", "script", "head", "title", "template"]
    /// Elements that begin a line.
    private static let blocks: Set = [
        "p", "div", "br", "li", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "hr",
        "pre",
    ]

    /// Elements of a row, which stand beside one another.
    private static let cells: Set = ["td", "th"]

    /// Takes the tags out, and elements that are not shown, unless nothing is left without these.
    public static func words(_ html: String) -> String {
        let (shown, hides) = words(html, withHidden: false)
        return hides && shown.allSatisfy(\.isWhitespace) ? words(html, withHidden: true).text : shown
    }

    /// An element whose words are left out.
    private struct Hidden {
        let name: String
        /// Whether its content is no markup, so that nothing but its own end ends it.
        let isRaw: Bool
        /// How many elements of each name are open in it.
        private var open: [String: Int] = [:]

        init(name: String, isRaw: Bool) {
            self.name = name
            self.isRaw = isRaw
        }

        /// Takes a tag in it.
        /// - Returns: whether it ended: by its own end, by that of an element around it, or, where its end may be left out
        ///   (HTML, 13.1.2.4), by what follows it.
        mutating func ends(with tag: HTMLTag) -> Bool {
            if name == "head", tag.name == "body" || blocks.contains(tag.name) { return true }
            if isRaw { return tag.isEnd && tag.name == name }
            if tag.isEmpty { return false }
            let count = open[tag.name, default: 0]
            if tag.isEnd {
                if count > 0 { open[tag.name] = count - 1 }
                return count == 0
            }
            if isFollowed(by: tag) { return true }
            open[tag.name] = count + 1
            return false
        }

        private func isFollowed(by tag: HTMLTag) -> Bool {
            func isOpen(_ names: String...) -> Bool { names.contains { open[$0, default: 0] > 0 } }
            return switch name {
            case "p": blocks.contains(tag.name)
            case "td", "th": ["td", "th", "tr", "tbody", "tfoot"].contains(tag.name) && !isOpen("table")
            case "tr": ["tr", "tbody", "tfoot"].contains(tag.name) && !isOpen("table")
            case "li": tag.name == "li" && !isOpen("ul", "ol", "menu")
            case "dt", "dd": ["dt", "dd"].contains(tag.name) && !isOpen("dl")
            default: false
            }
        }
    }

    private static func words(_ html: String, withHidden: Bool) -> (text: String, hides: Bool) {
        var out = String.UnicodeScalarView()
        var rest = html.unicodeScalars[...]
        var (hidden, hides): (Hidden?, Bool) = (nil, false)
        while let scalar = rest.popFirst() {
            switch scalar {
            case "<":
                if rest.starts(with: "!--".unicodeScalars) {
                    skip(&rest, past: "-->")
                    continue
                }
                let text = rest.prefix { $0 != ">" }
                rest = rest.dropFirst(text.count + 1)
                let tag = HTMLTag(text)
                if hidden != nil {
                    guard hidden?.ends(with: tag) == true else { continue }
                    hidden = nil
                    // What ended it by its beginning has its own meaning.
                    if tag.isEnd { continue }
                }
                if Self.hidden.contains(tag.name), !tag.isEnd, !tag.isEmpty {
                    hidden = Hidden(name: tag.name, isRaw: true)
                } else if !withHidden, tag.isHidden {
                    (hidden, hides) = (Hidden(name: tag.name, isRaw: false), true)
                } else if blocks.contains(tag.name) {
                    out.append("\n")
                } else if cells.contains(tag.name) {
                    out.append(" ")
                }
            case _ where hidden != nil: break
            case "&": out.append(reference(&rest))
            default: out.append(scalar.properties.isWhitespace ? " " : scalar)
            }
        }
        return (String(out), hides)
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
        var meaning = known[text]
        if text.hasPrefix("#") {
            let digits = text.dropFirst()
            let number =
                digits.lowercased().hasPrefix("x") ? UInt32(hexadecimal: digits.dropFirst().utf8) : UInt32(digits)
            meaning = number.flatMap(Unicode.Scalar.init)
        }
        guard let meaning else { return "&" }
        rest = rest.dropFirst(name.count + 1)
        return meaning
    }

    /// Characters by their names (HTML, 13.5): those of Latin-1 from 160 on, in their order, and some beyond.
    private static let known: [String: Unicode.Scalar] = {
        let latin = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para \
            middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave \
            Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc \
            Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc \
            iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
            """
        var known: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–", "mdash": "—", "hellip": "…",
            "euro": "€", "rsquo": "’", "lsquo": "‘", "sbquo": "‚", "rdquo": "”", "ldquo": "“", "bdquo": "„",
            "bull": "•",
            "larr": "←", "rarr": "→", "ge": "≥", "le": "≤", "ne": "≠", "trade": "™", "ensp": " ", "emsp": " ",
            "thinsp": " ", "zwnj": "\u{200C}", "zwj": "\u{200D}",
        ]
        for (place, name) in latin.split(separator: " ").enumerated() {
            known[String(name)] = Unicode.Scalar(UInt8(160 + place))
        }
        // Blanks are of one kind.
        known["nbsp"] = " "
        return known
    }()
}
