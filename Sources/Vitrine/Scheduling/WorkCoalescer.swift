import Synchronization
import Workers

/// Lets those who ask for the same work at the same time share it.
///
/// Work of a request has a task of its own, which is cancelled when all who wait for it are. Work of a run belongs to the
/// task that asked for it: a task less for each of very many items. When that one is cancelled, those who came to it begin
/// anew. Whoever is cancelled while others still want the work leaves at once.
final class WorkCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// What comes of waiting.
    private enum Ending {
        case done(Value)
        /// Who did the work was cancelled, or had ended already.
        case void
        /// The one who waited was cancelled, and the work goes on for others.
        case left
    }

    private typealias Waiter = CheckedContinuation<Ending, Never>

    private struct Entry {
        let number: Int
        let urgency: Urgency
        /// `nil` when it belongs to who asked first.
        var task: Task<Void, Never>?
        /// Who waits for it, by number.
        var waiters: [Int: Waiter] = [:]
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The last who waited for work that is cancelled, by its number: to be told what came of it. Nobody else joins it.
        var last: [Int: Waiter] = [:]
        private var numbers = 0

        mutating func nextNumber() -> Int {
            numbers += 1
            return numbers
        }
    }

    private let state = Mutex(State())

    /// The value of the work named `key`: of the work under way, which becomes as urgent as who asks now, or of `work`,
    /// which then begins.
    /// - Parameters:
    ///   - thread: the thread that the calling task prefers, if it may be blocked: then the work is done here.
    ///     Default: it begins on Swift's own threads.
    ///   - left: what to return when the calling task is cancelled while others want the work. The last one gets what the
    ///     work makes of being cancelled.
    func value(
        for key: Key, _ priority: WorkPriority = .batch, on thread: BlockingThread? = nil,
        whenCancelled left: @autoclosure () -> Value, _ work: @escaping @Sendable (Urgency) async -> Value
    ) async -> Value {
        while true {
            if thread != nil, let own = begin(key, priority) {
                let value = await work(own.urgency)
                let ending = Task.isCancelled ? Ending.void : .done(value)
                for waiter in finish(key, own.number) { waiter.resume(returning: ending) }
                return value
            }
            switch await wait(for: key, priority, beginning: thread == nil ? work : nil) {
            case .done(let value): return value
            case .void: continue
            case .left: return left()
            }
        }
    }

    /// How many want a work that is under way, who does it included.
    func waiting(for key: Key) -> Int {
        state.withLock { state in
            guard let entry = state.entries[key] else { return 0 }
            return entry.waiters.count + (entry.task == nil ? 1 : 0)
        }
    }

    /// Makes work that belongs to who asks.
    /// - Returns: `nil` when it is under way already.
    private func begin(_ key: Key, _ priority: WorkPriority) -> Entry? {
        state.withLock { state in
            guard state.entries[key] == nil else { return nil }
            let entry = Entry(number: state.nextNumber(), urgency: Urgency(priority))
            state.entries[key] = entry
            return entry
        }
    }

    /// Waits for work that is under way.
    /// - Parameter work: what begins when there is none. `nil` for nothing.
    private func wait(
        for key: Key, _ priority: WorkPriority, beginning work: (@Sendable (Urgency) async -> Value)?
    ) async -> Ending {
        let number = state.withLock { $0.nextNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // Who was cancelled before this is not looked for later.
                let isWaiting = state.withLock { state in
                    !Task.isCancelled && join(key, number, waiter, priority, work, &state)
                }
                if !isWaiting { waiter.resume(returning: Task.isCancelled ? .left : .void) }
            }
        } onCancel: {
            leave(key, number)
        }
    }

    /// - Returns: whether there is work to wait for.
    private func join(
        _ key: Key, _ number: Int, _ waiter: Waiter, _ priority: WorkPriority,
        _ work: (@Sendable (Urgency) async -> Value)?, _ state: inout State
    ) -> Bool {
        if let entry = state.entries[key] {
            entry.urgency.raise(to: priority)
            state.entries[key]?.waiters[number] = waiter
            return true
        }
        guard let work else { return false }
        var entry = Entry(number: state.nextNumber(), urgency: Urgency(priority), waiters: [number: waiter])
        entry.task = Task { [urgency = entry.urgency, workNumber = entry.number] in
            let value = await work(urgency)
            for waiter in finish(key, workNumber) { waiter.resume(returning: .done(value)) }
        }
        state.entries[key] = entry
        return true
    }

    /// The work is done: whoever asks next wants it done anew.
    /// - Returns: who waits for it, to be resumed.
    private func finish(_ key: Key, _ number: Int) -> [Waiter] {
        state.withLock { state in
            if let last = state.last.removeValue(forKey: number) { return [last] }
            guard let index = state.entries.index(forKey: key), state.entries.values[index].number == number else {
                return []
            }
            return Array(state.entries.remove(at: index).value.waiters.values)
        }
    }

    /// One who waits was cancelled.
    private func leave(_ key: Key, _ number: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let entry = state.entries[key], let waiter = entry.waiters[number] else { return (nil, nil) }
            if let task = entry.task, entry.waiters.count == 1 {
                state.entries[key] = nil
                state.last[entry.number] = waiter
                return (nil, task)
            }
            state.entries[key]?.waiters[number] = nil
            return (waiter, nil)
        }
        waiter?.resume(returning: .left)
        task?.cancel()
    }
}
