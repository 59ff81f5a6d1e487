import Arguments
import VitrineKit

/// A word behind a command that says what the command does, such as `list` in `vitrine note list`.
enum Action {
    /// The error of a word that a command does not have, or of one with too few or too many words behind it.
    /// - Parameters:
    ///   - word: what was typed; `nil` when nothing was.
    ///   - command: the command's name.
    ///   - known: the words that it has.
    ///   - usage: what may be written, for the end of the sentence.
    static func wrongUsage(
        _ word: String?, of command: String, among known: [String], _ usage: String
    ) -> PluginError {
        guard let word, !known.contains(word) else { return PluginError(.invalidArgument, usage) }
        return PluginError(
            .invalidArgument,
            "there is no 'vitrine \(command) \(DisplayText.of(word))'\(Spelling.guess(word, among: known)); \(usage)")
    }
}
