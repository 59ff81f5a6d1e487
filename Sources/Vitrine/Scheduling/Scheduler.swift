import Synchronization
import VitrineKit

/// Lets as many renderings run at once as there are cores, interactive ones before batch.
///
/// Waiting costs no thread, and no deadline runs meanwhile. It is kept under a lock and is no actor: who enters one changes
/// executors twice, and that for every item.
final class Scheduler: Sendable {
    /// A kind of work that has a limit of its own: LibreOffice needs too much memory to run on every core.
    struct Lane: Hashable, Sendable {
        var name: String
        /// The most at once; 0: as many as there are permits.
        var limit: Int
        /// Whether the lane begins with one place and is widened only when work has waited for it, beside a core with
        /// nothing to do, for as long as it takes to start a worker. So a worker is started when it pays: five drawings
        /// among a thousand photographs need no second one. Who waits for a picture never waits for that. Default: no.
        var widens = false
    }

    private let state: Mutex<SchedulerState>

    init(permits: Int) { state = Mutex(SchedulerState(permits: max(1, permits))) }

    /// Runs `body` when it is its turn.
    /// - Throws: `cancelled` when the task is cancelled while it waits; else what `body` throws.
    func run<R: Sendable>(
        _ urgency: Urgency, in lane: Lane, _ body: () async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        guard await enter(urgency, lane) else {
            throw PluginError(.cancelled, "stopped before it was its turn")
        }
        defer { admitNext { $0.leave(lane) } }
        return try await body()
    }

    /// Lets others use the permit of work under way as long as that waits for something that needs no core.
    ///
    /// Its lane stays taken, and no more than three for each permit wait so at once: each of them holds a worker.
    func whileAway<R: Sendable>(
        _ body: () async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        var isAway = false
        admitNext { isAway = $0.goAway() }
        let result: Result<R, PluginError>
        do throws(PluginError) { result = .success(try await body()) } catch { result = .failure(error) }
        if isAway { await comeBack() }
        return try result.get()
    }

    /// Says how long it takes to start a worker of a lane, which is how long work waits before it is widened.
    func learn(startTime: Duration, of lane: Lane) {
        guard lane.widens, startTime > .zero else { return }
        state.withLock { $0.learn(startTime: startTime, of: lane) }
    }

    /// How many wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// How many are back from waiting for a server, and have no permit yet.
    var returningCount: Int { state.withLock { $0.returning.count } }

    private func enter(_ urgency: Urgency, _ lane: Lane) async -> Bool {
        if Task.isCancelled { return false }
        guard let number = state.withLock({ $0.admits(lane, urgency) ? nil : $0.newNumber() }) else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                admitNext { state in
                    state.waiters.append(
                        SchedulerState.Waiter(number: number, urgency: urgency, lane: lane, continuation: continuation))
                }
                // Whoever cancelled it before it was there did not find it.
                if Task.isCancelled { abandon(number) }
            }
        } onCancel: {
            abandon(number)
        }
    }

    private func comeBack() async {
        if state.withLock({ $0.comesBackAtOnce() }) { return }
        // Who hands over a permit counts it.
        await withCheckedContinuation { continuation in admitNext { $0.returning.append(continuation) } }
        state.withLock { $0.away -= 1 }
    }

    private func abandon(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }

    /// Changes something, and lets those go on whose turn it is then.
    private func admitNext(_ change: (inout SchedulerState) -> Void) {
        let next = state.withLock { state in
            change(&state)
            let (next, wait) = state.admitNext()
            // Under the same lock, so that what was to wait for longer does not take its place.
            if let wait {
                state.widening?.cancel()
                state.widening = widening(after: wait)
            }
            return next
        }
        for continuation in next.returning { continuation.resume() }
        for waiter in next.waiters { waiter.continuation.resume(returning: true) }
    }

    /// What widens the lanes that work has waited for long enough by then.
    private func widening(after wait: Duration) -> Task<Void, Never> {
        Task { [weak self] in
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            self?.admitNext { $0.widen() }
        }
    }
}
