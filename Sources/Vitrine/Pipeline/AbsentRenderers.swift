import PluginHost
import Synchronization
import VitrineKit

/// Renderers whose workers could not be started lately: their library is not installed, or something that it needs.
///
/// Where another renderer draws the same type, it is asked at once, and no worker is started for each file to find out
/// the same again. After a while it is tried anew, since what is missing may have been installed meanwhile.
final class AbsentRenderers: Sendable {
    private let since = Mutex<[WorkerName: ContinuousClock.Instant]>([:])
    private let patience: Duration

    /// - Parameter patience: after which time a renderer is tried again. Default: a minute.
    init(patience: Duration = .seconds(60)) { self.patience = patience }

    /// Those of some renderers that may be there, in their order; all of them when none may.
    func usable(_ renderers: [InstalledPlugin]) -> [InstalledPlugin] {
        guard renderers.count > 1 else { return renderers }
        let now = ContinuousClock.now
        let usable = since.withLock { since in
            since.isEmpty ? renderers : renderers.filter { since[WorkerName($0)].map { now - $0 >= patience } ?? true }
        }
        return usable.isEmpty ? renderers : usable
    }

    /// Remembers one.
    func add(_ renderer: InstalledPlugin) { since.withLock { $0[WorkerName(renderer)] = .now } }

    private struct WorkerName: Hashable {
        var id: String
        var library: String

        init(_ renderer: InstalledPlugin) { (id, library) = (renderer.manifest.id, renderer.libraryPath) }
    }
}
