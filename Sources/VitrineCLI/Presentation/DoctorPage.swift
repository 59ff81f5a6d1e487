import Containment
import Doctor
import Vitrine

/// The findings of `vitrine doctor`, as a page for people: areas, a line for each finding, advice below it, and a command on a
/// line of its own, so that it can be copied.
struct DoctorPage {
    let findings: [Finding]
    /// Columns.
    let width: Int

    /// A page as wide as the terminal, within reason.
    static func fitting(_ findings: [Finding]) -> DoctorPage {
        DoctorPage(findings: findings, width: min(max(Console.outputWidth, 40), 110))
    }

    /// Whether there is neither a problem nor a warning.
    static func isWell(_ findings: [Finding]) -> Bool {
        !findings.contains { $0.state == .problem || $0.state == .warning }
    }

    var lines: [String] {
        var lines = ["Vitrine \(VitrineVersion.text)"]
        var shown: [Row] = []
        for area in Finding.Area.allCases {
            let rows = rows(of: area)
            shown += rows
            guard !rows.isEmpty else { continue }
            lines += ["", Self.title(area)]
            // A long path as subject gets a line of its own instead of pushing all the others aside.
            let subjects = min(rows.map { $0.subject.columns }.max() ?? 0, 18)
            for row in rows { lines += self.lines(row, subjects) }
        }
        return lines + ["", Self.sum(shown)]
    }

    private struct Row: Hashable {
        var state: Finding.State
        var subject: String
        var text: String
        var advice: String?
        var command: String?
    }

    /// Layers that hold are left out: the line of the level counts them. One that is missing everywhere for the same
    /// reason is one line.
    private func rows(of area: Finding.Area) -> [Row] {
        var rows: [Row] = []
        var merged: [Row: [String]] = [:]
        for finding in findings where finding.area == area {
            var row = Row(
                state: finding.state, subject: finding.subject, text: finding.text, advice: finding.advice,
                command: finding.command)
            guard let layer = finding.layer else {
                rows.append(row)
                continue
            }
            if finding.state == .ok { continue }
            row.subject = layer.rawValue
            merged[row, default: []].append(finding.subject)
        }
        let layers = merged.sorted { ($0.key.subject, $0.key.text) < ($1.key.subject, $1.key.text) }
        return ([.plugins, .containment].contains(area) ? Self.gathered(rows) : rows)
            + layers.map { row, renderers in
                var row = row
                row.text += " (\(renderers.joined(separator: ", ")))"
                return row
            }
    }

    /// Plugins of which nothing but the same good news is to be said are one line: what is wrong must not drown in them.
    private static func gathered(_ rows: [Row]) -> [Row] {
        let alike = Dictionary(grouping: rows.filter { $0.state == .ok }, by: \.text)
            .filter { $0.value.count > 3 }
        var told: Set<String> = []
        return rows.compactMap { row in
            guard row.state == .ok, let group = alike[row.text] else { return row }
            guard told.insert(row.text).inserted else { return nil }
            var row = row
            row.subject = "\(group.count) plugins"
            row.text += " (\(group.map(\.subject).sorted().joined(separator: ", ")))"
            return row
        }
    }

    private func lines(_ row: Row, _ subjects: Int) -> [String] {
        let indent = String(repeating: " ", count: 4 + subjects + 2)
        let head = "  \(Self.sign(row.state)) "
        var lines: [String] = []
        let wrapped = row.text.broken(to: width - indent.count)
        if row.subject.columns > subjects {
            lines.append(head + row.subject)
            lines += wrapped.map { indent + $0 }
        } else {
            lines.append(head + row.subject.padded(to: subjects + 2) + (wrapped.first ?? ""))
            lines += wrapped.dropFirst().map { indent + $0 }
        }
        var advice = row.advice.map { ("→ " + $0).broken(to: width - indent.count) } ?? []
        // However long it is: a command that is broken in two does something else.
        if let command = row.command { advice.append((advice.isEmpty ? "→ " : "") + command) }
        return lines + advice.enumerated().map { indent + ($0.offset > 0 ? "  " : "") + $0.element }
    }

    private static func sign(_ state: Finding.State) -> String {
        switch state {
        case .ok: "✓"
        case .note: "·"
        case .warning: "!"
        case .problem: "✗"
        }
    }

    private static func title(_ area: Finding.Area) -> String {
        switch area {
        case .settings: "Settings"
        case .program: "Program"
        case .plugins: "Plugins"
        case .containment: "Containment"
        case .libraries: "Libraries"
        case .data: "Fonts and types"
        case .cache: "Cache"
        case .library: "Sources, collections and notes"
        case .desktops: "File managers"
        case .clock: "Clock"
        case .sources: "Folders"
        }
    }

    private static func sum(_ rows: [Row]) -> String {
        let problems = rows.count { $0.state == .problem }
        let warnings = rows.count { $0.state == .warning }
        if problems + warnings == 0 { return "All is well." }
        return Quantity.count(problems, "problem") + ", " + Quantity.count(warnings, "warning")
    }
}
