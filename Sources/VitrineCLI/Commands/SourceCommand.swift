import Library
import VitrineKit

/// `vitrine source`
enum SourceCommand: Command {
    static let name = "source"
    static let summary = "Register the folders and storages that Vitrine looks after."
    static let usage = "[list] | add PATH|URI [OPTIONS] | remove NAME|PATH|URI | rename NAME NEW"
    static let details = """
        A source has a name, by default that of its folder, and a URI; no two have the same. Removing a source deletes
        none of its files. It need not be there when it is added: it may be a disk that is not plugged in.
        """
    static let options = [
        OptionSpecification("--name", value: "NAME", "With add: what to call it, 1 to 64 characters without a slash."),
        OptionSpecification("--hidden", "With add: include files and folders whose names begin with a dot."),
        OptionSpecification("--follow-links", "With add: follow symbolic links."),
        OptionSpecification("--cross-file-systems", "With add: enter folders on other file systems."),
        LibraryContext.jsonOption,
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let operands = arguments.operands.dropFirst()
        let word = arguments.operands.first.map { String(decoding: $0, as: UTF8.self) } ?? "list"
        let adding: Set = ["--name", "--hidden", "--follow-links", "--cross-file-systems"]
        try LibraryContext.check(
            arguments, options, allowed: word == "add" ? adding : word == "list" ? ["--json"] : [], word: word)
        return try await LibraryContext.run { (context) throws(PluginError) in
            switch (word, operands.count) {
            case ("list", 0): try list(context, json: arguments.has("--json"))
            case ("add", 1): try add(operands[1], context, arguments)
            case ("remove", 1):
                let source = try context.library.removeSource(try name(operands[1], context))
                Console.print("'\(source.name)' is no longer a source; its files are where they were.")
            case ("rename", 2):
                try context.library.renameSource(
                    try name(operands[1], context), to: try LibraryContext.text(operands[2]))
            default:
                throw PluginError(
                    .invalidArgument, "write 'list', 'add PATH|URI', 'remove NAME|PATH|URI' or 'rename NAME NEW'")
            }
            return ExitCode.done
        }
    }

    private static func add(
        _ operand: [UInt8], _ context: LibraryContext, _ arguments: ParsedArguments
    ) throws(PluginError) {
        let uri = try context.uri(operand)
        func flag(_ name: String) -> Bool? { arguments.has(name) ? true : nil }
        let name: String
        if let named = arguments.bytes("--name") {
            name = try LibraryContext.text(named)
        } else {
            let last = uri.path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
            name = last.isEmpty ? uri.authority ?? "" : String(decoding: last, as: UTF8.self)
            do throws(PluginError) { try LibraryName.check(source: name) } catch {
                throw PluginError(error.code, error.message + "; give it one with --name")
            }
        }
        let source = try context.library.addSource(
            name, uri,
            options: SourceOptions(
                hidden: flag("--hidden"), followsLinks: flag("--follow-links"),
                crossesFileSystems: flag("--cross-file-systems")))
        Console.print("'\(source.name)' is \(ItemName.long(source.uri))")
    }

    /// A source's name, or that of the source at a path or URI.
    private static func name(_ operand: [UInt8], _ context: LibraryContext) throws(PluginError) -> String {
        let name = String(decoding: operand, as: UTF8.self)
        if try context.library.source(named: name) != nil { return name }
        let uri = try context.uri(operand)
        return try context.library.source(at: uri.text)?.name ?? name
    }

    private struct Line: Encodable {
        var name: String
        var uri: String
        var added: String
        var hidden: Bool?
        var followLinks: Bool?
        var crossFileSystems: Bool?
    }

    private static func list(_ context: LibraryContext, json: Bool) throws(PluginError) {
        let sources = try context.library.sources()
        if json {
            for source in sources {
                try JSONText.show(
                    Line(
                        name: source.name, uri: source.uri, added: DateText.exact(source.added),
                        hidden: source.options.hidden, followLinks: source.options.followsLinks,
                        crossFileSystems: source.options.crossesFileSystems))
            }
            return
        }
        if sources.isEmpty { return Console.error("no source is registered; 'vitrine source add PATH' adds one") }
        let rows = sources.map { source in
            let options = [
                ("hidden", source.options.hidden), ("follow-links", source.options.followsLinks),
                ("cross-file-systems", source.options.crossesFileSystems),
            ].filter { $0.1 == true }.map(\.0)
            return [source.name, ItemName.long(source.uri), options.joined(separator: " ")]
        }
        Table.show([["name", "source", "options"]] + rows)
    }
}
