import Glibc
import VitrineKit

/// Finds the command and runs it.
enum CommandLineTool {
    /// All of them, in the order of the overview.
    static let commands: [any Command.Type] = [
        PrebuildCommand.self, WatchCommand.self, ServeCommand.self, IndexCommand.self, FindCommand.self,
        GetCommand.self, TextCommand.self, ExplainCommand.self, ChangesCommand.self, FailuresCommand.self,
        CacheCommand.self, PluginsCommand.self,
        SourceCommand.self, AccountCommand.self, CopyCommand.self, CollectionCommand.self, NoteCommand.self,
        FavoriteCommand.self, LibraryCommand.self, ConfigCommand.self, DoctorCommand.self, VersionCommand.self,
        HelpCommand.self,
    ]

    /// - Parameter words: what follows the program's name.
    /// - Returns: the exit code.
    static func run(_ words: [[UInt8]]) async -> CInt {
        // A closed pipe is an error of the write, not the end of the program with workers left behind.
        signal(SIGPIPE, SIG_IGN)
        // And a file that grows past a limit is one that does not fit.
        signal(SIGXFSZ, SIG_IGN)
        guard let first = words.first else {
            Console.error(HelpCommand.overview)
            return ExitCode.usage
        }
        let name = String(decoding: first, as: UTF8.self)
        guard let command = command(named: ["--version": "version", "--help": "help", "-h": "help"][name] ?? name)
        else {
            Console.error(
                "vitrine: '\(DisplayText.of(name))' is no command\(guess(name))\(hint(first)); 'vitrine help' lists them"
            )
            return ExitCode.usage
        }
        return await run(command, Array(words.dropFirst()))
    }

    /// The command that a word calls; `nil` when it calls none.
    static func command(named name: String) -> (any Command.Type)? { commands.first { $0.name == name } }

    /// The command that was perhaps meant, as a part of a sentence.
    static func guess(_ name: String) -> String {
        Spelling.guess(name, among: commands.map { $0.name })
    }

    /// What to do with a word that stands in place of a command, as a part of a sentence: people who expect none write options
    /// and paths there.
    private static func hint(_ word: [UInt8]) -> String {
        if word.first == UInt8(ascii: "-") { return "; options stand behind the command" }
        let isPlace = word.contains(UInt8(ascii: "/")) || access(word.map { CChar(bitPattern: $0) } + [0], F_OK) == 0
        return isPlace ? "; 'vitrine prebuild PATH' makes the previews of files and folders" : ""
    }

    private static func run(_ command: any Command.Type, _ words: [[UInt8]]) async -> CInt {
        do throws(PluginError) {
            let arguments = try ParsedArguments(words, options: command.options)
            if arguments.has(ParsedArguments.help.name) {
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
}
