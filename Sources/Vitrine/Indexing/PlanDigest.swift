import CPlatform
import PluginHost
import PreviewCache
import VitrineKit

/// A mark of all that decides what becomes of an item, besides the item: sizes, program, renderers and their limits.
enum PlanDigest {
    /// - Parameters:
    ///   - sizes: the previews that a run wants.
    ///   - plugins: those that are installed, with the user's settings applied.
    static func of(_ sizes: [PreviewSize], _ plugins: PluginDirectory) -> FolderDigest {
        var text = "vitrine \(VitrineVersion.text)\nsizes \(sizes.map(\.pixels).sorted())\n"
        for plugin in plugins.renderers.sorted(by: { $0.manifest.id < $1.manifest.id }) {
            let manifest = plugin.manifest
            text += "\(manifest.id) \(manifest.version) \(manifest.priority) \(manifest.limits.fingerprint)"
            text += " \(manifest.types.sorted()) \(manifest.magic.count)\n"
        }
        var hash: [UInt64] = [0, 0]
        vp_hash128(text, text.utf8.count, &hash)
        return FolderDigest(low: hash[0], high: hash[1])
    }
}
