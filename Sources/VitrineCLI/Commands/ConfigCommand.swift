import Containment
import Glibc
import Library
import PluginHost
import PreviewCache
import Settings
import VitrineKit

/// `vitrine config`
enum ConfigCommand: Command {
    static let name = "config"
    static let summary = "Show the settings in force, or check the settings file."
    static let usage = "[show] | check | path [OPTIONS]"
    static let details = """
        'show' prints every value and where it comes from: the settings file, the plugin's plugin.json, or the default.
        'check' says what is wrong with the file and exits with 1 if anything is. 'path' prints where the file belongs.
        docs/settings.md describes the file.
        """
    static let options = [JSONOption.either(linesWith: "show", objectWith: "check")]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let words = arguments.operands.map { String(decoding: $0, as: UTF8.self) }
        let json = JSONOption.isGiven(arguments)
        guard words.count < 2 else { throw wrongUsage(words.first) }
        let environment = PluginSearchPath.environment
        guard let path = Settings.path(environment: environment) else {
            throw PluginError(
                .io, "there is no place for settings: set XDG_CONFIG_HOME or HOME to an absolute path")
        }
        switch words.first {
        case "path":
            guard !json else { throw PluginError(.invalidArgument, "--json does not go with 'path'") }
            Console.print(path)
            return ExitCode.done
        case "check": return try check(path, json: json)
        case nil, "show":
            let settings: Settings
            do throws(PluginError) { settings = try Settings(reading: path) } catch {
                // Wrong settings are not wrong usage of this command.
                throw PluginError(.io, error.message)
            }
            try show(settings, path, json: json)
            return ExitCode.done
        default: throw wrongUsage(words.first)
        }
    }

    private static func wrongUsage(_ word: String?) -> PluginError {
        Action.wrongUsage(
            word, of: name, among: ["show", "check", "path"], "write 'show', 'check' or 'path' behind 'vitrine config'")
    }

    /// What the settings say of sources, against those that are registered. Those of a library that cannot be read are not known.
    private static func faults(_ settings: Settings, of path: String) -> [String] {
        if settings.sources.isEmpty, settings.index == IndexSettings() { return [] }
        var registered: [RegisteredSource]?
        do throws(PluginError) {
            let place = try LibraryContext.place()
            // Opening one that is not there would make it.
            let isThere = access(place.file, F_OK) == 0 || access(place.backup, F_OK) == 0
            registered = isThere ? try Library.openToRead(at: place).sources() : []
        } catch {
            if error.code == .notFound { registered = [] }
        }
        let roots = (registered ?? []).compactMap { source -> [UInt8]? in
            guard let uri = try? SourceURI(source.uri), uri.scheme == "file" else { return nil }
            return Array(uri.path)
        }
        let named = settings.sources.keys.compactMap { if case .name(let name) = $0 { name } else { nil } }
        let strangers = registered.map { Set(named).subtracting($0.map(\.name)).sorted() } ?? []
        return settings.doubts(roots: roots).map { "'\(path)' has \($0)" }
            + strangers.map { name in
                "'\(path)' has [source \(name)], and no source is called so; 'vitrine source list' shows those there are"
            }
    }

    private static func check(_ path: String, json: Bool) throws(PluginError) -> CInt {
        let faults = faults(path)
        if json {
            try JSONText.show(Check(path: path, faults: faults))
        } else {
            for fault in faults { Console.error(DisplayText.of(fault)) }
        }
        return faults.isEmpty ? ExitCode.done : ExitCode.failed
    }

    private struct Check: Encodable {
        var path: String
        var faults: [String]
    }

    /// What is wrong with the settings file, in sentences.
    private static func faults(_ path: String) -> [String] {
        let settings: Settings
        do throws(PluginError) { settings = try Settings(reading: path) } catch {
            let all = Settings.faults(reading: path)
            // It may be another one by now.
            return all.isEmpty ? [error.message] : all.map(\.message)
        }
        let directory = PluginDirectory(scanning: .standard())
        let installed = Set(directory.listings.compactMap(\.id))
        let unknown = settings.plugins.keys.filter { !installed.contains($0) }.sorted()
        return unknown.map { id in
            "'\(path)' has [plugin \(id)], which is not installed; 'vitrine plugins' lists what is"
        }
            + directory.idleSettings(settings).map { "'\(path)' has in [plugin \($0.plugin)] \($0.clause)" }
            + faults(settings, of: path)
    }

    private static func show(_ settings: Settings, _ path: String, json: Bool) throws(PluginError) {
        let lines = lines(of: settings)
        guard !json else {
            for line in lines { try JSONText.show(line) }
            return
        }
        Table.show(
            [["group", "key", "value", "from"]] + lines.map { [$0.group, $0.key, $0.shown, $0.from.rawValue] })
        Console.print("file: \(DisplayText.of(path))")
    }
}
