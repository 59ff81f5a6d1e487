import Glibc
import Library
import Vitrine
import VitrineKit

/// The sources that a command's operands name.
enum SourceOperands {
    /// Reads operands: names of registered sources, paths and URIs. Without any, all registered sources.
    ///
    /// Registered sources inside of what is named come along, with options of their own.
    /// - Throws: `invalidArgument` when there is no operand and no source, or when an operand is no path.
    static func sources(_ operands: [[UInt8]], _ pipeline: PreviewPipeline) throws(PluginError) -> [RunSource] {
        let known = try registered(isNeeded: operands.isEmpty)
        let registered = known ?? []
        var places: [SourceURI] = []
        if operands.isEmpty {
            for source in registered { places.append(try SourceURI(source.uri)) }
        } else {
            places = try Self.places(operands, among: registered, pipeline)
        }
        return RunSource.covering(places, registered: registered) + (known == nil ? remembered(in: places) : [])
    }

    /// What operands mean. A word is a name when a source has it and the working folder has nothing of that name.
    static func places(
        _ operands: [[UInt8]], among registered: [RegisteredSource], _ pipeline: PreviewPipeline
    ) throws(PluginError) -> [SourceURI] {
        let folder = try CommandContext.workingFolder()
        var places: [SourceURI] = []
        for operand in operands {
            let path = try pipeline.source(operand, workingFolder: folder)
            places.append(try place(named: operand, unless: path, among: registered) ?? path)
        }
        return places
    }

    /// Where the source lies whose name an operand is. Who may have meant another one is told.
    /// - Parameters:
    ///   - operand: a word of the command line.
    ///   - path: the place that it means as a path or URI.
    ///   - registered: all sources.
    /// - Returns: `nil` when the operand is no name.
    private static func place(
        named operand: [UInt8], unless path: SourceURI, among registered: [RegisteredSource]
    ) throws(PluginError) -> SourceURI? {
        let name = String(decoding: operand, as: UTF8.self)
        guard let source = registered.named(name), source.uri != path.text else {
            if !isThere(operand), !registered.contains(where: { $0.uri == path.text }) {
                if let guess = guess(name, among: registered) {
                    Console.error("vitrine: no source is called '\(DisplayText.of(name))'; did you mean '\(guess)'?")
                } else if path.scheme == "file", let advice = ServerAddress.advice(for: name) {
                    Console.error("vitrine: \(advice)")
                }
            }
            return nil
        }
        guard isThere(operand) else { return try SourceURI(source.uri) }
        Console.error(
            "vitrine: '\(DisplayText.of(name))' is taken for what is in the working folder; the source of that name is "
                + ItemName.long(source.uri))
        return nil
    }

    /// Sources that the catalog remembers, which is said.
    private static func remembered(in places: [SourceURI]) -> [RunSource] {
        guard let catalog = CommandContext.existingCatalog(),
            let sources = try? RunSource.remembered(in: places, by: catalog)
        else { return [] }
        for source in sources {
            Console.error(
                "vitrine: what is known of \(ItemName.long(source.uri.text)) stays as it is until they are known again")
        }
        return sources
    }

    /// The name of the source that somebody meant who mistyped it, for people; `nil` for what looks like a path or a URI.
    static func guess(_ name: String, among sources: [RegisteredSource]) -> String? {
        if name.contains("/") || name.contains(":") { return nil }
        return Spelling.nearest(to: name, among: sources.map(\.name)).map { DisplayText.of($0) }
    }

    /// The user's sources; `nil` when they cannot be read and need not be, which is said.
    private static func registered(isNeeded: Bool) throws(PluginError) -> [RegisteredSource]? {
        do throws(PluginError) {
            let place = try LibraryContext.place()
            // Where only its backup is left, it is not one that has no sources.
            let isThere = access(place.file, F_OK) == 0 || access(place.backup, F_OK) == 0
            let sources = isThere ? try Library.openToRead(at: place).sources() : []
            if !sources.isEmpty || !isNeeded { return sources }
        } catch {
            if isNeeded { throw error }
            // Previews are made without it.
            if error.code == .notFound { return [] }
            Console.error("vitrine: the registered sources are not known: \(DisplayText.of(error.message))")
            return nil
        }
        throw PluginError(
            .invalidArgument, "no source is registered; 'vitrine source add PATH' adds one, or name a folder or a file")
    }

    private static func isThere(_ path: [UInt8]) -> Bool {
        var status = stat()
        return lstat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0
    }
}
