import Glibc
import VitrineKit

/// What a command leaves to the shell.
enum ExitCode {
    static let done: CInt = 0
    static let failed: CInt = 1
    static let usage: CInt = 2
    /// With `--strict`, when some item failed.
    static let itemsFailed: CInt = 3
    /// Ended by a signal, as shells count it: 130 for Ctrl-C, 143 for a polite kill, 129 when the terminal is closed.
    static var interrupted: CInt { 128 + (Interruption.firstSignal ?? SIGINT) }
}

/// Finds the command and runs it.
enum CommandLineTool {
    static let commands: [any Command.Type] = [
        PrebuildCommand.self, WatchCommand.self, IndexCommand.self, FindCommand.self, GetCommand.self, TextCommand.self,
        ExplainCommand.self,
        ChangesCommand.self, FailuresCommand.self, CacheCommand.self, PluginsCommand.self,
        SourceCommand.self, AccountCommand.self, CopyCommand.self, CollectionCommand.self, NoteCommand.self,
        FavoriteCommand.self,
        LibraryCommand.self,
        ConfigCommand.self, DoctorCommand.self, VersionCommand.self,
    ]

    /// - Parameter words: what follows the program's name.
    /// - Returns: the exit code.
    static func run(_ words: [[UInt8]]) async -> CInt {
        // A closed pipe is an error of the write, not the end of the program with workers left behind.
        signal(SIGPIPE, SIG_IGN)
        // And a file that grows past a limit is one that does not fit.
        signal(SIGXFSZ, SIG_IGN)
        guard let first = words.first else {
            Console.error(overview)
            return ExitCode.usage
        }
        let name = String(decoding: first, as: UTF8.self)
        switch name {
        case "--version": return await run(VersionCommand.self, Array(words.dropFirst()))
        case "help", "--help", "-h":
            return ending(help(on: words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }), of: "help")
        default: break
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            Console.error("vitrine: '\(DisplayText.of(name))' is no command\(guess(name)); 'vitrine help' lists them")
            return ExitCode.usage
        }
        return await run(command, Array(words.dropFirst()))
    }

    private static func run(_ command: any Command.Type, _ words: [[UInt8]]) async -> CInt {
        do throws(PluginError) {
            let arguments = try ParsedArguments(words, options: command.options)
            if arguments.has("--help") {
                Console.print(command.help(width: Console.helpWidth))
                return ending(ExitCode.done, of: command.name)
            }
            return ending(try await command.run(arguments), of: command.name)
        } catch {
            Console.error("vitrine \(command.name): \(error.message)")
            if error.code == .invalidArgument { Console.error("'vitrine help \(command.name)' says more") }
            return error.code == .invalidArgument ? ExitCode.usage : ExitCode.failed
        }
    }

    /// What is left to the shell when not all could be printed.
    private static func ending(_ code: CInt, of name: String) -> CInt {
        guard let failure = Console.outputFailure else { return code }
        Console.error("vitrine \(name): cannot write to standard output: \(failure)")
        return code == ExitCode.done || code == ExitCode.interrupted ? ExitCode.failed : code
    }

    private static func help(on name: String?) -> CInt {
        guard let name, !["help", "--help", "-h"].contains(name) else {
            Console.print(overview)
            return ExitCode.done
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            Console.error(
                "vitrine: there is no command '\(DisplayText.of(name))'\(guess(name)); 'vitrine help' lists them")
            return ExitCode.usage
        }
        Console.print(command.help(width: Console.helpWidth))
        return ExitCode.done
    }

    /// The command that was perhaps meant, as a part of a sentence.
    private static func guess(_ name: String) -> String {
        Spelling.nearest(to: name, among: commands.map { $0.name } + ["help"]).map { " (did you mean '\($0)'?)" } ?? ""
    }

    private static var overview: String {
        let width = Console.helpWidth
        let rows = commands.map { ($0.name, $0.summary) } + [("help", "Say more about a command.")]
        let codes =
            "Exit codes: 0 done · 1 the run failed · 2 wrong usage · 3 with --strict, some item failed · 130, 143, 129 stopped "
            + "by Ctrl-C, by kill, by the end of the terminal"
        return """
            \("Vitrine makes previews of documents, pictures and videos before you look for them.".wrapped(to: width))

            Usage: vitrine COMMAND [ARGUMENTS]

            \(HelpText.table(rows, width: width))

            \(codes.wrapped(to: width))
            """
    }
}
