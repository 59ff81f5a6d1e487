import Catalog
import Glibc
import PluginHost
import PreviewCache
import Timing
import Vitrine
import VitrineKit

/// `vitrine find`
enum FindCommand: Command {
    static let name = "find"
    static let summary = "Find files by their names, and documents by their titles and texts."
    static let usage = "[WORDS…] [OPTIONS]"
    static let details = """
        All words must be there: in a name any part of it, in titles and texts whole words, of which the last may be a
        beginning. "Words in quotes" stand side by side; nothing else in a query has a meaning of its own. Case and
        accents do not count. What has all words in its name comes first, then in its title, then in its text; the newest
        first among equals. Found is what 'vitrine index' or 'vitrine prebuild' has seen; texts come from prebuild.
        """
    static let options = [
        OptionSpecification(
            "--type", value: "TYPE", choices: .list(TypeWords.families.map { $0.names[0] }),
            "\(TypeWords.shown), the end of a name such as docx, or a MIME type; several with commas."),
        OptionSpecification("--larger", value: "SIZE", "Of at least this size, such as 10M."),
        OptionSpecification("--smaller", value: "SIZE", "Of at most this size."),
        OptionSpecification(
            "--after", value: "DATE",
            "Changed on this date (2025-01-31, or a moment: 2025-01-31T08:05:00Z) or later; 7d: in the last week."),
        OptionSpecification("--before", value: "DATE", "Changed before this date."),
        CollectionOption.narrowing,
        OptionSpecification(
            "--source", short: "-s", value: "NAME|PATH|URI", choices: .sourcesOrFiles,
            "In this source or folder."),
        OptionSpecification("--limit", short: "-n", value: "N", "At most so many, 1 to 100000. Default: 50."),
        OptionSpecification(
            "--pictures", value: "HOW", choices: .words(["auto", "never", "kitty", "iterm", "sixel"]),
            "Show previews: auto, never, kitty, iterm or sixel. Default: auto."),
        JSONOption.lines,
        OptionSpecification("--time", "Say on standard error how long the search took."),
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let wish = try PictureWish(arguments.text("--pictures") ?? "auto")
        let settings = try CommandContext.settings()
        let configuration = try PipelineConfiguration.standard(settings: settings)
        let catalog = try CommandContext.catalog(of: configuration)
        guard let query = try query(arguments, catalog) else { return ExitCode.done }
        let found = try search(catalog, query, isTimed: arguments.has("--time"))
        let cache = PreviewCache(folders: configuration.cache, version: VitrineVersion.text)
        if JSONOption.isGiven(arguments) {
            for item in found { try JSONText.show(Line(item, preview(of: item, cache))) }
            return ExitCode.done
        }
        if found.isEmpty {
            let isNew = try catalog.sources().isEmpty
            Console.error(isNew ? "nothing is indexed yet; 'vitrine index PATH' does that" : "nothing was found")
            return ExitCode.done
        }
        let pictures = wish.pictures()
        for item in found {
            if let pictures {
                pictures.show(preview(of: item, cache), lines(item, isNarrow: true))
            } else {
                for line in lines(item, isNarrow: false) { Console.print(line) }
            }
        }
        if found.count == query.limit {
            let these = found.count == 1 ? "this is the first one" : "these are the first \(found.count)"
            Console.error("\(these); --limit shows more")
        }
        return ExitCode.done
    }

    private static func search(
        _ catalog: Catalog, _ query: FindQuery, isTimed: Bool
    ) throws(PluginError) -> [FoundItem] {
        do throws(PluginError) {
            try complete(catalog)
            try catalog.keepLittle()
            let clock = ContinuousClock()
            let began = clock.now
            let found = try catalog.find(query)
            if isTimed {
                Console.error("searched in \(Quantity.decimal((clock.now - began).inSeconds * 1000, 2)) ms")
            }
            return found
        } catch {
            guard error.code == .corrupt else { throw error }
            if catalog.isReadOnly { throw error }
            // Else the next run might not come by what is damaged.
            try Catalog.removeDamaged(catalog)
            throw PluginError(.corrupt, "\(error.message); it was deleted, and 'vitrine index' makes a new one")
        }
    }

    // MARK: What is looked for

    /// - Returns: `nil` when nothing can fit, which was said.
    private static func query(_ arguments: ParsedArguments, _ catalog: Catalog) throws(PluginError) -> FindQuery? {
        var query = FindQuery(Array(arguments.operands.joined(separator: [UInt8(ascii: " ")])))
        let sniffer = TypeSniffer(magic: [])
        let typeOfName = { @Sendable (name: [UInt8]) in sniffer.type(name: name).mimeType }
        query.types = try TypeWords.types(arguments.all("--type"), typeOfName: typeOfName)
        query.typeOfName = typeOfName
        func value<Number>(
            _ option: String, _ read: (String, String) throws(PluginError) -> Number
        ) throws(PluginError) -> Number? {
            try arguments.text(option).map { (text) throws(PluginError) in try read(text, option) }
        }
        query.minimumSize = try value("--larger", ByteText.count)
        query.maximumSize = try value("--smaller", ByteText.count)
        query.from = try value("--after") { (text, option) throws(PluginError) in try FindOptions.moment(text, option) }
        query.until = try value("--before") { (text, option) throws(PluginError) in try FindOptions.moment(text, option)
        }
        query.limit = try arguments.integer("--limit", in: 1...FindQuery.maximumLimit) ?? query.limit
        let narrowing = ["--type", "--larger", "--smaller", "--after", "--before", "--collection", "--source"]
        guard !query.hasNoWords || narrowing.contains(where: arguments.has) else {
            throw PluginError(.invalidArgument, "say what to look for: words, or an option such as --type")
        }
        guard arguments.has("--collection") || arguments.has("--source") else { return query }
        let context = try LibraryContext()
        if let name = arguments.bytes("--collection") {
            query.items = try items(of: try LibraryContext.text(name), context, catalog)
        }
        if let name = arguments.bytes("--source") {
            let uri = try source(name, context)
            guard let place = try catalog.place(of: uri) else {
                try check(isThere: uri, name, context)
                Console.error("nothing of this source is indexed yet; 'vitrine index' does that")
                return nil
            }
            query.place = (place.source.id, place.path)
        }
        return query
    }

