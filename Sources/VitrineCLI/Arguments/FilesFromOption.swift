import Vitrine
import VitrineKit

/// `--files-from` and `--null`: files that a list names, in place of words of the command line.
enum FilesFromOption {
    static let specifications = [
        OptionSpecification(
            "--files-from", value: "FILE",
            "Work on the files that this list names, a path or a URI with :// on each line; - is standard input."),
        OptionSpecification(
            "--null", short: "-0", "With --files-from: a NUL byte ends each name, as of find -print0; all are paths."),
    ]

    /// What says how folders are walked, or shows what is in them.
    private static let ofFolders =
        ["--folders", "--sheet", "--exclude", "--include", BusyOption.specification.name]
        + WalkOptions.specifications.map(\.name)

    /// The list that was named; `nil` when none was.
    /// - Throws: `invalidArgument` for what does not go with a list, and what the system says when it cannot be opened.
    static func list(_ arguments: ParsedArguments) throws(PluginError) -> FileList? {
        guard let path = arguments.bytes("--files-from") else {
            guard !arguments.has("--null") else {
                throw PluginError(.invalidArgument, "--null says what ends the names of --files-from; give both")
            }
            return nil
        }
        guard arguments.operands.isEmpty else {
            throw PluginError(
                .invalidArgument, "name files on the command line or in the list of --files-from, and not both")
        }
        if let option = ofFolders.first(where: { arguments.has($0) }) {
            throw PluginError(
                .invalidArgument, "\(option) is about folders, and --files-from names files; give one of them")
        }
        return try FileList(
            path, separatedBy: arguments.has("--null") ? .null : .lineFeed,
            workingFolder: try CommandContext.workingFolder())
    }
}
