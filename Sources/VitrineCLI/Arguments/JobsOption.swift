import VitrineKit

/// `--jobs`: how much is done at once.
struct JobsOption: Sendable {
    /// As a command declares it.
    let specification: OptionSpecification
    private let range: ClosedRange<Int>

    /// Of commands that render.
    static let rendering = JobsOption(1...256, of: "Files rendered at once", by: "one for each core")
    /// Of commands that copy.
    static let copying = JobsOption(1...32, of: "How many files at once", by: "4")

    private init(_ range: ClosedRange<Int>, of what: String, by standard: String) {
        self.range = range
        specification = OptionSpecification(
            "--jobs", short: "-j", value: "N",
            "\(what), \(range.lowerBound) to \(range.upperBound). Default: \(standard).")
    }

    /// What was asked for; `nil` when nothing was.
    func count(_ arguments: ParsedArguments) throws(PluginError) -> Int? {
        try arguments.integer(specification.name, in: range)
    }
}
