import VitrineKit

/// An option whose value is one of a few words.
struct ChoiceOption<Choice: RawRepresentable<String> & CaseIterable>: Sendable {
    /// As a command declares it.
    let specification: OptionSpecification

    /// - Parameters:
    ///   - name: with its dashes.
    ///   - value: what the value is called in the help.
    ///   - help: one line.
    init(_ name: String, value: String, _ help: String) {
        specification = OptionSpecification(name, value: value, choices: .words(Choice.allCases.map(\.rawValue)), help)
    }

    /// What was asked for; `nil` when nothing was.
    /// - Throws: `invalidArgument` for another word.
    func choice(_ arguments: ParsedArguments) throws(PluginError) -> Choice? {
        guard let text = arguments.text(specification.name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        throw PluginError(
            .invalidArgument,
            "\(specification.name) is one of \(words.dropLast().joined(separator: ", ")) and \(words.last ?? "")")
    }
}
