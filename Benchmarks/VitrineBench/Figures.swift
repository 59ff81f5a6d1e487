import Glibc
import Timing
import Vitrine

/// Numbers as people read them.
enum Figures {
    /// The middle one, and the range.
    static func spread(_ values: [Double], digits: Int = 2) -> String {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return "–" }
        return "\(fixed(median(values), digits)) (\(fixed(first, digits))–\(fixed(last, digits)))"
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        if sorted.isEmpty { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    /// With so many digits after the point.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        let scale = pow(10, Double(digits))
        let whole = Int((abs(value) * scale).rounded())
        let text = String(whole)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.utf8.count)) + text
        let sign = value < 0 && whole > 0 ? "-" : ""
        return digits == 0 ? sign + padded : sign + padded.dropLast(digits) + "." + padded.suffix(digits)
    }

    /// Columns of equal width; the first one to the left, the others to the right.
    static func table(_ rows: [[String]]) -> String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + blanks : blanks + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// The same in Markdown.
    static func markdown(_ rows: [[String]]) -> String {
        guard let heads = rows.first else { return "" }
        let rule = ["---"] + heads.dropFirst().map { _ in "---:" }
        let lines = [heads, rule] + rows.dropFirst()
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    /// Milliseconds of each stage, the mean over all files.
    static func stages(_ times: [StageTimes]) -> [String] {
        let stages: [KeyPath<StageTimes, Duration>] = [
            \.lookup, \.sniff, \.wait, \.start, \.render, \.encode, \.store, \.total,
        ]
        return stages.map { stage in fixed(mean(times.map { $0[keyPath: stage].inSeconds * 1000 }), 2) }
    }
}
