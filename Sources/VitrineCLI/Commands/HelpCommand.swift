import Glibc
import VitrineKit

/// `vitrine help`
enum HelpCommand: Command {
    static let name = "help"
    static let summary = "Say more about a command."
    static let usage = "[COMMAND] | --man | --words [COMMAND]"
    static let details = ""
    static let options = [
        OptionSpecification("--man", "Print the manual page, for man(1): all of these helps, files and variables."),
        OptionSpecification("--words", "Print what can be typed, and what it means, for the completions of shells."),
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let words = arguments.operands.map { String(decoding: $0, as: UTF8.self) }
        guard words.count <= 1, !arguments.has("--man") || (words.isEmpty && !arguments.has("--words")) else {
            throw PluginError(.invalidArgument, "name one command; --man stands alone")
        }
        if arguments.has("--man") {
            _ = Console.write(ManualPage.text, to: STDOUT_FILENO)
            return ExitCode.done
        }
        guard let word = words.first else {
            Console.print(arguments.has("--words") ? Completion.lines(Completion.commands) : overview)
            return ExitCode.done
        }
        guard let command = CommandLineTool.command(named: word) else {
            Console.error(
                "vitrine: there is no command '\(DisplayText.of(word))'\(CommandLineTool.guess(word)); 'vitrine help' "
                    + "lists them")
            return ExitCode.usage
        }
        Console.print(
            arguments.has("--words")
                ? Completion.lines(Completion.words(of: command)) : command.help(width: Console.helpWidth))
        return ExitCode.done
    }

    /// What the program is for, in a sentence.
    static let purpose = "Vitrine makes previews of documents, pictures and videos before you look for them."

    /// All commands, and what the program leaves to the shell.
    static var overview: String {
        let width = Console.helpWidth
        let rows = CommandLineTool.commands.map { ($0.name, $0.summary) }
        let codes = ExitCode.meanings.map { "\($0.codes) \($0.meaning)" }.joined(separator: " · ")
        return """
            \(purpose.wrapped(to: width))

            Usage: vitrine COMMAND [ARGUMENTS]

            \(HelpText.table(rows, width: width))

            \("Exit codes: \(codes)".wrapped(to: width))
            """
    }
}
