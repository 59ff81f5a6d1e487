import Arguments
public import PluginHost
import Settings
import Vitrine
public import VitrineKit

/// Looks whether the plugins in a folder are fit for use, as their author asks before anybody installs them.
///
/// More is tried than a list of plugins tells: a renderer or reader of containers is started in a real worker, and a
/// backend's library is mapped into this process, as it is when a source of it is first used.
public struct PluginInspection: Sendable {
    private let folder: String
    private let environment: [String: String]

    /// - Parameters:
    ///   - folder: that of a plugin's `plugin.json`, or one up to three levels above it, absolute.
    ///   - environment: the process's variables. Default: this one's.
    public init(of folder: String, environment: [String: String] = PluginSearchPath.environment) {
        self.folder = folder
        self.environment = environment
    }

    /// Looks at everything, which takes as long as starting a worker.
    /// - Returns: what was found; at least one finding.
    /// - Throws: what says that nothing can be tried: the settings are damaged, there is no worker program.
    public func examine() async throws(PluginError) -> [Finding] {
        let settings = try Settings.standard(environment: environment)
        return await examine(try PipelineConfiguration.standard(environment: environment, settings: settings))
    }

    /// The same with a set-up that a test made.
    func examine(_ configuration: PipelineConfiguration) async -> [Finding] {
        let path = PluginSearchPath(folders: [folder], libraryFolders: configuration.plugins.libraryFolders)
        let own = PluginDirectory(scanning: path, settings: configuration.settings)
        guard !own.listings.isEmpty else {
            return [
                Finding(
                    .plugins, DisplayText.of(folder), .problem,
                    "there is no plugin.json in it, nor up to three levels below",
                    advice: "name the plugin's folder; 'vitrine plugins new' writes one")
            ]
        }
        let installed = PluginDirectory(scanning: configuration.plugins, settings: configuration.settings)
        var findings: [Finding] = []
        let usable = own.renderers + own.backends + own.containers
        for listing in own.listings {
            var some = [state(of: listing)] + slips(in: listing)
            if case .ready = listing.state, let plugin = usable.first(where: { $0.folder == listing.folder }) {
                let surroundings = PluginSurroundings(plugin: plugin, own: usable, installed: installed)
                some += surroundings.findings
                some += await trial(of: plugin, configuration)
            }
            // Whose they are, where there are several.
            if own.listings.count > 1, let id = listing.id {
                for index in some.indices where some[index].subject != id {
                    some[index].subject = "\(id): \(some[index].subject)"
                }
            }
            findings += some
        }
        return findings
    }

    private func state(of listing: PluginListing) -> Finding {
        let subject = listing.id ?? DisplayText.of(listing.folder)
        if case .refused(let error) = listing.state {
            return Finding(.plugins, subject, .problem, DisplayText.of(error.message))
        }
        guard let manifest = listing.manifest else { return Finding(.plugins, subject, .problem, "it cannot be read") }
        let text = "\(manifest.version), \(manifest.kind.rawValue), '\(DisplayText.of(listing.libraryPath ?? ""))'"
        if case .disabled = listing.state {
            return Finding(
                .plugins, subject, .warning, text + "; the settings switch it off, and nothing else of it was tried",
                advice: "take 'enabled = false' out of [plugin \(manifest.id)]")
        }
        return Finding(.plugins, subject, .ok, text)
    }

    /// Keys of the manifest that say nothing, or that other programs do not read as Vitrine does.
    private func slips(in listing: PluginListing) -> [Finding] {
        // A manifest that was refused was told.
        let doubled = listing.manifest == nil ? [] : (try? PluginManifest.doubledKeys(in: listing.folder)) ?? []
        return doubled.map(finding) + unknownKeys(in: listing) + idleKeys(in: listing)
    }

    /// Fields that mean something for plugins of another kind only.
    private func idleKeys(in listing: PluginListing) -> [Finding] {
        let keys = (try? listing.manifest?.idleKeys(in: listing.folder)) ?? []
        return keys.map { key in
            Finding(.plugins, "plugin.json", .warning, "'\(key.path)' \(key.clause)", advice: "take it away")
        }
    }

    private func finding(_ key: DoubledManifestKey) -> Finding {
        Finding(
            .plugins, "plugin.json", .warning,
            "'\(key.path)' is there twice, the second time in line \(key.line), and only one of them counts",
            advice: "take one of them away")
    }

    private func unknownKeys(in listing: PluginListing) -> [Finding] {
        // What cannot be read was refused for that.
        let keys = (try? PluginManifest.unknownKeys(in: listing.folder)) ?? []
        return keys.map { key in
            let meant = Spelling.nearest(to: key.name, among: key.fields)
            return Finding(
                .plugins, "plugin.json", .warning, "'\(key.path)' is no field, and says nothing",
                advice: meant.map { "write '\($0)', if that is meant" }
                    ?? "take it away; the fields there are \(key.fields.joined(separator: ", "))")
        }
    }

    /// Loads it, contained if it is to be.
    private func trial(of plugin: InstalledPlugin, _ configuration: PipelineConfiguration) async -> [Finding] {
        guard plugin.manifest.kind == .backend else {
            let check = ContainmentCheck(configuration: configuration, renderers: [plugin])
            return await check.findings().filter { $0.area == .containment && $0.subject == plugin.manifest.id }
        }
        do throws(PluginError) {
            try BackendFactory.load(plugin)
            return [
                Finding(
                    .plugins, "library", .ok,
                    "loads, and makes backends for \(plugin.manifest.schemes.map { $0 + ":" }.joined(separator: ", "))")
            ]
        } catch {
            return [Finding(.plugins, "library", .problem, DisplayText.of(error.message))]
        }
    }
}
