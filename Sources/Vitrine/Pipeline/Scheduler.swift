import Synchronization
import VitrineKit

/// Who goes first.
public enum WorkPriority: Int, Sendable {
    /// Nobody waits for it.
    case batch = 0
    /// Somebody has just saved it, and may look soon.
    case recent = 1
    /// Somebody looks at an empty frame right now.
    case interactive = 2
}

/// How urgent a piece of work is. It can become more urgent while it waits: when somebody asks to see what a batch
/// has not come to yet.
final class Urgency: Sendable {
    private let level: Atomic<Int>

    init(_ priority: WorkPriority) { level = Atomic(priority.rawValue) }

    /// Raises the urgency; it never falls.
    func raise(to priority: WorkPriority) { level.max(priority.rawValue, ordering: .relaxed) }

    func isAtLeast(_ priority: WorkPriority) -> Bool { level.load(ordering: .relaxed) >= priority.rawValue }
}

/// Lets as many renderings run at once as there are cores, interactive ones before batch.
///
/// Waiting costs no thread, and no deadline runs meanwhile.
actor Scheduler {
    /// A kind of work that has a limit of its own: LibreOffice needs too much memory to run on every core.
    struct Lane: Hashable, Sendable {
        var name: String
        /// The most at once; 0: as many as there are permits.
        var limit: Int
    }

    private struct Waiter {
        var number: Int
        var urgency: Urgency
        var lane: Lane
        var continuation: CheckedContinuation<Bool, Never>
    }

    private let permits: Int
    private var used = 0
    private var inLane: [String: Int] = [:]
    private var waiters: [Waiter] = []
    /// What waited for a server, and goes on as soon as there is a permit.
    private var returning: [CheckedContinuation<Void, Never>] = []
    private var away = 0
    private var nextNumber = 0

    init(permits: Int) { self.permits = max(1, permits) }

    /// Runs `body` when it is its turn.
    /// - Throws: `cancelled` when the task is cancelled while it waits; else what `body` throws.
    nonisolated func run<R: Sendable>(
        _ urgency: Urgency, in lane: Lane, _ body: () async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        guard await enter(urgency, lane) else {
            throw PluginError(.cancelled, "stopped before it was its turn")
        }
        let result: Result<R, PluginError>
        do throws(PluginError) { result = .success(try await body()) } catch { result = .failure(error) }
        await leave(lane)
        return try result.get()
    }

    /// Lets others use the permit of work under way as long as that waits for something that needs no core.
    ///
    /// Its lane stays taken, and no more than three for each permit wait so at once: each of them holds a worker.
    nonisolated func whileAway<R: Sendable>(
        _ body: () async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        let isAway = await goAway()
        let result: Result<R, PluginError>
        do throws(PluginError) { result = .success(try await body()) } catch { result = .failure(error) }
        if isAway { await comeBack() }
        return try result.get()
    }

    /// How many wait for their turn.
    var waitingCount: Int { waiters.count }

    /// How many are back from waiting for a server, and have no permit yet.
    var returningCount: Int { returning.count }

    private func enter(_ urgency: Urgency, _ lane: Lane) async -> Bool {
        if Task.isCancelled { return false }
        if waiters.isEmpty, fits(lane) {
            admit(lane)
            return true
        }
        nextNumber += 1
        let number = nextNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled {
                    continuation.resume(returning: false)
                    return
                }
                waiters.append(Waiter(number: number, urgency: urgency, lane: lane, continuation: continuation))
                admitNext()
            }
        } onCancel: {
            Task { await self.abandon(number) }
        }
    }

    private func leave(_ lane: Lane) {
        used -= 1
        inLane[lane.name, default: 1] -= 1
        admitNext()
    }

    private func goAway() -> Bool {
        guard away < permits * 3 else { return false }
        away += 1
        used -= 1
        admitNext()
        return true
    }

    private func comeBack() async {
        if used < permits {
            used += 1
        } else {
            // Who hands over a permit counts it.
            await withCheckedContinuation { returning.append($0) }
        }
        away -= 1
    }

    private func abandon(_ number: Int) {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }

    /// Interactive work first, the newest of it before the older, since that is what somebody looks at now; then what is
    /// recent, and batch work, each in its order. Work whose lane is full is passed over.
    private func admitNext() {
        while used < permits, !returning.isEmpty {
            used += 1
            returning.removeFirst().resume()
        }
        while used < permits {
            let fitting = waiters.indices.filter { fits(waiters[$0].lane) }
            let next =
                fitting.last { waiters[$0].urgency.isAtLeast(.interactive) }
                ?? fitting.first { waiters[$0].urgency.isAtLeast(.recent) } ?? fitting.first
            guard let next else { return }
            let waiter = waiters.remove(at: next)
            admit(waiter.lane)
            waiter.continuation.resume(returning: true)
        }
    }

    private func fits(_ lane: Lane) -> Bool {
        used < permits && (lane.limit < 1 || inLane[lane.name, default: 0] < lane.limit)
    }

    private func admit(_ lane: Lane) {
        used += 1
        inLane[lane.name, default: 0] += 1
    }
}
