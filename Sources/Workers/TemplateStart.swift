import Synchronization
import VitrineKit

/// A template that warms up, and those who wait for it. When the last of these gives up, the process is ended.
final class TemplateStart: Sendable {
    /// The process.
    let link: WorkerProcess.Link

    private struct State {
        var outcome: Result<Void, PluginError>?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
        var isAbandoned = false
    }
    private let state = Mutex(State())

    init(_ link: WorkerProcess.Link) { self.link = link }

    /// Whether everybody who waited has given up, so that who comes now starts another one.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// How many wait for it.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Waits until it is known what became of it.
    /// - Throws: why it cannot be started; `cancelled` at once when the task is.
    func wait() async throws(PluginError) {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.outcome != nil || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            giveUp(number)
        }
        if Task.isCancelled { throw PluginError(.cancelled, "stopped while a worker started") }
        try state.withLock { $0.outcome ?? .success(()) }.get()
    }

    /// Tells everybody.
    func finish(_ outcome: Result<Void, PluginError>) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    private func giveUp(_ number: Int) {
        let (waiter, isLast) = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: number)
            let isLast = waiter != nil && state.waiters.isEmpty
            if isLast { state.isAbandoned = true }
            return (waiter, isLast)
        }
        if isLast { link.end() }
        waiter?.resume()
    }
}
