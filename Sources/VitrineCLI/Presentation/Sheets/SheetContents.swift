import Vitrine
import VitrineKit

/// What every contact sheet says, whatever it is written as.
struct SheetContents {
    let survey: Survey
    let summary: RunSummary

    /// A folder with what lies right in it.
    struct Folder {
        var name: String
        var entries: [Survey.Entry] = []

        /// How many files, and how large together.
        var detail: String {
            let bytes = entries.reduce(Int64(0)) { $0.addingReportingOverflow(max(0, $1.bytes ?? 0)).partialValue }
            return "\(Quantity.count(entries.count, "file")), \(Quantity.bytes(bytes))"
        }

        /// Whether its kinds of files get headings: only where they fill rows. In a folder with a little of everything a
        /// heading above each file would leave the sheet empty.
        var showsKinds: Bool {
            let kinds = Set(entries.map(\.kind)).count
            return kinds > 1 && entries.count >= kinds * Self.filesOfARow
        }

        /// As many as stand beside each other on an ordinary screen.
        private static let filesOfARow = 6
    }

    /// The folders, in the order of the survey.
    var folders: [Folder] {
        var groups: [Folder] = []
        var last = ""
        for entry in survey.entries {
            let folder = entry.uri[..<(entry.uri.lastIndex(of: "/") ?? entry.uri.startIndex)]
            if groups.isEmpty || folder != last[...] {
                groups.append(Folder(name: name(of: String(folder), in: entry.source)))
                last = String(folder)
            }
            groups[groups.count - 1].entries.append(entry)
        }
        return groups
    }

    /// A folder as seen from where the run began.
    private func name(of folder: String, in source: String) -> String {
        let root = ItemName.short(source)
        guard folder.hasPrefix(source), folder.count > source.count else { return root.isEmpty ? "/" : root }
        let rest = folder.dropFirst(source.count).drop { $0 == "/" }
        return root + " / " + rest.split(separator: "/").map { ItemName.short(String($0)) }.joined(separator: " / ")
    }

    /// The names of what the run was over.
    var title: String {
        let names = summary.sources.map { ItemName.short($0) }.filter { !$0.isEmpty }
        return names.isEmpty ? "Files" : names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " …" : "")
    }

    /// What files are called of which no previews are made.
    static let others = "Others, which get no preview"

    /// How many there are of each kind, the most first; 0 for a sentence without a number.
    var counts: [(number: Int, text: String)] {
        var parts = Dictionary(grouping: survey.entries, by: \.kind).map { (number: $1.count, text: $0) }
        parts.sort { ($1.number, $0.text) < ($0.number, $1.text) }
        if parts.isEmpty { parts = [(0, "No file here gets a preview")] }
        if summary.skipped > 0 { parts.append((summary.skipped, Self.others)) }
        return parts
    }

    /// What was left out, in sentences; `nil` for nothing.
    var omissions: String? {
        var sentences: [String] = []
        if survey.omitted > 0 {
            sentences.append("\(survey.omitted) more files were left out: a sheet shows \(Survey.mostEntries) at most.")
        }
        if survey.withoutPicture > 0 {
            sentences.append(
                "\(survey.withoutPicture) pictures were left out, so that the sheet stays small enough to open.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Pages or duration, pixels, and bytes.
    func facts(_ entry: Survey.Entry) -> String {
        var parts: [String] = []
        if let pages = entry.facts.pages, pages > 0, entry.facts.size == nil || pages > 1 {
            parts.append(Quantity.count(pages, "page"))
        }
        if let duration = entry.facts.duration, duration > 0, duration < 1e9 { parts.append(Self.length(duration)) }
        if let size = entry.facts.size { parts.append("\(size.width) × \(size.height)") }
        if let bytes = entry.bytes { parts.append(Quantity.bytes(bytes)) }
        return parts.joined(separator: " · ")
    }

    /// A duration as players show it: `3:05`, `1:02:03`.
    private static func length(_ duration: Double) -> String {
        let seconds = Int(duration.rounded())
        // What would be shown as 0:00 is not nothing.
        if seconds == 0 { return Quantity.seconds(duration) }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if seconds < 3600 { return "\(seconds / 60):\(two(seconds % 60))" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
