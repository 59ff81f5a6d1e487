public import PluginHost
import Synchronization
public import Workers

/// What the pool must know of renderers, worked out once for each: it says too much to be put together for every item.
final class WorkerSpecifications: Sendable {
    /// By the plugin's id, of which there is one among those that can be used.
    private let known = Mutex<[String: WorkerSpecification]>([:])

    /// That of a renderer.
    subscript(plugin: InstalledPlugin) -> WorkerSpecification {
        known.withLock { known in
            if let specification = known[plugin.manifest.id] { return specification }
            let specification = WorkerSpecification(plugin)
            known[plugin.manifest.id] = specification
            return specification
        }
    }
}

extension WorkerSpecification {
    /// What a manifest, and the user's settings, say about its workers.
    public init(_ plugin: InstalledPlugin) {
        let manifest = plugin.manifest
        self.init(
            id: "\(manifest.id) \(manifest.version)", library: plugin.libraryPath, pluginFolder: plugin.folder,
            profile: manifest.containment, seconds: Int(manifest.limits.seconds.rounded(.up)),
            addressSpace: Int64(manifest.limits.addressSpaceMiB) << 20,
            residentMemory: Int64(manifest.limits.residentMemoryMiB) << 20,
            keptMemory: Int64(manifest.limits.keptMemoryMiB) << 20,
            privateFolderSize: Int64(manifest.limits.privateFolderMiB) << 20,
            outputSize: Int64(manifest.limits.outputMiB) << 20,
            maximumPixels: manifest.limits.megapixels * 1_000_000,
            documentsPerWorker: manifest.limits.documentsPerWorker)
        if let foreign = plugin.foreign { run(foreign.program, foreign.arguments) }
        if !plugin.companions.isEmpty { shareTemplate(with: plugin.companions.map(WorkerSpecification.init)) }
    }
}
