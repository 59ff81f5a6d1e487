import PluginHost
import Synchronization
import Workers

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
