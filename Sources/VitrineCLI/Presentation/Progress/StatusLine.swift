import Glibc

/// One line of the terminal that says how far something is. It is drawn on standard error, so that standard output can be piped,
/// again and again at the same place, and emptied in the end.
enum StatusLine {
    /// What empties the line.
    static let clear = "\r\u{1B}[K"

    /// Columns of a bar: with fewer it tells nothing, with more no more.
    private static let barWidth = 8...22
    /// The fewest columns in which a file is known by its name.
    private static let nameWidth = 8

    /// Draws the line anew.
    static func show(_ text: String) async { _ = await Console.writeAside(clear + text, to: STDERR_FILENO) }

    /// As much as fits into the terminal: the numbers first, then a bar before them, then a name behind them. A number that does
    /// not fit is left out, and with it those that follow: a part of one would be another one.
    /// - Parameters:
    ///   - share: what is done, as a part of 1; `nil` when nobody knows.
    ///   - numbers: what is said of it, what matters most first.
    ///   - current: URI of what was begun last.
    ///   - width: columns of the terminal.
    static func text(
        share: Double?, _ numbers: [String], current: String?, width: Int = Console.width
    ) -> String {
        // Terminals write ^C behind it: with that in another line, this one would stay.
        let room = max(1, width - 2)
        var text = numbers.first ?? ""
        for number in numbers.dropFirst() {
            guard text.columns + 2 + number.columns <= room else { break }
            text += "  " + number
        }
        let free = room - text.columns - 2
        if let share, free >= barWidth.lowerBound {
            text = bar(share, columns: min(free, barWidth.upperBound)) + "  " + text
        }
        let rest = room - text.columns - 2
        guard let current, rest >= nameWidth else { return text.shortened(to: room) }
        return text + "  " + ItemName.short(current).shortened(to: rest)
    }

    private static func bar(_ share: Double, columns: Int) -> String {
        let eighths = Int((min(1, max(0, share)) * Double(columns * 8)).rounded(.down))
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return (String(repeating: "█", count: eighths / 8) + partial).padded(to: columns)
    }
}
