import PluginHost
import VitrineKit

/// How a plugin that is inspected stands among those that are installed.
struct PluginSurroundings {
    /// One that can be used.
    let plugin: InstalledPlugin
    /// Those that can be used in the folder that is inspected; this one is among them.
    let own: [InstalledPlugin]
    /// What is found where plugins are looked for.
    let installed: PluginDirectory

    private var manifest: PluginManifest { plugin.manifest }

    /// What its author should know, all of it notes.
    var findings: [Finding] { types + place + rivals }

    /// Types that nothing tells.
    private var types: [Finding] {
        let others = own + installed.renderers + installed.containers
        let types = manifest.unrecognisedTypes(among: others.map(\.manifest))
        guard !types.isEmpty else { return [] }
        return [
            Finding(
                .plugins, "types", .note,
                "nothing tells that a file is \(types.joined(separator: ", ")): neither 'magic' nor the shared MIME database",
                advice:
                    "name the bytes that such files begin with in 'magic', unless they are zip files that declare it in "
                    + "their member 'mimetype'")
        ]
    }

    /// Whether it is found, and others of its id.
    private var place: [Finding] {
        let here = installed.listings.first { $0.folder == plugin.folder }
        let other = installed.listings.first { listing in
            guard case .ready = listing.state else { return false }
            return listing.id == manifest.id && listing.folder != plugin.folder
        }
        let shown = other.map { "'\(DisplayText.of($0.folder))'" } ?? ""
        switch (here?.state, other) {
        case (.ready?, _):
            let replaced = installed.listings.first { listing in
                guard case .overridden(let winner) = listing.state else { return false }
                return listing.id == manifest.id && winner == plugin.folder
            }
            return replaced.map {
                [
                    Finding(
                        .plugins, "id", .note,
                        "it is used in place of '\(DisplayText.of($0.folder))', which has the id '\(manifest.id)', too")
                ]
            } ?? []
        case (_?, _?):
            return [
                Finding(
                    .plugins, "id", .note, "\(shown) has the id '\(manifest.id)', too, and is used in its place",
                    advice: "take another id; \(trial)", command: command)
            ]
        case (nil, _?):
            return [
                Finding(
                    .plugins, "id", .note,
                    "\(shown) has the id '\(manifest.id)', too, and is used: this one is not where plugins are looked for",
                    advice: "take another id, unless it shall replace that plugin; \(trial)", command: command)
            ]
        case (nil, nil):
            return [
                Finding(
                    .plugins, "place", .note, "it is not where plugins are looked for", advice: trial, command: command)
            ]
        case (_?, nil): return []
        }
    }

    /// How it is found before all others, as a clause.
    private var trial: String {
        command == nil
            ? "to try it, move it: VITRINE_PLUGIN_PATH cannot name a folder whose path has a ':'" : "to try it, write"
    }

    /// The same for a shell; `nil` when the folder's path keeps it from being named.
    private var command: String? {
        if plugin.folder.utf8.contains(UInt8(ascii: ":")) { return nil }
        // As the shell reads it.
        let quoted = DisplayText.of(plugin.folder).split(separator: "'", omittingEmptySubsequences: false)
        return "export VITRINE_PLUGIN_PATH='\(quoted.joined(separator: "'\\''"))'"
    }

    /// Those that are asked before it.
    private var rivals: [Finding] {
        let (served, others) =
            switch manifest.kind {
            case .renderer: (manifest.types, installed.renderers.filter { $0.foreign == nil })
            case .backend: (manifest.schemes, installed.backends)
            case .container: (manifest.types, installed.containers)
            }
        return others.map(\.manifest).compactMap { other in
            guard other.id != manifest.id else { return nil }
            let common = served.filter { name in
                (other.types.contains(name) || other.schemes.contains(name))
                    && Self.place(other, name) < Self.place(manifest, name)
            }
            guard !common.isEmpty else { return nil }
            return Finding(
                .plugins, "priority", .note,
                "'\(other.id)', whose priority is \(other.priority), is asked before it (\(manifest.priority)) for "
                    + common.joined(separator: ", "),
                advice: manifest.kind == .renderer
                    ? "a higher 'priority' in plugin.json comes first, and of the same priority who has the type in 'firstFor'"
                    : "a higher 'priority' in plugin.json comes first")
        }
    }

    /// Where a plugin stands among those of a type or scheme; the least is asked first.
    private static func place(_ plugin: PluginManifest, _ name: String) -> (Int, Int, String) {
        (-plugin.priority, plugin.firstFor.contains(name) ? 0 : 1, plugin.id)
    }
}
