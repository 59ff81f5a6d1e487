import Vitrine
import VitrineKit

/// `vitrine index`
enum IndexCommand: Command {
    static let name = "index"
    static let summary = "Find out what is new, changed, moved and gone, and render nothing."
    static let usage = "[SOURCE|PATH|URI…] [OPTIONS]"
    static let details = """
        Without a name or a path, every registered source is done. Looks at every folder and opens no file. What is found is
        written down in the catalog, so that the next run of 'vitrine prebuild' works on these files only, and 'vitrine
        changes' and 'vitrine find' know them. A folder that cannot be reached keeps what is known of it.
        """
    static let options = [JSONOption.object] + WalkOptions.specifications + [BusyOption.specification]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        var options = PrebuildOptions()
        WalkOptions.apply(arguments, to: &options)
        options.whenBusy = try BusyOption.policy(arguments)
        let pipeline = try CommandContext.pipeline()
        let (found, wanted) = (try SourceOperands.sources(arguments.operands, pipeline), options)
        // A registered one that is no folder any more is said to be absent, and the others have their turn.
        for source in found where source.name == nil { try LocalPlace.check(isFolder: source.uri) }
        let listener = Task { [events = pipeline.progress(buffer: 16)] in await tell(events) }
        let work = InterruptibleWork { await pipeline.index(found, wanted) }
        let summary = await work.value
        listener.cancel()
        await listener.value
        await pipeline.end()
        for failure in summary.failedSources + summary.failures {
            Console.error(ItemName.reason(failure.uri, failure.error))
        }
        for hint in SourceCommand.hints(of: summary, over: found) { Console.error(hint) }
        for notice in summary.notices { Console.error("vitrine: \(DisplayText.of(notice))") }
        if JSONOption.isGiven(arguments) {
            Console.print(try json(summary))
        } else if let joined = JoinedLine.of(summary) {
            Console.print(joined)
        } else if let changes = summary.changes {
            // Without a catalog nothing is known of changes, which was said.
            Console.print(line(changes, summary.seconds))
        }
        FilingLines.show(summary, quietly: JSONOption.isGiven(arguments))
        if summary.wasInterrupted { return ExitCode.interrupted }
        let isKnown = summary.changes != nil || summary.joined != nil
        return summary.failedSources.isEmpty && isKnown && !summary.isPart ? ExitCode.done : ExitCode.failed
    }

    /// Says for what a run waits; who sees nothing happen would not know.
    private static func tell(_ events: AsyncStream<ProgressEvent>) async {
        for await event in events {
            guard case .waiting(let source, let process) = event else { continue }
            let other = process > 0 ? "process \(process)" : "another process"
            Console.error("waiting for \(other), which is at work on \(ItemName.long(source))")
        }
    }

    private static func line(_ changes: IndexSummary, _ seconds: Double) -> String {
        let parts = [
            (changes.added, "new"), (changes.changed, "changed"), (changes.moved, "moved"), (changes.removed, "gone"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let found = parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
        let failed = changes.failedFolders > 0 ? "; \(changes.failedFolders) could not be read" : ""
        return "\(found) in \(Quantity.count(changes.folders, "folder"))\(failed), in \(Quantity.seconds(seconds))"
    }

    private struct Line: Encodable {
        var added: Int
        var changed: Int
        var moved: Int
        var removed: Int
        var folders: Int
        var unchangedFolders: Int
        var failedFolders: Int
        var filed: Int?
        var joined: Int32?
        var seconds: Double
        var interrupted: Bool
    }

    private static func json(_ summary: RunSummary) throws(PluginError) -> String {
        let changes = summary.changes ?? IndexSummary()
        return try JSONText.line(
            Line(
                added: changes.added, changed: changes.changed, moved: changes.moved, removed: changes.removed,
                folders: changes.folders, unchangedFolders: changes.unchangedFolders,
                failedFolders: changes.failedFolders,
                filed: summary.filing.isEmpty ? nil : summary.filing.reduce(0) { $0 + $1.filed.count },
                joined: summary.joined,
                seconds: summary.seconds,
                interrupted: summary.wasInterrupted))
    }
}
