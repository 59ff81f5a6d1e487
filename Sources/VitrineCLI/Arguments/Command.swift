import VitrineKit

/// One command of the program.
protocol Command: SendableMetatype {
    /// The word that calls it.
    static var name: String { get }
    /// One line for the overview.
    static var summary: String { get }
    /// What follows the word, as the help shows it.
    static var usage: String { get }
    /// Sentences below the usage.
    static var details: String { get }
    /// The options that it knows. `--help` is always known.
    static var options: [OptionSpecification] { get }

    /// Does it.
    /// - Returns: the exit code.
    /// - Throws: why it could not be done; `invalidArgument` counts as wrong usage.
    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt
}

extension Command {
    /// The whole help of the command.
    static var help: String {
        var text = "Usage: vitrine \(name) \(usage)\n\n\(summary)"
        if !details.isEmpty { text += "\n\n" + details }
        guard !options.isEmpty else { return text }
        let names = options.map(\.synopsis)
        let width = names.map(\.count).max() ?? 0
        text += "\n\nOptions:\n"
        text += zip(names, options).map { "  " + $0.padded(to: width) + "  " + $1.help }.joined(separator: "\n")
        return text
    }
}
