import Library
import Settings
import Vitrine
import VitrineKit

// `vitrine source move`
extension SourceCommand {
    /// What is said of sources that are absent.
    static let moveHint =
        "if the folder of an absent source was renamed or moved, 'vitrine source move NAME PATH' tells where it is now"

    /// What may help with sources that a run could not read: registered ones that it did not find, and servers that let nobody in.
    static func hints(of summary: RunSummary, over sources: [RunSource]) -> [String] {
        let registered = Set(sources.filter { $0.name != nil }.map(\.uri.text))
        let isLost = summary.failedSources.contains { failure in
            registered.contains(failure.uri) && [.notFound, .offline].contains(failure.error.code)
        }
        let login = summary.failedSources.lazy.compactMap { AccountCommand.hint(of: $0.error, at: $0.uri) }.first
        return (isLost ? [moveHint] : []) + (login.map { [$0] } ?? [])
    }

    static func move(
        _ name: String, to new: SourceURI, _ context: LibraryContext, force: Bool
    ) async throws(PluginError) {
        let sources = try context.library.sources()
        guard let source = sources.named(name) else {
            throw PluginError(
                .notFound,
                "there is no source called '\(DisplayText.of(name))'; 'vitrine source list' shows those there are")
        }
        try context.user.check(schemeOf: new)
        guard !LocalPlace.isFile(new) else {
            throw PluginError(.invalidArgument, "\(ItemName.long(new.text)) is a file, and a source is a folder")
        }
        let pipeline = try CommandContext.pipeline()
        // In this order: stopped in between, it can be done again.
        let result = try await pipeline.move(source, to: new, besides: sources, force: force)
        try context.user.moveSource(source, to: new, besides: sources)
        await pipeline.end()
        let (files, previews) = (Quantity.count(result.items, "file"), Quantity.count(result.previews, "preview"))
        Console.print("'\(source.name)' is now \(ItemName.long(new.text)); \(files) and \(previews) came along.")
        if result.incomplete > 0 {
            let some = result.incomplete == 1 ? "1 file lacks previews" : "\(result.incomplete) files lack previews"
            Console.print("\(some), which the next run makes.")
        }
        try sayWhatStays(of: source, to: new, sources)
    }

    /// Names what is about the old place still.
    private static func sayWhatStays(
        of source: RegisteredSource, to new: SourceURI, _ sources: [RegisteredSource]
    ) throws(PluginError) {
        let old = try SourceURI(source.uri)
        for inner in sources where inner.uri != source.uri {
            guard let place = try? SourceURI(inner.uri).placed(at: new, from: old) else { continue }
            Console.error(
                "the source '\(inner.name)' stays at \(ItemName.long(inner.uri)); if it was moved along, "
                    + "'vitrine source move' brings it to \(ItemName.long(place))")
        }
        guard try CommandContext.settings().sources[SourceKey(old)] != nil else { return }
        Console.error(
            "the settings have [source \(DisplayText.of(old.text))], which is about no source any more: call it "
                + "[source \(DisplayText.of(new.text))] there")
    }
}
