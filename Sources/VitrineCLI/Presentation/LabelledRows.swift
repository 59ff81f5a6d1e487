import Glibc

/// Labels, and what there is to say beside them: broken between words where a terminal is narrow.
struct LabelledRows {
    /// What is told, from top to bottom. One without a label belongs to the row above it.
    var rows: [(String, String)]
    /// Columns that labels take at least, with the blanks behind them.
    var labels = 10

    /// Writes them to standard output. What is no terminal gets each row on one line.
    func show() {
        let width = Console.isTerminal(STDOUT_FILENO) ? max(40, Console.outputWidth) : Int.max
        for line in lines(width: width) { Console.print(line) }
    }

    /// What may hold a path stays in one piece, to be copied.
    /// - Parameter width: columns of a line.
    private func lines(width: Int) -> [String] {
        let labels = max(labels, (rows.map { $0.0.columns }.max() ?? 0) + 2)
        return rows.flatMap { label, text in
            let isWhole = text.columns <= width - labels || text.contains("/")
            let lines = isWhole ? [text] : text.broken(to: width - labels)
            return lines.enumerated().map { ($0.offset == 0 ? label : "").padded(to: labels) + $0.element }
        }
    }
}
