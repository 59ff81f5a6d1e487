/// A word that can be typed on a command line, and what it means: what the completions of shells ask for.
struct Completion: Equatable {
    var word: String
    /// A line; empty where the help says it in its sentences only.
    var meaning: String

    /// All commands.
    static var commands: [Completion] {
        CommandLineTool.commands.map { Completion(word: $0.name, meaning: $0.summary) }
    }

    /// What a command does, and its options; of `help`, the commands it tells about.
    static func words(of command: any Command.Type) -> [Completion] {
        let options = (command.options + [ParsedArguments.help]).flatMap { option in
            [option.name, option.short].compactMap { $0 }.map { Completion(word: $0, meaning: option.help) }
        }
        let actions = command.actions.map { Completion(word: $0, meaning: "") }
        return (command == HelpCommand.self ? commands : actions) + options
    }

    /// A line for each: the word, a tab and what it means.
    static func lines(_ completions: [Completion]) -> String {
        completions.map { "\($0.word)\t\($0.meaning)" }.joined(separator: "\n")
    }
}

extension Command {
    /// The words that say what is done, such as `stats` of `vitrine cache`: those that the alternatives of the usage begin
    /// with. What is written in capitals stands for something else.
    static var actions: [String] {
        var actions: [String] = []
        for alternative in usage.split(separator: " | ") {
            let first = alternative.split(whereSeparator: \.isWhitespace).first ?? ""
            for word in first.split(whereSeparator: { "[]|".contains($0) }).map(String.init)
            where word.allSatisfy(\.isLowercase) && !actions.contains(word) {
                actions.append(word)
            }
        }
        return actions
    }
}
