import Glibc
import VitrineKit

/// Values of the options of `vitrine find` as people write them.
enum FindOptions {
    /// Bytes: `500`, `10k`, `10M`, `2GB` in powers of 1,000, `10MiB` in powers of 1,024.
    static func bytes(_ text: String, _ option: String) throws(PluginError) -> Int64 {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let factor = units[text[digits.endIndex...].lowercased()]
        if let number = Int64(digits), let factor {
            let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
            if !overflow { return bytes }
        }
        throw PluginError(
            .invalidArgument,
            "'\(DisplayText.of(text))' is no size for \(option); write a number of bytes, or one such as 10k, 10M, 2G or "
                + "10MiB")
    }

    private static let units: [String: Int64] = [
        "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
        "gb": 1_000_000_000, "t": 1_000_000_000_000, "tb": 1_000_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
        "gib": 1 << 30, "tib": 1 << 40,
    ]

    /// The beginning of a day, month or year in the user's time zone, or a moment: `2025`, `2025-01`, `2025-01-31`,
    /// `2025-01-31 09:05`; `7d` is seven days ago, `12h` twelve hours.
    /// - Returns: seconds since 1970.
    static func moment(_ text: String, _ option: String, now: Int64 = Int64(time(nil))) throws(PluginError) -> Int64 {
        if let last = text.last, let seconds = ["h": 3600, "d": 86_400, "w": 604_800][last] as Int64?,
            let count = Int64(text.dropLast()), 0...1_000_000 ~= count
        {
            return now - count * seconds
        }
        if let moment = date(text) { return moment }
        throw PluginError(
            .invalidArgument,
            "'\(DisplayText.of(text))' is no date for \(option); write 2025, 2025-01-31, '2025-01-31 09:05' or 7d for seven "
                + "days ago")
    }

    /// `YYYY[-MM[-DD[ HH:MM[:SS]]]]`, with a `T` in place of the blank if one likes, in the user's time zone.
    private static func date(_ text: String) -> Int64? {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }
        let day = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        let hour = halves.count == 2 ? halves[1].split(separator: ":", omittingEmptySubsequences: false) : []
        guard 1...3 ~= day.count, halves.count == 1 || (day.count == 3 && 2...3 ~= hour.count),
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
        let moment = mktime(&fields)
        // mktime makes the third of March of the thirty-first of February.
        return isSound && wanted == (fields.tm_year, fields.tm_mon, fields.tm_mday) ? Int64(moment) : nil
    }
}
