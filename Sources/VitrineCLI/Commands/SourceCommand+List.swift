import Catalog
import Glibc
import Library
import PluginHost
import Vitrine
import VitrineKit

// `vitrine source list`
extension SourceCommand {
    private struct Line: Encodable {
        var name: String
        var uri: String
        var added: String
        var hidden: Bool?
        var followLinks: Bool?
        var crossFileSystems: Bool?
        var state: String?
        var reason: String?
        var since: String?
        var files: Int?
        var withPreviews: Int?
        var failed: Int?
        var indexed: String?
        var checked: String?
    }

    static func list(_ context: LibraryContext, json: Bool) throws(PluginError) {
        let sources = try context.library.sources()
        if sources.isEmpty {
            if !json { Console.error("no source is registered; 'vitrine source add PATH' adds one") }
            return
        }
        let states = states(of: sources)
        if json {
            for (source, status) in zip(sources, states) { try JSONText.show(line(source, status)) }
            return
        }
        let rows = zip(sources, states).map { source, status in
            let options = [
                ("hidden", source.options.hidden), ("follow-links", source.options.followsLinks),
                ("cross-file-systems", source.options.crossesFileSystems),
            ].filter { $0.1 == true }.map(\.0)
            return [
                source.name, ItemName.long(source.uri), status.map { "\($0.files)" } ?? "?",
                status.map { "\($0.counts[.made] ?? 0)" } ?? "?",
                date(status?.look?.indexed, DateText.short) ?? "never",
                status.map(words) ?? "not known", options.joined(separator: " "),
            ]
        }
        Table.show([["name", "source", "files", "previews", "last whole", "state", "options"]] + rows)
        if states.contains(where: { $0?.look?.state == .absent }) { Console.error(moveHint) }
    }

    /// What the catalog knows; `nil` for what it cannot tell, which is said.
    private static func states(of sources: [RegisteredSource]) -> [SourceStatus?] {
        do throws(PluginError) {
            let path = try PipelineConfiguration.catalogPath(environment: PluginSearchPath.environment)
            // Looking makes none.
            guard let path, access(path, F_OK) == 0 else { return sources.map { _ in SourceStatus() } }
            let catalog = try CommandContext.catalog(at: path)
            var states: [SourceStatus] = []
            for source in sources {
                states.append(try SourceStatus(of: SourceURI(source.uri), among: sources, in: catalog))
            }
            return states
        } catch {
            Console.error("vitrine: the catalog cannot be read: \(DisplayText.of(error.message))")
            return sources.map { _ in nil }
        }
    }

    private static func line(_ source: RegisteredSource, _ status: SourceStatus?) -> Line {
        Line(
            name: source.name, uri: source.uri, added: DateText.exact(source.added), hidden: source.options.hidden,
            followLinks: source.options.followsLinks, crossFileSystems: source.options.crossesFileSystems,
            state: status.map { word($0.look?.state ?? .new) }, reason: status?.look?.reason,
            since: date(status?.look?.since, DateText.exact), files: status?.files,
            withPreviews: status.map { $0.counts[.made] ?? 0 }, failed: status.map { $0.counts[.failed] ?? 0 },
            indexed: date(status?.look?.indexed, DateText.exact), checked: date(status?.look?.checked, DateText.exact))
    }

    private static func date(_ seconds: Int64?, _ text: (Timestamp) -> String) -> String? {
        seconds.map { text(Timestamp(seconds: $0)) }
    }

    private static func word(_ state: SourceRecord.State) -> String {
        switch state {
        case .new, .left: "new"
        case .complete: "complete"
        case .partial: "partial"
        case .absent: "absent"
        case .interrupted: "interrupted"
        case .moved: "moved"
        }
    }

    /// How the last look went, for people.
    private static func words(_ status: SourceStatus) -> String {
        guard let look = status.look else {
            return status.files > 0 ? "never indexed by itself" : "never indexed"
        }
        let reason = look.reason.map { ": \($0)" } ?? ""
        switch look.state {
        case .new, .left: return "never indexed"
        case .complete: return "complete"
        case .partial: return "partly unreadable\(reason)"
        case .absent:
            let since = date(look.since, DateText.short).map { " since \($0)" } ?? ""
            return "absent\(since), nothing forgotten\(reason)"
        case .interrupted: return look.checked == nil ? "not seen to its end yet" : "interrupted"
        case .moved: return "moved, not looked at since"
        }
    }
}
