/// A declaration of a style sheet, which is written anew where litehtml takes what it does not know for black or for nothing, and where
/// the page is laid out as its own reflection.
struct StyleDeclaration {
    private let name: String
    private let value: String
    /// With its exclamation mark.
    private let rank: String

    /// - Parameter bytes: without the semicolon.
    init?(_ bytes: [UInt8]) {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon < bytes.count - 1 else {
            return nil
        }
        name = String(decoding: bytes[..<colon], as: UTF8.self).trimmed.lowercased()
        let written = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
        if let mark = written.lastIndex(of: "!"),
            written[mark...].lowercased().filter({ !$0.isWhitespace }) == "!important"
        {
            (value, rank) = (String(written[..<mark].trimmed), "!important")
        } else {
            (value, rank) = (String(written.trimmed), "")
        }
        guard !name.isEmpty, !value.isEmpty else { return nil }
    }

    /// Bytes that a style sheet puts before or behind each of many elements.
    private static let longestContent = 500

    /// Writes it anew.
    /// - Parameter isMirrored: whether left is right.
    func write(into out: inout [UInt8], isMirrored: Bool) {
        var (name, value) = (name, value)
        if name.hasPrefix("--") {
            let value = Self.written(value)
            if !value.isEmpty { put(name, value, into: &out) }
            return
        }
        if isMirrored { (name, value) = (Self.reflected(name), reflectedValue) }
        if name == "background-image", value.lowercased().contains("gradient(") {
            writeGradient(value, into: &out)
            return
        }
        value = Self.written(value)
        guard !value.isEmpty, name != "content" || value.utf8.count <= Self.longestContent else { return }
        // Of sizes with names of one browser's own, litehtml makes nothing.
        if name.hasSuffix("width") || name.hasSuffix("height"), value.first == "-", !value.contains(where: \.isNumber) {
            return
        }
        if name == "display" {
            writeDisplay(value.lowercased(), into: &out)
        } else if name == "position" {
            writePosition(value.lowercased(), into: &out)
        } else if let sides = Self.sides[name] {
            writeSides(sides, value, into: &out)
        } else {
            if name == "background" || name == "background-image" { put("-gradient", "none", into: &out) }
            put(
                name,
                Self.physical[value.lowercased()].map { name.contains("align") || name == "float" ? $0 : value }
                    ?? value, into: &out)
        }
    }

    private func put(_ name: String, _ value: String, into out: inout [UInt8]) {
        out += name.utf8
        out.append(UInt8(ascii: ":"))
        out += value.utf8
        out += rank.utf8
        out.append(UInt8(ascii: ";"))
    }

    /// A value with colours, lengths and variables as litehtml knows them.
    private static func written(_ value: String) -> String {
        StyleVariables.written(StyleLengths.written(StyleColours.written(value)))
    }

    /// litehtml knows of no gradients: one becomes a colour below the first of the pictures beside it.
    private func writeGradient(_ value: String, into out: inout [UInt8]) {
        let layers = value.parts { $0 == "," }.map { String($0.trimmed) }
        func isGradient(_ layer: String) -> Bool { layer.lowercased().contains("gradient(") }
        put("background-image", layers.first { !isGradient($0) }.map(Self.written) ?? "none", into: &out)
        let colour = layers.first(where: isGradient).map(Self.written) ?? ""
        put("-gradient", colour.isEmpty ? "none" : colour, into: &out)
    }

    /// Boxes that arrange what is in them are for litehtml blocks, which elements of our own lay out.
    private func writeDisplay(_ value: String, into out: inout [UInt8]) {
        // What Safari called a box first, and others still do where they cut a text after some lines.
        let value = ["-webkit-flex": "flex", "-webkit-inline-flex": "inline-flex"][value] ?? value
        let arrangement: String? =
            switch value {
            case "flex", "inline-flex": "flex"
            case "grid", "inline-grid": "grid"
            case "-webkit-box", "-webkit-inline-box": "box"
            default: nil
            }
        let display: String? =
            switch value {
            case "flex", "grid", "flow-root", "contents", "-webkit-box": "block"
            case "inline-flex", "inline-grid", "-webkit-inline-box": "inline-block"
            // Rows of these would lie one upon the other.
            case "table-header-group", "table-footer-group": "table-row-group"
            case _ where value.hasPrefix("-"): nil
            default: value
            }
        guard let display else { return }
        put("display", display, into: &out)
        put("-arrangement", arrangement ?? "none", into: &out)
    }

