/// A word that can be typed on a command line, and what it means: what the completions of shells ask for.
struct Completion: Equatable {
    var word: String
    /// A line; empty where the help says it in its sentences only.
    var meaning = ""

    /// All commands.
    static var commands: [Completion] {
        CommandLineTool.commands.map { Completion(word: $0.name, meaning: $0.summary) }
    }

    /// A line: the word, a tab and what it means.
    var line: String { "\(word)\t\(meaning)" }

    /// The line that says that files may be named as well.
    static let files = "\t"
}
