import Glibc
import VitrineKit

/// Values of the options of `vitrine find` as people write them.
enum FindOptions {
    /// The beginning of a day, month or year in the user's time zone, or a moment: `2025`, `2025-01`, `2025-01-31`,
    /// `2025-01-31 09:05`, `2025-01-31T08:05:00.5Z` as RFC 3339 has it; `7d` is seven days ago, `12h` twelve hours.
    /// - Returns: seconds since 1970, rounded down.
    static func moment(_ text: String, _ option: String, now: Int64 = Int64(time(nil))) throws(PluginError) -> Int64 {
        if let last = text.last, let seconds = ["h": 3600, "d": 86_400, "w": 604_800][last] as Int64?,
            let count = Int64(text.dropLast()), 0...1_000_000 ~= count
        {
            return now - count * seconds
        }
        if let moment = date(text) { return moment }
        throw PluginError(
            .invalidArgument,
            "'\(DisplayText.of(text))' is no date for \(option); write 2025, 2025-01-31, '2025-01-31 09:05', "
                + "2025-01-31T08:05:00Z or 7d for seven days ago")
    }

    /// `YYYY[-MM[-DD[ HH:MM[:SS[.FRACTION]][ZONE]]]]`, with a `T` in place of the blank if one likes; without a zone in
    /// that of the user.
    private static func date(_ text: String) -> Int64? {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == " " || $0 == "T" || $0 == "t" }
        let day = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        var clock = halves.count == 2 ? halves[1] : ""
        let offset = takeZone(from: &clock)
        let hasFraction = takeFraction(from: &clock)
        let hour = halves.count == 2 ? clock.split(separator: ":", omittingEmptySubsequences: false) : []
        guard 1...3 ~= day.count, halves.count == 1 || (day.count == 3 && (hasFraction ? 3 : 2)...3 ~= hour.count),
            (day + hour).allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }), day[0].count == 4,
            (day.dropFirst() + hour).allSatisfy({ $0.count == 2 })
        else { return nil }
        func part(_ parts: [Substring], _ index: Int, _ other: CInt) -> CInt {
            index < parts.count ? CInt(parts[index]) ?? other : other
        }
        var fields = tm()
        fields.tm_year = part(day, 0, 0) - 1900
        fields.tm_mon = part(day, 1, 1) - 1
        fields.tm_mday = part(day, 2, 1)
        fields.tm_hour = part(hour, 0, 0)
        fields.tm_min = part(hour, 1, 0)
        fields.tm_sec = part(hour, 2, 0)
        fields.tm_isdst = -1
        let isSound = 0...23 ~= fields.tm_hour && 0...59 ~= fields.tm_min && 0...59 ~= fields.tm_sec
        let wanted = (fields.tm_year, fields.tm_mon, fields.tm_mday)
        let moment = offset.map { Int64(timegm(&fields)) - $0 } ?? Int64(mktime(&fields))
        // Both make the third of March of the thirty-first of February.
        return isSound && wanted == (fields.tm_year, fields.tm_mon, fields.tm_mday) ? moment : nil
    }

    /// Takes `Z`, `+01:00`, `+0100` or `+01` off the end of a time, and leaves there what is none of them.
    /// - Returns: seconds east of Greenwich; `nil` where there is no zone.
    private static func takeZone(from clock: inout Substring) -> Int64? {
        if clock.last == "Z" || clock.last == "z" {
            clock.removeLast()
            return 0
        }
        guard let mark = clock.firstIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let zone = Array(clock[clock.index(after: mark)...].utf8)
        let digits = zone.count == 5 && zone[2] == UInt8(ascii: ":") ? zone[..<2] + zone[3...] : zone[...]
        guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let numbers = digits.map { Int64($0) - 0x30 }
        let hours = numbers[0] * 10 + numbers[1]
        let minutes = numbers.count == 4 ? numbers[2] * 10 + numbers[3] : 0
        guard hours < 24, minutes < 60 else { return nil }
        let isWest = clock[mark] == "-"
        clock = clock[..<mark]
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Takes a fraction of a second off the end of a time, where digits are behind the mark: files are found by whole
    /// seconds.
    /// - Returns: whether there was one.
    private static func takeFraction(from clock: inout Substring) -> Bool {
        guard let mark = clock.firstIndex(where: { $0 == "." || $0 == "," }) else { return false }
        let digits = clock[clock.index(after: mark)...].utf8
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
        clock = clock[..<mark]
        return true
    }
}
