import Library
import Vitrine
import VitrineKit

/// `vitrine collection`
enum CollectionCommand: Command {
    static let name = "collection"
    static let summary = "Keep files of any source together under a name."
    static let usage =
        "[list] | create NAME | delete NAME | add NAME FILE|URI… | remove NAME FILE|URI… | show NAME | filed"
    static let details = """
        Local files are referred to and stay where they are. Files of other storages are copied into the collection's
        folder, $XDG_DATA_HOME/vitrine/collections/NAME, as a whole or not at all; a second file.doc becomes
        file(1).doc. Deleting a collection, or taking a file out of it, deletes no file unless you say so.
        'filed' lists the messages that were put into collections by their subjects; docs/mail.md says how.
        """
    static let options = [
        OptionSpecification("--copy", "With add: copy local files, too."),
        OptionSpecification("--delete-copies", "With remove and delete: delete the copies that Vitrine made."),
        JSONOption.lines,
    ]

    static func choices(of operand: String, after action: String?) -> ValueChoices {
        operand == "NAME" && action != "create" ? .collections : commonChoices(of: operand)
    }

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let words = arguments.operands
        let word = words.first.map { String(decoding: $0, as: UTF8.self) } ?? "list"
        let allowed: Set<String> =
            switch word {
            case "list", "show", "filed": [JSONOption.name]
            case "add": ["--copy"]
            case "remove", "delete": ["--delete-copies"]
            default: []
            }
        try LibraryContext.check(arguments, options, allowed: allowed, word: word)
        let called = words.count > 1 ? try LibraryContext.text(words[1]) : ""
        let json = JSONOption.isGiven(arguments)
        return try await LibraryContext.run { (context) throws(PluginError) in
            switch (word, words.count) {
            case ("list", ...1): try list(context, json: json)
            case ("filed", 1): try filed(context, json: json)
            case ("create", 2): try context.library.createCollection(called)
            case ("delete", 2): try delete(called, context, deletesCopies: arguments.has("--delete-copies"))
            case ("show", 2): try show(called, context, json: json)
            case ("add", 3...):
                return await CollectionAddition(context: context, collection: called, copies: arguments.has("--copy"))
                    .run(words.dropFirst(2))
            case ("remove", 3...):
                return try remove(words.dropFirst(2), called, context, arguments.has("--delete-copies"))
            default:
                throw Action.wrongUsage(
                    word, of: name, among: ["list", "create", "delete", "add", "remove", "show", "filed"],
                    "write 'list', 'create NAME', 'delete NAME', 'add NAME FILE…', 'remove NAME FILE…', 'show NAME' or 'filed'"
                )
            }
            return ExitCode.done
        }
    }

    private static func delete(
        _ name: String, _ context: LibraryContext, deletesCopies: Bool
    ) throws(PluginError) {
        let collection = try context.library.collection(named: name).name
        let copies = try context.library.deleteCollection(collection).filter { $0.origin != nil }
        if deletesCopies {
            for item in copies { try context.user.deleteCopy(of: item, in: collection) }
        } else {
            tell(copies.count, in: collection, context)
        }
    }

    private static func remove(
        _ operands: ArraySlice<[UInt8]>, _ name: String, _ context: LibraryContext, _ deletesCopies: Bool
    ) throws(PluginError) -> CInt {
        let collection = try context.library.collection(named: name).name
        var code = ExitCode.done
        var copies = 0
        for operand in operands {
            do throws(PluginError) {
                let item = try context.library.remove(try context.uri(operand).text, from: collection)
                if deletesCopies {
                    try context.user.deleteCopy(of: item, in: collection)
                } else if item.origin != nil {
                    copies += 1
                }
            } catch {
                Console.error("vitrine collection: \(DisplayText.of(error.message))")
                code = ExitCode.failed
            }
        }
        tell(copies, in: collection, context)
        return code
    }

    private static func tell(_ copies: Int, in collection: String, _ context: LibraryContext) {
        guard copies > 0 else { return }
        let folder = DisplayText.of(context.library.place.folder(of: collection))
        let (stays, what) = copies == 1 ? ("a copy stays", "it") : ("\(copies) copies stay", "them")
        Console.error("\(stays) in '\(folder)'; --delete-copies would have deleted \(what)")
    }

    private struct CollectionLine: Encodable {
        var name: String
        var items: Int
        var notes: Int
        var favorite: Bool
        var created: String
    }

    private static func list(_ context: LibraryContext, json: Bool) throws(PluginError) {
        let collections = try context.library.collections()
        if json {
            for one in collections {
                try JSONText.show(
                    CollectionLine(
                        name: one.name, items: one.itemCount, notes: one.noteCount, favorite: one.isFavorite,
                        created: DateText.exact(one.created)))
            }
            return
        }
        if collections.isEmpty {
            return Console.error("there is no collection; 'vitrine collection create NAME' makes one")
        }
        let rows = collections.map { one in
            [
                one.name, "\(one.itemCount)", "\(one.noteCount)", one.isFavorite ? "★" : "",
                DateText.short(one.created),
            ]
        }
        Table.show([["name", "files", "notes", "favorite", "created"]] + rows)
    }

    private struct FiledLine: Encodable {
        var collection: String
        var title: String
        var files: Int
        var sender: String
        var uri: String
        var filed: String
    }

    /// The messages that runs put into collections.
    private static func filed(_ context: LibraryContext, json: Bool) throws(PluginError) {
        let messages = try context.library.filedMessages()
        if json {
            for one in messages {
                try JSONText.show(
                    FiledLine(
                        collection: one.collection, title: one.title, files: one.files, sender: one.sender,
                        uri: one.uri,
                        filed: DateText.exact(one.filed)))
            }
            return
        }
        if messages.isEmpty {
            return Console.error("no message was filed; 'known-senders' of a source in the settings says whose are")
        }
        let rows = messages.map { one in
            [
                one.collection, DisplayText.of(one.title), "\(one.files)", DisplayText.of(one.sender),
                DateText.short(one.filed),
            ]
        }
        Table.show([["collection", "title", "files", "sender", "filed"]] + rows)
    }

    private struct ItemLine: Encodable {
        var uri: String
        var origin: String?
        var favorite: Bool
        var added: String
    }

    private static func show(_ name: String, _ context: LibraryContext, json: Bool) throws(PluginError) {
        let items = try context.library.items(of: name)
        for item in items {
            if json {
                try JSONText.show(
                    ItemLine(
                        uri: item.uri, origin: item.origin, favorite: item.isFavorite,
                        added: DateText.exact(item.added)))
            } else {
                let origin = item.origin.map { ", copied from \(ItemName.long($0))" } ?? ""
                Console.print(ItemName.long(item.uri) + (item.isFavorite ? " ★" : "") + origin)
            }
        }
        if json { return }
        if items.isEmpty { Console.error("the collection holds no file") }
        let notes = try context.library.notes(of: .collection(name))
        if !notes.isEmpty { Console.print("") }
        for note in notes { Console.print("note \(note.id)  \(DisplayText.of(note.title))") }
    }
}
