import Catalog
import VitrineKit

/// `vitrine changes`
enum ChangesCommand: Command {
    static let name = "changes"
    static let summary = "Tell what changed since an earlier version of the catalog."
    static let usage = "[--since VERSION] [--json]"
    static let details = """
        Every change that a run finds gets the next number, the version. With --since, what came after that one is told, in
        order: added, changed, moved, removed, and preview when one is ready; the last line tells the version to go on from.
        When the version is too old, or from a catalog that is no more, the first line says 'whole', and all files follow.
        Without --since only the present version is told.
        """
    static let options = [
        OptionSpecification("--since", value: "VERSION", "The last version that you know; 0 for the whole."),
        JSONOption.lines,
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        guard arguments.operands.isEmpty else {
            throw PluginError(.invalidArgument, "it takes no operand; --since takes the version")
        }
        let catalog = try CommandContext.catalog()
        try catalog.keepLittle()
        var output = ChangeOutput(isJSON: JSONOption.isGiven(arguments))
        guard let since = try arguments.integer("--since", in: 0...Int.max) else {
            try output.end(at: catalog.version)
            return ExitCode.done
        }
        var last = Int64(since)
        while !output.isClosed {
            switch try catalog.changes(since: last) {
            case .whole(let version):
                try output.whole(version)
                do throws(PluginError) {
                    try catalog.eachItem { items throws(PluginError) in
                        for item in items { try output.added(item) }
                        if output.isClosed { throw PluginError(.cancelled, "nobody reads the rest") }
                    }
                } catch { guard output.isClosed else { throw error } }
                try output.end(at: version)
                return ExitCode.done
            case .increment(let changes, let version, let isAll):
                for change in changes { try output.show(change) }
                last = version
                if isAll {
                    try output.end(at: version)
                    return ExitCode.done
                }
            }
        }
        return ExitCode.done
    }
}

/// Writes changes as lines.
private struct ChangeOutput {
    let isJSON: Bool
    private var lines = LineBuffer()
    private var roots: [String: SourceURI] = [:]

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Whether nobody reads the rest.
    var isClosed: Bool { lines.isClosed }

    private struct Line: Encodable {
        var event: String
        var uri: String
        var from: String?
        var version: Int64?
    }

    private struct Mark: Encodable {
        var event: String
        var version: Int64
    }

    mutating func whole(_ version: Int64) throws(PluginError) {
        lines.print(isJSON ? try JSONText.line(Mark(event: "whole", version: version)) : "whole")
    }

    mutating func added(_ item: PlacedItem) throws(PluginError) {
        try show(Line(event: "added", uri: uri(item.source, item.path)))
    }

    mutating func show(_ change: Change) throws(PluginError) {
        let from = change.from.map { uri($0.source, $0.path) }
        try show(
            Line(
                event: change.kind.rawValue, uri: uri(change.source, change.path), from: from, version: change.version))
    }

    /// The last line.
    mutating func end(at version: Int64) throws(PluginError) {
        lines.print(isJSON ? try JSONText.line(Mark(event: "version", version: version)) : "version \(version)")
        lines.flush()
    }

    private mutating func uri(_ source: String?, _ path: ItemPath) -> String {
        guard let source else { return DisplayText.of(path.bytes) }
        if let known = roots[source] { return known.appending(path) }
        guard let root = try? SourceURI(source) else { return DisplayText.of(path.bytes) }
        roots[source] = root
        return root.appending(path)
    }

    private mutating func show(_ line: Line) throws(PluginError) {
        if isJSON {
            lines.print(try JSONText.line(line))
        } else {
            let from = line.from.map { " from \(ItemName.long($0))" } ?? ""
            lines.print("\(line.event.padded(to: 8)) \(ItemName.long(line.uri))\(from)")
        }
    }
}
