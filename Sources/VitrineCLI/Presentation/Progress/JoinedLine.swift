import Vitrine

/// What is said instead of figures when another process did the work.
enum JoinedLine {
    /// - Returns: `nil` for a run that did it itself.
    static func of(_ summary: RunSummary) -> String? {
        summary.joined.map { "Joined the run of process \($0), which has ended." }
    }
}
