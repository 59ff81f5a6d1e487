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
    /// What can be written where the usage has a name, for the completions of shells.
    /// - Parameters:
    ///   - operand: the name in the usage, such as `FILE`.
    ///   - action: the word before it that says what is done; `nil` when there is none.
    static func choices(of operand: String, after action: String?) -> ValueChoices

    /// Does it.
    /// - Returns: the exit code.
    /// - Throws: why it could not be done; `invalidArgument` counts as wrong usage.
    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt
}

extension Command {
    static func choices(of operand: String, after action: String?) -> ValueChoices { commonChoices(of: operand) }

    /// What a name stands for in the usage of any command.
    static func commonChoices(of operand: String) -> ValueChoices {
        switch operand {
        case "FILE", "FOLDER", "PATH", "URI", "DESTINATION": .files
        case "SOURCE": .sources
        default: .anything
        }
    }

    /// The paragraphs of the details, between which a line is empty.
    static var paragraphs: [String] { details.split(separator: "\n\n").map(String.init) }

    /// The whole help of the command.
    /// - Parameter width: columns of its lines.
    static func help(width: Int) -> String {
        let call = "Usage: vitrine \(name)" + (usage.isEmpty ? "" : " " + usage)
        var parts = [call.wrapped(to: width, indent: 6), summary.wrapped(to: width)]
        parts += paragraphs.map { $0.wrapped(to: width) }
        if !options.isEmpty {
            parts.append("Options:\n" + HelpText.table(options.map { ($0.synopsis, $0.help) }, width: width))
        }
        return parts.joined(separator: "\n\n")
    }
}
