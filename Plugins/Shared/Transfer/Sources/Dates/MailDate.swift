public import VitrineKit

/// Dates of mails and feeds: RFC 822 with two or four digits of the year and names of zones, or RFC 3339.
public enum MailDate {
    private static let zones = [
        "UT": "+00:00", "UTC": "+00:00", "GMT": "+00:00", "Z": "+00:00", "EST": "-05:00", "EDT": "-04:00",
        "CST": "-06:00", "CDT": "-05:00", "MST": "-07:00", "MDT": "-06:00", "PST": "-08:00", "PDT": "-07:00",
    ]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// - Returns: `nil` for what is no date.
    public static func parse(_ text: String) -> Timestamp? {
        let text = text.trimmed
        guard text.utf8.count <= 64 else { return nil }
        if let moment = HTTPDate.parse(text) { return moment }
        // A day alone, as Dublin Core allows.
        if text.utf8.count == 10, let moment = HTTPDate.parse(text + "T00:00:00Z") { return moment }
        // Seconds may be left out.
        if text.utf8.count == 17, text.hasSuffix("Z") { return HTTPDate.parse(text.dropLast() + ":00Z") }
        var words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        if let first = words.first, first.utf8.first.map({ $0 > 0x39 }) == true { words.removeFirst() }
        guard words.count >= 4, let day = Int(words[0]), 1...31 ~= day,
            let month = months.firstIndex(of: words[1].prefix(3).lowercased()), var year = Int(words[2])
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        guard 1000...9999 ~= year else { return nil }
        let time = words[3].utf8.count == 5 ? words[3] + ":00" : words[3]
        let name = words.count > 4 ? words[4].uppercased() : "GMT"
        var zone = zones[name] ?? "+00:00"
        if name.utf8.count == 5, name.hasPrefix("+") || name.hasPrefix("-") {
            zone = name.prefix(3) + ":" + name.suffix(2)
        }
        return HTTPDate.parse("\(year)-\(two(month + 1))-\(two(day))T\(time)\(zone)")
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
