/// A moment as calendars write it (RFC 5545, sections 3.3.4 and 3.3.5).
public enum CalendarMoment {
    /// A moment for people: `20261201T090000Z` is 2026-12-01 09:00 UTC. What has no Z is the time of the place, whose zone is left
    /// out.
    /// - Parameter text: as it is written; what is written otherwise is left as it is.
    public static func text(_ text: String) -> String {
        let digits = text.filter { $0.isASCII && $0.isNumber }
        guard digits.count == 8 || digits.count == 14 else { return text }
        func part(_ start: Int, _ count: Int) -> Substring { digits.dropFirst(start).prefix(count) }
        let day = "\(part(0, 4))-\(part(4, 2))-\(part(6, 2))"
        return digits.count == 8 ? day : "\(day) \(part(8, 2)):\(part(10, 2))\(text.hasSuffix("Z") ? " UTC" : "")"
    }
}
