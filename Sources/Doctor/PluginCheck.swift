import Glibc
import PluginHost
import Settings
import VitrineKit

/// Which plugins can be used, and which cannot and why.
struct PluginCheck {
    let directory: PluginDirectory
    let settings: Settings
    /// Folders that `VITRINE_PLUGIN_PATH` names.
    var named: [String] = []

    var findings: [Finding] {
        let usable = Set((directory.renderers + directory.backends + directory.containers).map(\.manifest.id))
        var findings = directory.listings.map { listing in
            let subject = listing.id ?? DisplayText.of(listing.folder)
            let kind = listing.isForeign ? "thumbnailer of another project" : nil
            let version = listing.manifest.map { "\($0.version), \(kind ?? $0.kind.rawValue)" } ?? ""
            return switch listing.state {
            case .ready: Finding(.plugins, subject, .ok, version)
            case .disabled: Finding(.plugins, subject, .ok, version + ", switched off by the settings")
            case .overridden(let winner):
                Finding(
                    .plugins, subject, .note,
                    "'\(DisplayText.of(listing.folder))' is not used: '\(DisplayText.of(winner))' comes first")
            case .refused(let error):
                // One that another of the same id stands in for is missed by nobody.
                // What other projects installed is not for this one to mend.
                Finding(
                    .plugins, subject,
                    listing.isForeign ? .note : usable.contains(subject) ? .warning : .problem,
                    DisplayText.of(error.message))
            }
        }
        let kinds = [("renderer", directory.renderers), ("backend", directory.backends)]
        for (kind, usable) in kinds where usable.isEmpty {
            let places = directory.searchPath.folders.map { "'\($0)'" }.joined(separator: ", ")
            findings.append(
                Finding(
                    .plugins, "every \(kind)", .problem, "there is no usable \(kind) in \(places)",
                    advice: "install Vitrine again, or name a folder with VITRINE_PLUGIN_PATH"))
        }
        findings += named.compactMap(slip)
        let installed = Set(directory.listings.compactMap(\.id))
        for id in settings.plugins.keys.sorted() where !installed.contains(id) {
            findings.append(
                Finding(
                    .plugins, id, .warning, "the settings speak of this plugin, which is not installed",
                    advice: "look for a slip of the pen in [plugin \(id)]"))
        }
        findings += directory.idleSettings(settings).map { idle in
            Finding(
                .plugins, idle.plugin, .warning, "the settings have \(idle.clause)",
                advice: "take out of [plugin \(idle.plugin)] what changes nothing")
        }
        return findings
    }

    /// What is amiss with a folder that somebody named, of whose plugins none was found.
    private func slip(_ folder: String) -> Finding? {
        let shown = DisplayText.of(folder)
        guard let resolved = realpath(folder, nil) else {
            // Why one that is there cannot be searched is said in its own line.
            guard errno == ENOENT else { return nil }
            return Finding(
                .plugins, "VITRINE_PLUGIN_PATH", .warning, "the folder '\(shown)' is not there",
                advice: "name a plugin's folder, or one above it, with colons between")
        }
        let root = String(cString: resolved)
        free(resolved)
        let isFound = directory.listings.contains { $0.folder == root || $0.folder.hasPrefix(root + "/") }
        return isFound ? nil : Finding(.plugins, "VITRINE_PLUGIN_PATH", .note, "there is no plugin.json in '\(shown)'")
    }
}
