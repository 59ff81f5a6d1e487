/// Lengths that are computed in a style sheet (CSS Values 4, 10), which litehtml knows nothing of: they are computed for the window.
enum StyleLengths {
    private static let functions = ["calc(", "min(", "max(", "clamp("]

    /// Units that litehtml takes for pixels; parts of the window in margins and places, though not in widths and heights.
    private static let unknown: Set<Substring> = [
        "ch", "lh", "vw", "vh", "vmin", "vmax", "svw", "dvw", "lvw", "svh", "dvh", "lvh", "cqw", "cqi",
    ]
    /// What the name of each of them contains.
    private static let marks = ["ch", "lh", "vw", "vh", "vm", "cq"]

    /// Writes lengths of units that litehtml does not know in pixels.
    private static func withKnownUnits(_ value: String) -> String {
        guard value.utf8.count < 1000, !value.contains("\""), !value.contains("'") else { return value }
        var out = ""
        var rest = value[...]
        while !rest.isEmpty {
            let gap = rest.prefix { $0.isWhitespace || "(,/+*".contains($0) }
            let word = rest[gap.endIndex...].prefix { $0.isLetter || $0.isNumber || "#._-%".contains($0) }
            rest = rest[word.endIndex...]
            let unit = word.drop { !$0.isLetter }
            var reader = Reader(word)
            let length = unknown.contains(unit) ? reader.value()?.text : nil
            out += gap + (length ?? String(word))
            if gap.isEmpty, word.isEmpty, let other = rest.popFirst() { out.append(other) }
        }
        return out
    }

    /// Puts lengths in the place of what computes them; what cannot be computed stays.
    static func written(_ value: String) -> String {
        let value = marks.contains(where: value.contains) ? withKnownUnits(value) : value
        guard functions.contains(where: value.contains), value.utf8.count < 1000 else { return value }
        var out = ""
        var rest = value[...]
        while let open = rest.firstIndex(of: "(") {
            var start = open
            while start > rest.startIndex, case let last = rest[rest.index(before: start)], last.isLetter || last == "-"
            {
                start = rest.index(before: start)
            }
            let name = rest[start..<open]
            guard functions.contains(name + "(") else {
                out += rest[...open]
                rest = rest[rest.index(after: open)...]
                continue
            }
            var reader = Reader(rest[start...])
            guard let length = reader.value(), let text = length.text else { return value }
            out += rest[..<start] + text
            rest = reader.rest
        }
        return out + rest
    }

    /// Pixels, parts of what is around, and a number without a unit.
    private struct Length {
        var pixels = 0.0
        var part = 0.0
        var number = 0.0

        /// In the window, of which the most is as wide as what is around.
        var size: Double { pixels + part * Window.width + number }

        var text: String? {
            let all = [pixels, part, number]
            guard all.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else { return nil }
            if number != 0, pixels == 0, part == 0 { return StyleLengths.rounded(number) }
            return part == 0
                ? StyleLengths.rounded(pixels) + "px" : StyleLengths.rounded((part + pixels / Window.width) * 100) + "%"
        }

        static func + (left: Length, right: Length) -> Length {
            Length(pixels: left.pixels + right.pixels, part: left.part + right.part, number: left.number + right.number)
        }
        static func * (left: Length, factor: Double) -> Length {
            Length(pixels: left.pixels * factor, part: left.part * factor, number: left.number * factor)
        }
    }

    private static func rounded(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let fraction = abs(hundredths % 100)
        return (hundredths < 0 ? "-" : "") + "\(abs(hundredths) / 100)"
            + (fraction == 0 ? "" : fraction < 10 ? ".0\(fraction)" : ".\(fraction)")
    }

    /// Reads sums, products and functions of lengths.
    private struct Reader {
        private(set) var rest: Substring
        private var deep = 0

        init(_ text: Substring) { rest = text }

        private mutating func skipSpace() { rest = rest.drop { $0.isWhitespace } }

        mutating func sum() -> Length? {
            guard var total = product() else { return nil }
            while true {
                skipSpace()
                guard let sign = rest.first, sign == "+" || sign == "-" else { return total }
                rest.removeFirst()
                guard let next = product() else { return nil }
                total = total + next * (sign == "+" ? 1 : -1)
            }
        }

        private mutating func product() -> Length? {
            guard var total = value() else { return nil }
            while true {
                skipSpace()
                guard let sign = rest.first, sign == "*" || sign == "/" else { return total }
                rest.removeFirst()
                guard let next = value() else { return nil }
                if sign == "/" {
                    guard next.number != 0 else { return nil }
                    total = total * (1 / next.number)
                } else {
                    total = next.pixels == 0 && next.part == 0 ? total * next.number : next * total.number
                }
            }
        }

        mutating func value() -> Length? {
            skipSpace()
            deep += 1
            defer { deep -= 1 }
            guard deep < 16 else { return nil }
            let name = rest.prefix { $0.isLetter || $0 == "-" }
            if rest[name.endIndex...].first == "(" {
                rest = rest[name.endIndex...].dropFirst()
                var arguments: [Length] = []
                repeat {
                    guard let argument = sum() else { return nil }
                    arguments.append(argument)
                    skipSpace()
                } while takes(",")
                guard takes(")") else { return nil }
                return result(name, arguments)
            }
            return length()
        }

        private mutating func takes(_ letter: Character) -> Bool {
            guard rest.first == letter else { return false }
            rest.removeFirst()
            return true
        }

        private func result(_ name: Substring, _ arguments: [Length]) -> Length? {
            switch name {
            case "", "calc": arguments.first
            case "min": arguments.min { $0.size < $1.size }
            case "max": arguments.max { $0.size < $1.size }
            case "clamp" where arguments.count == 3:
                [arguments[0], [arguments[1], arguments[2]].min { $0.size < $1.size } ?? arguments[1]].max {
                    $0.size < $1.size
                }
            default: nil
            }
        }

        private mutating func length() -> Length? {
            var isFirst = true
            let digits = rest.prefix { letter in
                defer { isFirst = false }
                return letter.isASCII
                    && (letter.isNumber || letter == "." || isFirst && (letter == "-" || letter == "+"))
            }
            guard let number = Double(digits.hasPrefix(".") ? "0" + digits : String(digits)) else { return nil }
            rest = rest[digits.endIndex...]
            let unit = rest.prefix { $0.isLetter || $0 == "%" }
            rest = rest[unit.endIndex...]
            // Letters of the size that a page begins with.
            let scale: Double? =
                switch unit {
                case "px": 1
                case "rem", "em", "lh": 16
                case "ch", "ex": 8
                case "vw", "vmin", "svw", "dvw", "lvw", "cqw", "cqi": Window.width / 100
                case "vh", "svh", "dvh", "lvh", "vmax": Window.height / 100
                case "pt": 96.0 / 72
                default: nil
                }
            switch unit {
            case "": return Length(number: number)
            case "%": return Length(part: number / 100)
            default: return scale.map { Length(pixels: number * $0) }
            }
        }
    }
}
