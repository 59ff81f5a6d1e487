/// A moment as a file tells it, which often knows less than a clock: a day without a time, a time without a zone.
public struct FactDate: Hashable, Sendable {
    /// As in ISO 8601: `2024`, `2024-05`, `2024-05-03`, `2024-05-03T14:02:11`, or that with `Z` or `+02:00` behind it.
    public let text: String

    /// Reads what people's programs write: ISO 8601, EXIF's `2024:05:03 14:02:11`, PDF's `D:20240503140211+02'00'`.
    /// Fractions of seconds are dropped.
    /// - Parameter written: what a file says.
    /// - Returns: `nil` when it does not begin with a year, or when a part of it is out of range; EXIF's and ID3's zeros are
    ///   none.
    public init?(_ written: String) {
        var rest = Array(written.utf8.prefix(64))[...]
        while let first = rest.first, first <= 0x20 { rest = rest.dropFirst() }
        if rest.starts(with: "D:".utf8) { rest = rest.dropFirst(2) }
        guard let year = Self.digits(4, &rest), 1...9999 ~= year else { return nil }
        var parts: [Int] = []
        let ranges = [1...12, 1...31, 0...23, 0...59, 0...60]
        while parts.count < ranges.count {
            let before = rest
            if let next = rest.first, Self.separators.contains(next) { rest = rest.dropFirst() }
            guard let part = Self.digits(2, &rest) else {
                rest = before
                break
            }
            guard ranges[parts.count] ~= part else { return nil }
            parts.append(part)
        }
        // An hour without minutes is none.
        if parts.count == 3 { parts.removeLast() }
        var text = String(("000" + String(year)).suffix(4))
        for (part, mark) in zip(parts, ["-", "-", "T", ":", ":"]) { text += mark + Self.two(part) }
        if parts.count == 4 { text += ":00" }
        if parts.count > 3 { text += Self.zone(rest) }
        self.text = text
    }

    /// A moment of the clock, in UTC.
    /// - Parameter seconds: since 1970, without leap seconds.
    /// - Returns: `nil` outside of the years 1 to 9999.
    public init?(secondsSince1970 seconds: Int64) {
        guard -62_135_596_800..<253_402_300_800 ~= seconds else { return nil }
        let days = (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
        let time = Int(seconds - days * 86_400)
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years that begin in March, eras of 400 of them.
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let day = shifted - era * 146_097
        let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        self.init(
            String(("000" + String(year)).suffix(4)) + "-" + Self.two(month < 10 ? month + 3 : month - 9) + "-"
                + Self.two(dayOfYear - (153 * month + 2) / 5 + 1) + "T" + Self.two(time / 3600) + ":"
                + Self.two(time / 60 % 60) + ":" + Self.two(time % 60) + "Z")
    }

    private static let separators = Set("-:/. T".utf8)

    /// A zone behind a time, and fractions of a second before it; nothing when there is none.
    private static func zone(_ written: ArraySlice<UInt8>) -> String {
        var rest = written
        if let mark = rest.first, mark == 0x2E || mark == 0x2C {
            rest = rest.dropFirst().drop { 0x30...0x39 ~= $0 }
        }
        while rest.first == 0x20 { rest = rest.dropFirst() }
        guard let sign = rest.popFirst() else { return "" }
        if sign == 0x5A || sign == 0x7A { return "Z" }
        guard sign == 0x2B || sign == 0x2D, let hours = digits(2, &rest), hours <= 14 else { return "" }
        if let mark = rest.first, mark == 0x27 || mark == 0x3A { rest = rest.dropFirst() }
        let minutes = digits(2, &rest) ?? 0
        guard minutes < 60 else { return "" }
        return (sign == 0x2B ? "+" : "-") + two(hours) + ":" + two(minutes)
    }

    private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        let part = rest.prefix(count)
        guard part.count == count, part.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest = rest.dropFirst(count)
        return part.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
