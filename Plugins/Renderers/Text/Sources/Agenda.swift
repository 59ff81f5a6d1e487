internal import MIME

/// The events, tasks and notes of a calendar (iCalendar, RFC 5545, and vCalendar before it), in the order of the file.
enum Agenda {
    static let type = "text/calendar"
    /// More than a page has.
    private static let limit = 60
    private static let entries: Set = ["VEVENT", "VTODO", "VJOURNAL"]

    /// The paragraphs of the calendar's name and of the first entries.
    /// - Parameter bytes: the calendar, or its beginning.
    static func blocks(_ bytes: [UInt8]) -> [TextBlock] {
        var blocks: [TextBlock] = []
        // An entry has parts of its own, such as alarms, which have the same properties.
        var path: [String] = []
        var found: [String: String] = [:]
        for line in ContentLine.lines(bytes) {
            guard blocks.count < limit, path.count < 16 else { break }
            switch line.property {
            case "BEGIN":
                path.append(line.text.uppercased())
                if entries.contains(path.last ?? "") { found = [:] }
            case "END":
                if let last = path.popLast(), entries.contains(last) {
                    blocks += paragraphs(found)
                    found = [:]
                }
            case "X-WR-CALNAME" where blocks.isEmpty:
                blocks.append(TextBlock(PlainText.cleaned(line.text), .heading(1)))
            case let property where entries.contains(path.last ?? ""):
                if found[property] == nil { found[property] = line.text }
            default: break
            }
        }
        // What is attached to it may be long, so that its end is missing.
        if found["SUMMARY"] != nil, blocks.count < limit { blocks += paragraphs(found) }
        return blocks
    }

    private static func paragraphs(_ entry: [String: String]) -> [TextBlock] {
        let moment = (entry["DTSTART"] ?? entry["DUE"]).map(CalendarMoment.text)
        let place = [moment, entry["LOCATION"]].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
        let words = [place, entry["DESCRIPTION"] ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
        let title = TextBlock(PlainText.cleaned(entry["SUMMARY"] ?? "–"), .heading(2))
        return words.isEmpty ? [title] : [title, TextBlock(PlainText.cleaned(words))]
    }
}
