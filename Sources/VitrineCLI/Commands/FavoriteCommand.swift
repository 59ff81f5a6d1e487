import Library
import VitrineKit

/// `vitrine favorite`
enum FavoriteCommand: Command {
    static let name = "favorite"
    static let summary = "Mark the files and collections that you like best."
    static let usage = "[list] | add FILE|URI… | remove FILE|URI… | add|remove --collection NAME"
    static let details = """
        'list' names them all. Those that are moved stay favorites. A file that never was is refused, so that a mistyped name
        is noticed.
        """
    static let options = [CollectionOption.inPlaceOfFile, JSONOption.lines]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let operands = arguments.operands.dropFirst()
        let word = arguments.operands.first.map { String(decoding: $0, as: UTF8.self) } ?? "list"
        try LibraryContext.check(
            arguments, options, allowed: [word == "list" ? JSONOption.name : CollectionOption.inPlaceOfFile.name],
            word: word)
        return try await LibraryContext.run { (context) throws(PluginError) in
            switch word {
            case "list" where operands.isEmpty: try list(context, json: JSONOption.isGiven(arguments))
            case "add", "remove":
                var subjects: [LibrarySubject] = []
                for operand in operands { subjects.append(.item(try context.uri(operand).text)) }
                if let collection = try context.subject([], arguments) { subjects.append(collection) }
                guard !subjects.isEmpty else {
                    throw PluginError(.invalidArgument, "name a file, or a collection with --collection")
                }
                if word == "add" { for subject in subjects { try context.check(isKnown: subject) } }
                var code = ExitCode.done
                for subject in subjects {
                    if try context.library.setFavorite(subject, word == "add") { continue }
                    let name = DisplayText.of(LibraryContext.name(subject))
                    if word == "add" {
                        Console.error("\(name) is a favorite already")
                    } else {
                        // A name that is mistyped, as anywhere else where something is removed.
                        Console.error("vitrine favorite: \(name) is no favorite; 'vitrine favorite' lists them")
                        code = ExitCode.failed
                    }
                }
                return code
            default:
                throw Action.wrongUsage(
                    word, of: name, among: ["list", "add", "remove"], "write 'list', 'add FILE…' or 'remove FILE…'")
            }
            return ExitCode.done
        }
    }

    private struct Line: Encodable {
        var uri: String?
        var collection: String?
        var added: String
    }

    private static func list(_ context: LibraryContext, json: Bool) throws(PluginError) {
        let favorites = try context.library.favorites()
        for favorite in favorites {
            let subject = favorite.subject
            if json {
                try JSONText.show(
                    Line(uri: subject.uri, collection: subject.collection, added: DateText.exact(favorite.added)))
            } else {
                Console.print(DisplayText.of(LibraryContext.name(subject)))
            }
        }
        if favorites.isEmpty, !json { Console.error("there is no favorite; 'vitrine favorite add FILE' makes one") }
    }
}
