import PluginHost
import Settings
import Vitrine
import VitrineKit

/// `vitrine plugins`
enum PluginsCommand: Command {
    static let name = "plugins"
    static let summary = "List the plugins, or write the beginning of a new one."
    static let usage = "[list] | new backend|renderer NAME"
    static let details = """
        'new' writes a folder NAME into this one. It builds against the SDK that is installed with this program (or the
        one under $VITRINE_SDK), passes its conformance suite and can be loaded: docs/writing-a-plugin.md.
        """
    static let options: [OptionSpecification] = []

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let words = arguments.operands.map { String(decoding: $0, as: UTF8.self) }
        switch words.first {
        case nil, "list":
            guard words.count < 2 else { throw PluginError(.invalidArgument, "'list' takes no argument") }
            list(try CommandContext.settings())
            return ExitCode.done
        case "new":
            guard words.count == 3, let kind = PluginTemplate.Kind(rawValue: words[1]) else { throw wrongUsage }
            let template = try PluginTemplate(
                kind: kind, name: words[2], sdk: PluginTemplate.installedSDK())
            let folder = DisplayText.of(try template.write(into: "."))
            Console.print(
                "'\(folder)' is written. In it, run 'swift build' and 'swift test'; its README.md goes on from there.")
            return ExitCode.done
        default: throw wrongUsage
        }
    }

    private static var wrongUsage: PluginError {
        PluginError(.invalidArgument, "write 'vitrine plugins' or 'vitrine plugins new backend|renderer NAME'")
    }

    private static func list(_ settings: Settings) {
        let path = PluginSearchPath.standard()
        let directory = PluginDirectory(scanning: path, settings: settings)
        var rows = [["id", "version", "kind", "state", "path"]]
        for listing in directory.listings {
            let manifest = listing.manifest
            let state =
                switch listing.state {
                case .ready: "ready"
                case .disabled: "disabled"
                case .refused: "refused"
                case .overridden: "overridden"
                }
            rows.append([
                manifest?.id ?? "?", manifest?.version ?? "?",
                listing.isForeign ? "thumbnailer" : manifest?.kind.rawValue ?? "?", state,
                listing.isForeign ? listing.libraryPath ?? listing.folder : listing.folder,
            ])
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        for row in rows {
            Console.print(
                row.indices.map { $0 == row.count - 1 ? row[$0] : row[$0].padded(to: widths[$0] + 2) }.joined())
        }
        for listing in directory.listings {
            if case .refused(let error) = listing.state { Console.error(DisplayText.of(error.message)) }
        }
        if directory.listings.allSatisfy(\.isForeign) {
            Console.error("no plugin was found in " + path.folders.map { "'\($0)'" }.joined(separator: ", "))
        }
    }
}
