import Catalog
import Glibc
import Vitrine
import VitrineKit

/// `vitrine changes`
enum ChangesCommand: Command {
    static let name = "changes"
    static let summary = "Tell what changed since an earlier version of the catalog."
    static let usage = "[--since VERSION] [--json]"
    static let details = """
        Every change that a run finds gets the next number, the version. With --since, what came after that one is told, \
        in order:
        added, changed, moved, removed, and preview when one is ready; the last line tells the version to go on from. When
        the version is too old, or from a catalog that is no more, the first line says 'whole', and all files follow.
        Without --since only the present version is told.
        """
    static let options = [
        OptionSpecification("--since", value: "VERSION", "The last version that you know; 0 for the whole."),
        OptionSpecification("--json", "Print one JSON object a line, for programs."),
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        guard arguments.operands.isEmpty else {
            throw PluginError(.invalidArgument, "it takes no operand; --since takes the version")
        }
        let catalog = try CommandContext.catalog()
        let isJSON = arguments.has("--json")
        guard let since = try arguments.integer("--since", in: 0...Int.max) else {
            try end(at: catalog.version, isJSON)
            return ExitCode.done
        }
        var last = Int64(since)
        while true {
            switch try catalog.changes(since: last) {
            case .whole(let version):
                Console.print(isJSON ? try JSONText.line(Mark(event: "whole", version: version)) : "whole")
                try catalog.eachItem { items throws(PluginError) in
                    for item in items { try show(Line(event: "added", uri: uri(item.source, item.path)), isJSON) }
                }
                try end(at: version, isJSON)
                return ExitCode.done
            case .increment(let changes, let version, let isAll):
                for change in changes { try show(line(change), isJSON) }
                last = version
                if isAll {
                    try end(at: version, isJSON)
                    return ExitCode.done
                }
            }
        }
    }

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

    private static func line(_ change: Change) -> Line {
        Line(
            event: change.kind.rawValue, uri: uri(change.source, change.path),
            from: change.from.map { uri($0.source, $0.path) }, version: change.version)
    }

    private static func uri(_ source: String?, _ path: ItemPath) -> String {
        guard let source, let root = try? SourceURI(source) else { return DisplayText.of(path.bytes) }
        return root.appending(path)
    }

    private static func show(_ line: Line, _ isJSON: Bool) throws(PluginError) {
        if isJSON {
            Console.print(try JSONText.line(line))
        } else {
            let from = line.from.map { " from \(ItemName.long($0))" } ?? ""
            Console.print("\(line.event.padded(to: 8)) \(ItemName.long(line.uri))\(from)")
        }
    }

    private static func end(at version: Int64, _ isJSON: Bool) throws(PluginError) {
        Console.print(isJSON ? try JSONText.line(Mark(event: "version", version: version)) : "version \(version)")
    }
}
