import CPlatform
import PluginHost
import PreviewCache
import Settings
import VitrineKit

/// A mark of all that decides what becomes of an item, besides the item: sizes, program, renderers with their limits and
/// patterns, the containment that is asked for, and what the system knows of types.
enum PlanDigest {
    /// What a run of a pipeline wants. Reads the system's MIME database.
    static func of(
        _ sizes: [PreviewSize], _ pipeline: PreviewPipeline, _ variant: Variant = .standard,
        embedded: EmbeddedUse? = nil
    ) -> FolderDigest {
        var settings = pipeline.configuration.settings
        settings.embedded = embedded ?? settings.embedded
        return of(sizes, pipeline.plugins, settings, TypeDatabase.mark(), variant)
    }

    /// - Parameters:
    ///   - sizes: the previews that a run wants.
    ///   - plugins: those that are installed, with the user's settings applied.
    ///   - settings: those that hold for all plugins.
    ///   - types: a mark of the database of MIME types.
    ///   - variant: what is made of the previews.
    static func of(
        _ sizes: [PreviewSize], _ plugins: PluginDirectory, _ settings: Settings, _ types: UInt64,
        _ variant: Variant = .standard
    ) -> FolderDigest {
        var text = "vitrine \(VitrineVersion.text)\nsizes \(sizes.map(\.pixels).sorted())\n"
        if variant != .standard { text += "variant \(variant)\n" }
        text += "containment \(settings.requiredContainment.map { "\($0)" } ?? "")\ntypes \(types)\n"
        if let embedded = settings.embedded, embedded != .auto { text += "embedded \(embedded.rawValue)\n" }
        // What could not be opened before may be now.
        if settings.passwords.command != nil, settings.passwords.cachesEncrypted == true { text += "passwords\n" }
        for plugin in plugins.renderers.sorted(by: { $0.manifest.id < $1.manifest.id }) {
            let manifest = plugin.manifest
            text += "\(manifest.id) \(manifest.version) \(manifest.priority) \(manifest.limits.fingerprint)"
            let types = manifest.types.sorted().map { "\"\($0)\"" }
            text += " \(manifest.skipsEmpty) \(manifest.doubtsBlank) [\(types.joined(separator: ", "))]\n"
            if !manifest.firstFor.isEmpty { text += "first \(manifest.firstFor.sorted())\n" }
            for pattern in manifest.magic {
                text += "\(pattern.type) +\(pattern.within)"
                for part in [pattern.part] + pattern.and {
                    text += " \(part.offset):[\(part.bytes.map(String.init).joined(separator: ", "))]"
                }
                if let document = pattern.document { text += " \(document.description)" }
                text += "\n"
            }
        }
        var hash: [UInt64] = [0, 0]
        vp_hash128(text, text.utf8.count, &hash)
        return FolderDigest(low: hash[0], high: hash[1])
    }
}
