import Glibc
import VitrineKit

/// What a command leaves to the shell.
enum ExitCode {
    static let done: CInt = 0
    static let failed: CInt = 1
    static let usage: CInt = 2
    /// With `--strict`, when some item failed.
    static let itemsFailed: CInt = 3
    /// Ended by Ctrl-C, as shells count it.
    static let interrupted: CInt = 130
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
            return help(on: words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) })
        default: break
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            Console.error("vitrine: '\(DisplayText.of(name))' is no command; 'vitrine help' lists them")
            return ExitCode.usage
        }
        return await run(command, Array(words.dropFirst()))
    }

    private static func run(_ command: any Command.Type, _ words: [[UInt8]]) async -> CInt {
        do throws(PluginError) {
            let arguments = try ParsedArguments(words, options: command.options)
            if arguments.has("--help") {
                Console.print(command.help)
                return ExitCode.done
            }
            return try await command.run(arguments)
        } catch {
            Console.error("vitrine \(command.name): \(error.message)")
            if error.code == .invalidArgument { Console.error("'vitrine help \(command.name)' says more") }
            return error.code == .invalidArgument ? ExitCode.usage : ExitCode.failed
        }
    }

    private static func help(on name: String?) -> CInt {
        guard let name else {
            Console.print(overview)
            return ExitCode.done
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            Console.error("vitrine: there is no command '\(DisplayText.of(name))'")
            return ExitCode.usage
        }
        Console.print(command.help)
        return ExitCode.done
    }

    private static var overview: String {
        let width = commands.map { $0.name.count }.max() ?? 0
        let lines = commands.map { "  " + $0.name.padded(to: width) + "  " + $0.summary }
        return """
            Vitrine makes previews of documents, pictures and videos before you look for them.

            Usage: vitrine COMMAND [ARGUMENTS]

            \(lines.joined(separator: "\n"))
              \("help".padded(to: width))  Say more about a command.

            Exit codes: 0 done · 1 the run failed · 2 wrong usage · 3 with --strict, some item failed · 130 stopped
            """
    }
}
