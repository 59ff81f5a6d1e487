/// Reads values as people write them: `true`, `500`, `10s`, `64MiB`.
enum SettingText {
    static func flag(_ text: String) -> Bool? {
        switch text {
        case "true", "yes", "on": true
        case "false", "no", "off": false
        default: nil
        }
    }

    static func whole(_ text: String) -> Int? { Int(text) }

    /// A time: `10s`, `500ms`, `2min`, `1h`, `180d`, or a plain number of seconds; fractions are allowed.
    static func seconds(_ text: String) -> Double? {
        guard let (number, unit) = split(text), let value = decimal(number) else { return nil }
        switch unit {
        case "", "s": return value
        case "ms": return value / 1000
        case "min": return value * 60
        case "h": return value * 3600
        case "d": return value * 86_400
        default: return nil
        }
    }

    /// A size in whole MiB: `64MiB`, `2GiB`, `1TiB`; kB, MB, GB and TB are powers of 1,000; a plain number is bytes.
    /// What is no multiple of a MiB is rounded down.
    static func mebibytes(_ text: String) -> Int? {
        guard let (digits, unit) = split(text), let number = Int64(digits), number >= 0,
            let factor = sizes[unit]
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : Int(bytes >> 20)
    }

    private static let sizes: [String: Int64] = [
        "": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "kB": 1000,
        "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    ]

    /// A number and the unit behind it, with or without a space between.
    private static func split(_ text: String) -> (number: String, unit: String)? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard !number.isEmpty else { return nil }
        var unit = text[number.endIndex...]
        if unit.first == " " { unit = unit.dropFirst() }
        return (String(number), String(unit))
    }

    /// A number without sign and exponent.
    private static func decimal(_ text: String) -> Double? {
        guard text.first != ".", text.last != ".", let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