    /// What the catalog knows of a collection. That it does not know all of it is said: copies, for one, lie in a folder that no
    /// run comes to by itself.
    private static func items(
        of name: String, _ context: LibraryContext, _ catalog: Catalog
    ) throws(PluginError) -> Set<ItemID> {
        let uris = try context.library.items(of: name).map(\.uri)
        let known = try catalog.items(uris)
        if known.count == uris.count { return known }
        var example = ""
        for uri in uris where example.isEmpty {
            guard try catalog.items([uri]).isEmpty, let slash = uri.lastIndex(of: "/") else { continue }
            example = ", such as '\(ItemName.long(String(uri[..<slash])))'"
        }
        Console.error(
            "\(uris.count - known.count) of \(Quantity.count(uris.count, "file")) in '\(DisplayText.of(name))' "
                + "cannot be found: they are gone, or not indexed, which 'vitrine prebuild' does for folders\(example)")
        return known
    }

    /// Refuses what is neither a source nor a folder, as a mistyped name.
    private static func check(
        isThere uri: SourceURI, _ operand: [UInt8], _ context: LibraryContext
    ) throws(PluginError) {
        let name = String(decoding: operand, as: UTF8.self)
        let sources = try context.library.sources()
        // The disk of a source may be away.
        if LocalPlace.isThere(uri) || sources.contains(where: { $0.uri == uri.text }) { return }
        let guess = SourceOperands.guess(name, among: sources)
        throw PluginError(
            .notFound,
            "there is no source or folder '\(DisplayText.of(name))'\(guess.map { "; did you mean '\($0)'?" } ?? "")")
    }

    private static func source(_ operand: [UInt8], _ context: LibraryContext) throws(PluginError) -> SourceURI {
        let name = String(decoding: operand, as: UTF8.self)
        if let known = try context.library.source(named: name) { return try SourceURI(known.uri) }
        return try context.uri(operand)
    }

    /// Indexes what came since the last run; what is in the way of that hides the latest files only.
    /// - Throws: `corrupt` when the catalog is one of this version, and more than what ``Catalog/completeIndex(while:)`` makes
    ///   anew is damaged: then a search would miss anything.
    private static func complete(_ catalog: Catalog) throws(PluginError) {
        do throws(PluginError) {
            let count = try catalog.unindexedCount()
            if count == 0 { return }
            if let count, count > 20_000, Console.isTerminal(STDERR_FILENO) {
                Console.error("names are put into the index for the first time; this takes a moment")
            }
            try catalog.completeIndex()
        } catch {
            guard error.code != .corrupt else { throw error }
            Console.error("what changed lately may be missing: \(DisplayText.of(error.message))")
        }
    }

    // MARK: What was found

    private static func uri(_ item: FoundItem) -> String {
        (try? SourceURI(item.source))?.appending(item.path) ?? DisplayText.of(item.path.bytes)
    }

    /// The file of an item's preview, the smallest that is in the cache.
    private static func preview(of item: FoundItem, _ cache: PreviewCache) -> String? {
        let subject = Subject(uri: uri(item), modified: item.modified, size: item.size)
        for record in item.previews.sorted(by: { $0.size < $1.size }) where record.variant.isEmpty {
            guard let size = try? PreviewSize("\(record.size)") else { continue }
            if case .valid(let path) = cache.lookup(subject, size: size) { return path }
        }
        return nil
    }

    private struct Line: Encodable {
        var uri: String
        var size: Int64?
        var modified: String?
        var type: String?
        var match: String
        var title: String?
        var snippet: String?
        var preview: String?

        init(_ item: FoundItem, _ preview: String?) {
            uri = FindCommand.uri(item)
            size = item.size
            modified = item.modified.map { DateText.exact($0) }
            type = item.type
            match = item.match.rawValue
            (title, snippet) = (item.title, item.snippet)
            self.preview = preview
        }
    }

    /// - Parameter isNarrow: whether date and size have a line of their own, below the name.
    private static func lines(_ item: FoundItem, isNarrow: Bool) -> [String] {
        let date = item.modified.map { DateText.short($0) } ?? ""
        let size = item.size.map { Quantity.bytes($0) } ?? ""
        let name = ItemName.long(uri(item))
        var more: [String] = []
        if item.match != .name, let title = item.title { more.append("title: " + DisplayText.of(title)) }
        if let snippet = item.snippet { more.append("text: " + DisplayText.of(snippet)) }
        if isNarrow {
            // A line that is broken would run under the picture.
            let width = max(20, Console.outputWidth - 12)
            return ([name, "\(date)  \(size)"] + more).map { $0.shortened(to: width) }
        }
        let margin = date.padded(to: 16) + "  " + size.leftPadded(to: 9) + "  "
        let indent = String(repeating: " ", count: margin.columns)
        return [margin + name] + more.map { indent + $0 }
    }
}
