/// Writes style sheets anew where litehtml would misread them: what it does not know it takes for black, and for true.
enum StyleRewriter {
    /// Features of media that litehtml holds for true because it does not know them: those of users, which nobody is here.
    private static let features = [
        "prefers-", "forced-colors", "inverted-colors", "hover", "pointer", "display-mode", "print",
    ]

    /// - Parameter style: a style sheet, or markup with such in it.
    static func rewritten(_ style: String) -> String {
        var style = style
        if style.contains("@media") { style = withoutMedia(style) }
        for name in ["gradient(", "hsl(", "hsla("] where style.contains(name) { style = withColours(style, name) }
        return style
    }

    /// Leaves out what is meant for other media.
    private static func withoutMedia(_ style: String) -> String {
        var out = ""
        var rest = style[...]
        while let found = rest.firstRange(of: "@media") {
            out += rest[..<found.lowerBound]
            let query = rest[found.lowerBound...].prefix { $0 != "{" && $0 != "}" && $0 != "<" }
            rest = rest[query.endIndex...]
            guard features.contains(where: query.contains), rest.first == "{" else {
                out += query
                continue
            }
            var depth = 0
            let end = rest.utf8.firstIndex { byte in
                depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
                return depth == 0
            }
            rest = end.map { rest[rest.index(after: $0)...] } ?? ""
        }
        return out + rest
    }

    /// Puts one colour in the place of functions that make some: of a gradient its first one.
    private static func withColours(_ style: String, _ name: String) -> String {
        var out = ""
        var rest = style[...]
        while let found = rest.firstRange(of: name) {
            var head = rest[..<found.lowerBound]
            // `linear-`, `repeating-radial-` and such.
            while let last = head.last, name == "gradient(", last.isLetter || last == "-" { head.removeLast() }
            out += head
            var depth = 1
            let inside = rest[found.upperBound...].prefix { letter in
                depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
                return depth > 0
            }
            rest = rest[inside.endIndex...].dropFirst()
            out += name == "gradient(" ? firstColour(inside) : fromHue(inside)
        }
        return out + rest
    }

    /// The first argument of a gradient that is neither an angle nor a place.
    private static func firstColour(_ arguments: Substring) -> String {
        var depth = 0
        let parts = arguments.split { letter in
            depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
            return letter == "," && depth == 0
        }
        let colour = parts.first { part in
            let word = part.drop { $0.isWhitespace }
            return word.first == "#" || word.hasPrefix("rgb")
                || word.first?.isLetter == true
                    && !["to ", "at ", "circle", "ellipse", "var"].contains { word.hasPrefix($0) }
        }
        guard let colour else { return "transparent" }
        // Behind it there may be where it ends.
        let word = colour.drop { $0.isWhitespace }
        return String(word.hasPrefix("rgb") ? word.prefix { $0 != ")" } + ")" : word.prefix { !$0.isWhitespace })
    }

    /// A colour by its hue in degrees, and saturation and lightness in percent (CSS Color 4, 7.1).
    private static func fromHue(_ arguments: Substring) -> String {
        let numbers = arguments.split { ", /%".contains($0) || $0.isWhitespace }.prefix(4).compactMap {
            Double($0.replacing("deg", with: ""))
        }
        guard numbers.count >= 3, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else { return "transparent" }
        let (saturation, lightness) = (min(max(numbers[1] / 100, 0), 1), min(max(numbers[2] / 100, 0), 1))
        let channels = [0.0, 8, 4].map { offset in
            var place = (offset + numbers[0] / 30).truncatingRemainder(dividingBy: 12)
            if place < 0 { place += 12 }
            let swing = saturation * min(lightness, 1 - lightness)
            return Int(((lightness - swing * max(-1, min(place - 3, 9 - place, 1))) * 255).rounded())
        }
        let alpha = numbers.count > 3 ? min(max(numbers[3], 0), 1) : 1
        return "rgba(\(channels[0]),\(channels[1]),\(channels[2]),\(alpha))"
    }
}
