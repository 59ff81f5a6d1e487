/// Days as people count them, in UTC.
public enum CivilDate {
    /// As `2024-01-31 12:00`. The days' number becomes a date as in H. Hinnant, "chrono-compatible low-level date
    /// algorithms", by years that begin in March.
    public static func text(secondsSince1970 seconds: Int64) -> String {
        let (days, second) = (Int(seconds / 86_400) + 719_468, Int(seconds % 86_400))
        let era = days / 146_097
        let day = days - era * 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let dayOfMonth = dayOfYear - (153 * shifted + 2) / 5 + 1
        let civilYear = year + era * 400 + (month <= 2 ? 1 : 0)
        return "\(padded(civilYear, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2)) "
            + "\(padded(second / 3600, 2)):\(padded(second % 3600 / 60, 2))"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
