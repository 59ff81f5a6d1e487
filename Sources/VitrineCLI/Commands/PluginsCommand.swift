import Arguments
import Doctor
import Glibc
import PluginHost
import Settings
import VitrineKit

/// `vitrine plugins`
enum PluginsCommand: Command {
    static let name = "plugins"
    static let summary = "List the plugins, check one, or write the beginning of a new one."
    static let usage = "[list] | check [FOLDER|ID] | new KIND NAME [OPTIONS]"
    static let details = """
        'list' names what is installed, and what was refused and why.

        'check' says whether the plugin in FOLDER, by default the working folder, or the installed one that is called ID, is
        fit for use: it reads its plugin.json, loads its library as Vitrine does, a renderer's in a contained worker, and
        looks which plugins are asked before it. It exits with 0 when all is well, and with 1 when there is a problem or a
        warning; notes (·) are neither.

        'new' writes a folder NAME into the working folder, with a plugin of the KIND renderer, backend or container. It
        builds against the SDK that is installed with this program (or the one under $VITRINE_SDK), passes its tests and can
        be loaded: docs/writing-a-plugin.md.
        """
    static let options = [JSONOption.either(linesWith: "list", objectWith: "check")]

    static func choices(of operand: String, after action: String?) -> ValueChoices {
        operand == "KIND" ? .words(PluginTemplate.Kind.allCases.map(\.rawValue)) : commonChoices(of: operand)
    }

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let words = arguments.operands.map { String(decoding: $0, as: UTF8.self) }
        let json = JSONOption.isGiven(arguments)
        switch words.first {
        case nil, "list":
            guard words.count < 2 else { throw PluginError(.invalidArgument, "'list' takes no argument") }
            try list(try CommandContext.settings(), json: json)
            return ExitCode.done
        case "new":
            guard !json else { throw PluginError(.invalidArgument, "--json does not go with 'new'") }
            try write(words.dropFirst())
            return ExitCode.done
        case "check":
            guard words.count < 3 else { throw PluginError(.invalidArgument, "'check' takes one folder") }
            return try await check(
                arguments.operands.count > 1 ? arguments.operands[1] : Array(".".utf8), json: json)
        default:
            throw Action.wrongUsage(
                words.first, of: name, among: ["list", "check", "new"],
                "write 'list', 'check FOLDER' or 'new KIND NAME'")
        }
    }

    private static func write(_ words: ArraySlice<String>) throws(PluginError) {
        let kinds = PluginTemplate.Kind.allCases.map(\.rawValue)
        guard let word = words.first, let name = words.last, words.count == 2 else {
            throw PluginError(
                .invalidArgument,
                "write 'vitrine plugins new KIND NAME'; the kind is one of \(kinds.joined(separator: ", "))")
        }
        guard let kind = PluginTemplate.Kind(rawValue: word) else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(word))' is no kind of plugin\(Spelling.guess(word, among: kinds)); there are "
                    + kinds.joined(separator: ", "))
        }
        let template = try PluginTemplate(kind: kind, name: name, sdk: PluginTemplate.installedSDK())
        let folder = DisplayText.of(try template.write(into: "."))
        Console.print(
            "'\(folder)' is written. In it, run 'swift build' and 'swift test'; its README.md goes on from there.")
    }

    private static func check(_ operand: [UInt8], json: Bool) async throws(PluginError) -> CInt {
        let folder = try folder(operand)
        return try FindingReport.show(try await PluginInspection(of: folder).examine(), json: json)
    }

    /// The folder that an operand names, or else that of the installed plugin whose id it is.
    private static func folder(_ operand: [UInt8]) throws(PluginError) -> String {
        guard access(operand.map { CChar(bitPattern: $0) } + [0], F_OK) != 0, errno == ENOENT, !operand.isEmpty,
            !operand.contains(UInt8(ascii: "/"))
        else { return try DoctorCommand.absolute(operand) }
        let id = String(decoding: operand, as: UTF8.self)
        let listings = PluginDirectory(scanning: .standard(), settings: try CommandContext.settings()).listings
        let own = listings.filter { !$0.isForeign }
        for listing in own where listing.id == id {
            if case .overridden = listing.state { continue }
            return listing.folder
        }
        if listings.contains(where: { $0.isForeign && $0.id == id }) {
            throw PluginError(.io, "'\(id)' is a thumbnailer of another project, and has no plugin.json to be checked")
        }
        throw PluginError(
            .io,
            "there is neither a folder nor an installed plugin '\(DisplayText.of(id))'"
                + "\(Spelling.guess(id, among: own.compactMap(\.id))); 'vitrine plugins' lists what is installed")
    }

    private static func list(_ settings: Settings, json: Bool) throws(PluginError) {
        let path = PluginSearchPath.standard()
        let directory = PluginDirectory(scanning: path, settings: settings)
        if json {
            for listing in directory.listings { try JSONText.show(PluginLine(listing)) }
        } else {
            table(directory.listings)
        }
        if directory.listings.allSatisfy(\.isForeign) {
            Console.error("no plugin was found in " + path.folders.map { "'\($0)'" }.joined(separator: ", "))
        }
    }

    private static func table(_ listings: [PluginListing]) {
        var rows = [["id", "version", "kind", "state", "path"]]
        for line in listings.map(PluginLine.init) {
            rows.append([line.id ?? "?", line.version ?? "?", line.kind ?? "?", line.state, line.path])
        }
        Table.show(rows)
        for listing in listings {
            if case .refused(let error) = listing.state { Console.error(DisplayText.of(error.message)) }
        }
    }
}
