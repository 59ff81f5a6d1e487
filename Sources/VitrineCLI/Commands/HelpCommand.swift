import Glibc
import VitrineKit

/// `vitrine help`
enum HelpCommand: Command {
    static let name = "help"
    static let summary = "Say more about a command."
    static let usage = "[COMMAND] | --man | --words -- WORDS…"
    static let details = ""
    static let options = [
        OptionSpecification("--man", "Print the manual page, for man(1): all of these helps, files and variables."),
        OptionSpecification(
            "--words",
            "Print what may stand in place of the last of the words behind vitrine, and what it means, for completions."
        ),
    ]

    static func choices(of operand: String, after action: String?) -> ValueChoices {
        operand == "COMMAND" ? .commands : commonChoices(of: operand)
    }

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let words = arguments.operands.map { String(decoding: $0, as: UTF8.self) }
        if arguments.has("--words"), !arguments.has("--man") {
            let lines = TypedLine(words).lines
            if !lines.isEmpty { Console.print(lines.joined(separator: "\n")) }
            return ExitCode.done
        }
        guard words.count <= 1, !arguments.has("--man") || (words.isEmpty && !arguments.has("--words")) else {
            throw PluginError(.invalidArgument, "name one command; --man stands alone")
        }
        if arguments.has("--man") {
            _ = Console.write(ManualPage.text, to: STDOUT_FILENO)
            return ExitCode.done
        }
        guard let word = words.first else {
            Console.print(overview)
            return ExitCode.done
        }
        guard let command = CommandLineTool.command(named: word) else {
            Console.error(
                "vitrine: there is no command '\(DisplayText.of(word))'\(CommandLineTool.guess(word)); 'vitrine help' "
                    + "lists them")
            return ExitCode.usage
        }
        Console.print(command.help(width: Console.helpWidth))
        return ExitCode.done
    }

    /// What the program is for, in a sentence.
    static let purpose = "Vitrine makes previews of documents, pictures and videos before you look for them."

    /// Where to begin, and where to read on.
    private static let hint =
        "Begin with 'vitrine prebuild FOLDER'. 'vitrine help COMMAND' says more about a command; 'man vitrine' has it all."

    /// All commands, and what the program leaves to the shell.
    static var overview: String {
        let width = Console.helpWidth
        let rows = CommandLineTool.commands.map { ($0.name, $0.summary) }
        let codes = ExitCode.meanings.map { "\($0.codes) \($0.meaning)" }.joined(separator: " · ")
        return """
            \(purpose.wrapped(to: width))

            Usage: vitrine COMMAND [ARGUMENTS]

            \(HelpText.table(rows, width: width))

            \(hint.wrapped(to: width))

            \("Exit codes: \(codes)".wrapped(to: width))
            """
    }
}
