internal import Glibc
internal import VitrineKit

/// Colours as litehtml knows them: by name, in hexadecimal, and by red, green and blue with commas between.
enum StyleColours {
    /// Gradients come first: what is left of them may be another function.
    private static let functions = [
        "gradient(", "hsl(", "hsla(", "rgb(", "rgba(", "oklch(", "oklab(", "lab(", "lch(", "hwb(", "color(",
        "color-mix(",
        "light-dark(",
    ]

    private static func colour(_ name: String, _ arguments: Substring) -> String? {
        switch name {
        case "gradient(": firstColour(arguments)
        case "hsl(", "hsla(": fromHue(arguments)
        case "rgb(", "rgba(": fromLight(arguments)
        case "oklch(": fromLightness(arguments)
        default: nil
        }
    }

    /// Puts one colour in the place of functions that make some: of a gradient its first one.
    /// - Returns: nothing for a colour that cannot be told.
    static func written(_ value: String) -> String {
        guard value.contains("(") || value.contains("#") else { return value }
        var written = withLowerNames(value.contains("#") ? withoutShortAlpha(value) : value)
        for name in functions where written.contains(name) {
            guard let text = replaced(written, name) else { return "" }
            written = text
        }
        return written
    }

    /// Names of functions in lower case.
    private static func withLowerNames(_ value: String) -> String {
        guard !value.contains("\""), !value.contains("'") else { return value }
        var out = ""
        var rest = value[...]
        while let open = rest.firstIndex(of: "(") {
            var name = rest[..<open]
            while let last = name.last, last.isLetter || last == "-" { name = name.dropLast() }
            out += name + rest[name.endIndex..<open].lowercased() + "("
            rest = rest[rest.index(after: open)...]
        }
        return out + rest
    }

    private static func replaced(_ style: String, _ name: String) -> String? {
        var out = ""
        var rest = style[...]
        while let found = rest.firstRange(of: name) {
            var head = rest[..<found.lowerBound]
            // `linear-`, `repeating-radial-` and such; other names end in the same letters.
            let isGradient = name == "gradient("
            while let last = head.last, isGradient, last.isLetter || last == "-" { head.removeLast() }
            let inside = rest[found.upperBound...].untilClosed
            if let last = head.last, !isGradient, last.isLetter || last == "-" {
                out += rest[..<found.upperBound]
                rest = rest[found.upperBound...]
                continue
            }
            guard let colour = colour(name, inside) else { return nil }
            out += head + colour
            rest = rest[inside.endIndex...].dropFirst()
        }
        return out + rest
    }

    /// The first argument of a gradient that is neither an angle nor a place.
    private static func firstColour(_ arguments: Substring) -> String {
        let colour = arguments.parts(between: { $0 == "," }).first { part in
            let word = part.drop { $0.isWhitespace }
            return word.first == "#"
                || word.first?.isLetter == true
                    && !["to ", "at ", "circle", "ellipse", "from ", "in "].contains { word.hasPrefix($0) }
        }
        guard let colour else { return "transparent" }
        // Behind it there may be where it ends.
        let word = colour.trimmed
        guard let open = word.firstIndex(of: "(") else { return String(word.prefix { !$0.isWhitespace }) }
        return word[...open] + word[word.index(after: open)...].untilClosed + ")"
    }

    /// The numbers among the arguments of a colour; a part of a hundred is one of `whole`.
    private static func numbers(_ arguments: Substring, whole: [Double]) -> [Double]? {
        var found: [Double] = []
        for (place, word) in arguments.split(whereSeparator: { ", /".contains($0) || $0.isWhitespace }).prefix(4)
            .enumerated()
        {
            let isPart = word.hasSuffix("%")
            let digits = isPart ? word.dropLast() : word.hasSuffix("deg") ? word.dropLast(3) : word
            guard let number = word == "none" ? 0 : Double(digits), number.isFinite, abs(number) < 1e6 else {
                return nil
            }
            found.append(isPart ? number / 100 * whole[place] : number)
        }
        return found.count >= 3 ? found : nil
    }

    /// Red, green and blue with or without commas (CSS Color 4, 5.1).
    private static func fromLight(_ arguments: Substring) -> String? {
        guard !arguments.contains("var(") else {
            let parts = arguments.parts { ", /".contains($0) || $0.isWhitespace }
            return "rgba(\(parts.joined(separator: ",")))"
        }
        return numbers(arguments, whole: [255, 255, 255, 1]).map { written($0.prefix(3).map { $0 / 255 }, alpha: $0) }
    }

    private static func written(_ channels: [Double], alpha numbers: [Double]) -> String {
        let bytes = channels.map { Int((min(max($0, 0), 1) * 255).rounded()) }
        let alpha = numbers.count > 3 ? min(max(numbers[3], 0), 1) : 1
        return "rgba(\(bytes[0]),\(bytes[1]),\(bytes[2]),\(alpha))"
    }

    /// A colour by its hue in degrees, and saturation and lightness in percent (CSS Color 4, 7.1).
    private static func fromHue(_ arguments: Substring) -> String? {
        guard let numbers = numbers(arguments, whole: [360, 100, 100, 1]) else { return nil }
        let (saturation, lightness) = (min(max(numbers[1] / 100, 0), 1), min(max(numbers[2] / 100, 0), 1))
        let channels = [0.0, 8, 4].map { offset in
            var place = (offset + numbers[0] / 30).truncatingRemainder(dividingBy: 12)
            if place < 0 { place += 12 }
            let swing = saturation * min(lightness, 1 - lightness)
            return lightness - swing * max(-1, min(place - 3, 9 - place, 1))
        }
        return written(channels, alpha: numbers)
    }

    /// A colour by its perceived lightness, chroma and hue (CSS Color 4, 9.4 and 10.1).
    private static func fromLightness(_ arguments: Substring) -> String? {
        guard let numbers = numbers(arguments, whole: [1, 0.4, 360, 1]) else { return nil }
        let (lightness, chroma, hue) = (numbers[0], numbers[1], numbers[2] * .pi / 180)
        let (a, b) = (chroma * cos(hue), chroma * sin(hue))
        let long = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
        let middle = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
        let short = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
        let light = [
            4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
        ]
        return written(
            light.map { $0 <= 0.0031308 ? 12.92 * $0 : 1.055 * pow($0, 1 / 2.4) - 0.055 }, alpha: numbers)
    }

    private static func cube(_ value: Double) -> Double { value * value * value }

    /// Colours of four and of eight digits without what they say of transparency, of which litehtml knows nothing there.
    private static func withoutShortAlpha(_ value: String) -> String {
        var out = ""
        var rest = value[...]
        while let mark = rest.firstIndex(of: "#") {
            let digits = rest[rest.index(after: mark)...].prefix { $0.isHexDigit }
            out += rest[..<mark]
            let step = digits.count == 4 ? 1 : 2
            if digits.count == 4 || digits.count == 8 {
                let parts = stride(from: 0, to: digits.count, by: step).map { place -> Int in
                    let part = digits.dropFirst(place).prefix(step)
                    return (Int(hexadecimal: part.utf8) ?? 0) * (step == 1 ? 17 : 1)
                }
                out += "rgba(\(parts[0]),\(parts[1]),\(parts[2]),\(Double(parts[3] * 100 / 255) / 100))"
            } else {
                out += "#" + digits
            }
            rest = rest[digits.endIndex...]
        }
        return out + rest
    }
}
