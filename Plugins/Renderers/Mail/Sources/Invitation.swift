internal import MIME

/// What a calendar in a mail invites to (iTIP in mails, RFC 6047), in words.
enum Invitation {
    private static let entries: Set = ["VEVENT", "VTODO", "VJOURNAL"]

    /// What the first entry is called, when and where it is, and what is said of it.
    /// - Parameter calendar: in iCalendar (RFC 5545), or its beginning.
    /// - Returns: nothing where there is no entry.
    static func words(_ calendar: [UInt8]) -> String {
        // An entry has parts of its own, such as alarms, which have the same properties.
        var path: [String] = []
        var found: [String: String] = [:]
        for line in ContentLine.lines(calendar) {
            let isEntry = entries.contains(path.last ?? "")
            if line.property == "BEGIN" {
                guard path.count < 16 else { break }
                path.append(line.text.uppercased())
            } else if line.property == "END" {
                path.removeLast(path.isEmpty ? 0 : 1)
                if isEntry { break }
            } else if isEntry, found[line.property] == nil {
                found[line.property] = line.text
            }
        }
        let start = (found["DTSTART"] ?? found["DUE"]).map(CalendarMoment.text)
        let parts = [found["SUMMARY"], start, found["LOCATION"], found["DESCRIPTION"]]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
