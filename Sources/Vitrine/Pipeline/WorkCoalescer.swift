import Synchronization
import Workers

/// Lets those who ask for the same work at the same time share it.
///
/// Work of a request has a task of its own, which is cancelled when all who wait for it are. Work of a run belongs to the
/// task that asked for it: a task less for each of very many items. When that one is cancelled, those who came to it begin
/// anew.
final class WorkCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let number: Int
        let urgency: Urgency
        /// `nil` when it belongs to who asked first.
        var task: Task<Value, Never>?
        var waiting = 1
        /// Who waits for work without a task of its own; resumed with `nil` when that was cancelled.
        var followers: [CheckedContinuation<Value?, Never>] = []
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var nextNumber = 0
    }

    /// What somebody who asks for work has to do.
    private enum Part {
        /// To wait for a task.
        case joins(Task<Value, Never>, number: Int)
        /// To wait for somebody else.
        case follows
        /// To do it.
        case works(Urgency, number: Int)
    }

    private let state = Mutex(State())

    /// The value of the work named `key`: of the work under way, which becomes as urgent as who asks now, or of `work`,
    /// which then begins.
    /// - Parameter thread: the thread that the calling task prefers, if it may be blocked: then the work is done here.
    ///   Default: it begins on Swift's own threads.
    func value(
        for key: Key, _ priority: WorkPriority = .batch, on thread: BlockingThread? = nil,
        _ work: @escaping @Sendable (Urgency) async -> Value
    ) async -> Value {
        while true {
            switch part(in: key, priority, isOwn: thread != nil, work) {
            case .joins(let task, let number):
                let value = await withTaskCancellationHandler {
                    await task.value
                } onCancel: {
                    abandon(key, number)
                }
                for follower in finish(key, number) { follower.resume(returning: value) }
                return value
            case .works(let urgency, let number):
                let value = await work(urgency)
                for follower in finish(key, number) { follower.resume(returning: Task.isCancelled ? nil : value) }
                return value
            case .follows:
                if let value = await follow(key) { return value }
            }
        }
    }

    /// How many wait for a work that is under way.
    func waiting(for key: Key) -> Int { state.withLock { $0.entries[key]?.waiting ?? 0 } }

    private func part(
        in key: Key, _ priority: WorkPriority, isOwn: Bool, _ work: @escaping @Sendable (Urgency) async -> Value
    ) -> Part {
        state.withLock { state in
            if let entry = state.entries[key] {
                entry.urgency.raise(to: priority)
                guard let task = entry.task else { return .follows }
                state.entries[key]?.waiting += 1
                return .joins(task, number: entry.number)
            }
            state.nextNumber += 1
            var entry = Entry(number: state.nextNumber, urgency: Urgency(priority))
            if !isOwn { entry.task = Task { [urgency = entry.urgency] in await work(urgency) } }
            state.entries[key] = entry
            return entry.task.map { .joins($0, number: entry.number) } ?? .works(entry.urgency, number: entry.number)
        }
    }

    /// Waits for work that belongs to somebody else.
    /// - Returns: `nil` when it ended meanwhile, or was cancelled.
    private func follow(_ key: Key) async -> Value? {
        await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                guard let entry = state.entries[key], entry.task == nil else { return true }
                state.entries[key]?.waiting += 1
                state.entries[key]?.followers.append(continuation)
                return false
            }
            if isLate { continuation.resume(returning: nil) }
        }
    }

    /// The work is done: whoever asks next wants it done anew.
    /// - Returns: who waits for work without a task, to be resumed with its value.
    private func finish(_ key: Key, _ number: Int) -> [CheckedContinuation<Value?, Never>] {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key), state.entries.values[index].number == number else {
                return []
            }
            return state.entries.remove(at: index).value.followers
        }
    }

    /// Who waits for a task was cancelled.
    private func abandon(_ key: Key, _ number: Int) {
        let task = state.withLock { state -> Task<Value, Never>? in
            guard let entry = state.entries[key], entry.number == number else { return nil }
            state.entries[key]?.waiting -= 1
            guard entry.waiting < 2 else { return nil }
            state.entries[key] = nil
            return entry.task
        }
        task?.cancel()
    }
}
