import Library
import Settings
import Vitrine
import VitrineKit

/// `vitrine source`
enum SourceCommand: Command {
    static let name = "source"
    static let summary = "Register the folders and storages that Vitrine looks after."
    static let usage =
        "[list] | add PATH|URI [OPTIONS] | remove NAME|PATH|URI | rename NAME|PATH|URI NEW "
        + "| move NAME|PATH|URI PATH|URI [OPTIONS]"
    static let details = """
        A source has a name, by default that of its folder, and a URI; no two have the same. It need not be there when it
        is added: it may be a disk that is not plugged in. The list says how the last look at each went, how many files it
        has, how many of them have previews, and when all of it was last seen. Removing a source deletes none of its files,
        but their previews, unless another source holds them too. Who renames or moves the folder of a source, or mounts
        its disk elsewhere, says so with move: previews, notes and all that is known go along.
        """
    static let options = [
        OptionSpecification("--name", value: "NAME", "With add: what to call it, 1 to 64 characters without a slash."),
        WalkOptions.hidden.only(with: "add"), WalkOptions.followLinks.only(with: "add"),
        WalkOptions.crossFileSystems.only(with: "add"),
        OptionSpecification("--keep-previews", "With remove: leave the previews where they are."),
        OptionSpecification("--force", "With move: also to a folder that holds almost nothing of what is known."),
        JSONOption.lines,
    ]

    static func choices(of operand: String, after action: String?) -> ValueChoices {
        operand == "NAME" ? .sources : commonChoices(of: operand)
    }

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let operands = arguments.operands.dropFirst()
        let word = arguments.operands.first.map { String(decoding: $0, as: UTF8.self) } ?? "list"
        let allowed: [String: Set<String>] = [
            "add": Set(["--name"] + WalkOptions.specifications.map(\.name)), "list": [JSONOption.name],
            "remove": ["--keep-previews"], "move": ["--force"],
        ]
        try LibraryContext.check(
            arguments, options, allowed: allowed[word] ?? [], word: word)
        return try await LibraryContext.run { (context) throws(PluginError) in
            switch (word, operands.count) {
            case ("list", 0): try list(context, json: JSONOption.isGiven(arguments))
            case ("add", 1): try await add(operands[1], context, arguments)
            case ("remove", 1):
                try await remove(
                    try name(operands[1], context), context, keepsPreviews: arguments.has("--keep-previews"))
            case ("rename", 2):
                try rename(try name(operands[1], context), to: try LibraryContext.text(operands[2]), context)
            case ("move", 2):
                try await move(
                    try name(operands[1], context), to: try context.uri(operands[2]), context,
                    force: arguments.has("--force"))
            default:
                throw Action.wrongUsage(
                    word, of: Self.name, among: ["list", "add", "remove", "rename", "move"],
                    "write 'list', 'add PATH|URI', 'remove NAME|PATH|URI', 'rename NAME|PATH|URI NEW' "
                        + "or 'move NAME|PATH|URI PATH|URI'")
            }
            return ExitCode.done
        }
    }

    private static func add(
        _ operand: [UInt8], _ context: LibraryContext, _ arguments: ParsedArguments
    ) async throws(PluginError) {
        let uri = try context.uri(operand)
        try context.user.check(schemeOf: uri)
        guard !LocalPlace.isFile(uri) else {
            throw PluginError(
                .invalidArgument,
                "\(ItemName.long(uri.text)) is a file, and a source is a folder: add the one that holds it, or "
                    + "'archive:PATH' for what is in an archive")
        }
        try await context.user.check(fileOf: uri)
        let name: String
        if let named = arguments.bytes("--name") {
            name = try LibraryContext.text(named)
        } else {
            let last = uri.lastName
            name = last.isEmpty ? uri.authority ?? "" : String(decoding: last, as: UTF8.self)
            do throws(PluginError) { try LibraryName.check(source: name) } catch {
                throw PluginError(error.code, error.message + "; give it one with --name")
            }
        }
        let source = try context.library.addSource(name, uri, options: WalkOptions.ofSource(arguments))
        Console.print("'\(source.name)' is \(ItemName.long(source.uri))")
        if !LocalPlace.isThere(uri) {
            Console.error("nothing is there now; if the name is mistyped, 'vitrine source remove' takes it back")
            if uri.scheme == "file", let advice = ServerAddress.advice(for: String(decoding: operand, as: UTF8.self)) {
                Console.error(advice)
            }
        }
    }

    private static func rename(_ name: String, to new: String, _ context: LibraryContext) throws(PluginError) {
        try context.library.renameSource(name, to: new)
        guard let old = SourceKey(name), try CommandContext.settings().sources[old] != nil else { return }
        Console.error(
            "the settings have [source \(DisplayText.of(name))], which is about no source any more: call it "
                + "[source \(DisplayText.of(new))] there")
    }

    /// A source's name, or that of the source at a path or URI.
    private static func name(_ operand: [UInt8], _ context: LibraryContext) throws(PluginError) -> String {
        let name = String(decoding: operand, as: UTF8.self)
        if try context.library.source(named: name) != nil { return name }
        let uri = try context.uri(operand)
        if let source = try context.library.source(at: uri.text) { return source.name }
        if let guess = SourceOperands.guess(name, among: try context.library.sources()) {
            throw PluginError(
                .notFound,
                "there is no source called '\(DisplayText.of(name))' (did you mean '\(guess)'?); 'vitrine source list' "
                    + "shows those there are")
        }
        return name
    }

    private static func remove(
        _ name: String, _ context: LibraryContext, keepsPreviews: Bool
    ) async throws(PluginError) {
        let pipeline = try CommandContext.pipeline()
        guard let source = try context.library.source(named: name) else {
            // Says that there is none.
            try context.library.removeSource(name)
            return
        }
        // In this order: stopped in between, it can be done again.
        let result = try await pipeline.forget(
            source: try SourceURI(source.uri), besides: try context.library.sources(), keepsPreviews: keepsPreviews)
        try context.library.removeSource(name)
        await pipeline.end()
        for notice in result.notices { Console.error("vitrine: \(DisplayText.of(notice))") }
        Console.print("'\(source.name)' is no longer a source; its files are where they were.")
        if result.isCovered {
            Console.print("They belong to another source that holds it, and keep their previews.")
        } else if !keepsPreviews {
            let count = result.previews == 1 ? "1 preview was" : "\(result.previews) previews were"
            Console.print("\(count) deleted (\(Quantity.bytes(result.bytes))).")
        }
    }
}