    /// What stays in sight while a page is moved is in its place in one that is not, however near to an edge it may come (CSS Positioned
    /// Layout 3, 3.4); what litehtml does not know it takes for what hangs in the window.
    private func writePosition(_ value: String, into out: inout [UInt8]) {
        let isSticky = ["sticky", "-webkit-sticky"].contains(value)
        let position: String? =
            switch value {
            case "static", "relative", "absolute", "fixed", "inherit": value
            case _ where isSticky: "relative"
            case "initial", "unset", "revert", "revert-layer": "static"
            case _ where value.contains("var("): value
            default: nil
            }
        guard let position else { return }
        put("position", position, into: &out)
        put("-sticky", isSticky ? "yes" : "no", into: &out)
    }

    /// Sides by the direction of the writing (CSS Logical Properties 1), and what they are in a page from left to right: one from
    /// right to left is laid out as such a one, too.
    private static let sides: [String: [String]] = {
        var sides: [String: [String]] = [
            "inset": ["top", "right", "bottom", "left"], "inset-inline": ["left", "right"],
            "inset-block": ["top", "bottom"],
            "inset-inline-start": ["left"], "inset-inline-end": ["right"], "inset-block-start": ["top"],
            "inset-block-end": ["bottom"], "inline-size": ["width"], "block-size": ["height"],
            "max-inline-size": ["max-width"], "min-block-size": ["min-height"], "min-inline-size": ["min-width"],
        ]
        for name in ["margin", "padding", "border"] {
            sides["\(name)-inline"] = ["\(name)-left", "\(name)-right"]
            sides["\(name)-block"] = ["\(name)-top", "\(name)-bottom"]
            sides["\(name)-inline-start"] = ["\(name)-left"]
            sides["\(name)-inline-end"] = ["\(name)-right"]
            sides["\(name)-block-start"] = ["\(name)-top"]
            sides["\(name)-block-end"] = ["\(name)-bottom"]
        }
        return sides
    }()
    private static let physical = ["start": "left", "end": "right", "inline-start": "left", "inline-end": "right"]

    private func writeSides(_ sides: [String], _ value: String, into out: inout [UInt8]) {
        let values = name.hasPrefix("border") ? [value] : Self.words(value)
        for (index, side) in sides.enumerated() {
            // As in the shorthands of CSS: what is missing is as on the other side, or as the first.
            let place = index < values.count ? index : index == 3 && values.count > 1 ? 1 : 0
            if values.indices.contains(place) { put(side, values[place], into: &out) }
        }
    }

    private static func words(_ value: String) -> [String] { value.parts { $0.isWhitespace }.map { String($0) } }

    /// A name or a value with left and right exchanged.
    private static func reflected(_ text: String) -> String {
        var out = ""
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix { $0.isLetter }
            out += word == "left" ? "right" : word == "right" ? "left" : String(word)
            rest = rest[word.endIndex...]
            if let sign = rest.popFirst() { out.append(sign) }
        }
        return out
    }

    private var reflectedValue: String {
        switch name {
        case "margin", "padding", "border-width", "border-style", "border-color", "inset":
            let words = Self.words(value)
            return words.count == 4 ? [words[0], words[3], words[2], words[1]].joined(separator: " ") : value
        case "border-radius":
            let words = Self.words(value)
            return words.count == 4 ? [words[1], words[0], words[3], words[2]].joined(separator: " ") : value
        case "text-align", "float", "clear", "background", "background-position", "caption-side":
            return Self.reflected(value)
        default: return value
        }
    }
}
