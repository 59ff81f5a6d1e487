import PluginHost
import Synchronization
import Timing
import VitrineKit

/// Renderers whose workers could not be started lately: their library is not installed, or something that it needs.
///
/// Where another renderer draws the same type, it is asked at once, and no worker is started for each file to find out
/// the same again. After a while it is tried anew, since what is missing may have been installed meanwhile.
///
/// So are renderers whose workers were killed several times in a row while they started, as by a system that is short of
/// memory. What others say of an item then is not the last word on it.
final class AbsentRenderers: Sendable {
    private struct Loss {
        /// How many workers were killed since one made a picture.
        var count = 1
        /// When the last one was counted.
        var at = Moment.now
        var reason: PluginError
    }

    private struct State {
        var since: [WorkerName: Moment] = [:]
        /// Why those cannot be started that are not there.
        var reasons: [WorkerName: PluginError] = [:]
        var losses: [WorkerName: Loss] = [:]
        /// What was said of those that others stand in for, and of whom.
        var notices: [String] = []
        var noticed: Set<WorkerName> = []
    }

    private let state = Mutex(State())
    private let patience: Duration
    private let lossInterval: Duration

    /// - Parameters:
    ///   - patience: after which time a renderer is tried again. Default: a minute.
    ///   - lossInterval: what is lost within so long is one worker: all who wait for it are told. Default: a tenth of a
    ///     second.
    init(patience: Duration = .seconds(60), lossInterval: Duration = .milliseconds(100)) {
        self.patience = patience
        self.lossInterval = lossInterval
    }

    /// Those of some renderers that may be there, in their order; all of them when none may.
    func usable(_ renderers: [InstalledPlugin]) -> [InstalledPlugin] {
        guard renderers.count > 1 else { return renderers }
        let now = Moment.now
        let usable = state.withLock { state in
            state.since.isEmpty
                ? renderers
                : renderers.filter { state.since[WorkerName($0)].map { now - $0 >= patience } ?? true }
        }
        return usable.isEmpty ? renderers : usable
    }

    /// Remembers one.
    func add(_ renderer: InstalledPlugin, _ reason: PluginError) {
        state.withLock { state in
            state.reasons[WorkerName(renderer)] = reason
            state.since[WorkerName(renderer)] = .now
            state.losses[WorkerName(renderer)] = nil
        }
    }

    /// A renderer's worker was killed while it started.
    func lost(_ renderer: InstalledPlugin, _ reason: PluginError) {
        let name = WorkerName(renderer)
        state.withLock { state in
            guard var loss = state.losses[name] else {
                state.losses[name] = Loss(reason: reason)
                return
            }
            let now = Moment.now
            guard now - loss.at >= lossInterval else { return }
            (loss.count, loss.at) = (loss.count + 1, now)
            state.losses[name] = loss
            if loss.count >= Self.mostLosses { state.since[name] = now }
        }
    }

    /// A renderer made a picture.
    func served(_ renderer: InstalledPlugin) {
        state.withLock { state in
            if !state.losses.isEmpty { state.losses[WorkerName(renderer)] = nil }
        }
    }

    /// What is to be said aloud of renderers that others stood in for.
    var notices: [String] { state.withLock { $0.notices } }

    /// Takes what is to be said of a renderer, the first time.
    /// - Returns: whether it was.
    func notice(_ renderer: InstalledPlugin, _ text: String) -> Bool {
        state.withLock { state in
            guard state.noticed.insert(WorkerName(renderer)).inserted else { return false }
            state.notices.append(text)
            return true
        }
    }

    /// Why a renderer cannot be had, if that was found out since a moment.
    func absence(of renderer: InstalledPlugin, since moment: Moment) -> PluginError? {
        let name = WorkerName(renderer)
        return state.withLock { state in
            guard let since = state.since[name], since >= moment else { return nil }
            return state.reasons[name]
        }
    }

    /// Why another renderer, which would have been asked before, is not there.
    /// - Parameters:
    ///   - renderer: the one that was asked.
    ///   - renderers: all, those first that are to be asked before it.
    func absence(before renderer: InstalledPlugin, of renderers: [InstalledPlugin]) -> (PluginError, InstalledPlugin)? {
        let now = Moment.now
        return state.withLock { state in
            for other in renderers.prefix(while: { $0 != renderer }) {
                let name = WorkerName(other)
                if let since = state.since[name], now - since < patience, let reason = state.reasons[name] {
                    return (reason, other)
                }
            }
            return nil
        }
    }

    /// Why another renderer, which would have been asked before, was passed over since its workers are killed.
    /// - Parameters:
    ///   - renderer: the one that was asked.
    ///   - renderers: all, those first that are to be asked before it.
    func loss(before renderer: InstalledPlugin, of renderers: [InstalledPlugin]) -> (PluginError, InstalledPlugin)? {
        state.withLock { state in
            if state.losses.isEmpty { return nil }
            for other in renderers.prefix(while: { $0 != renderer }) {
                let name = WorkerName(other)
                if state.since[name] != nil, let loss = state.losses[name] { return (loss.reason, other) }
            }
            return nil
        }
    }

    /// Workers of a renderer that may be killed while they start, one after the other.
    private static let mostLosses = 3

    private struct WorkerName: Hashable {
        var id: String
        var library: String

        init(_ renderer: InstalledPlugin) { (id, library) = (renderer.manifest.id, renderer.libraryPath) }
    }
}
