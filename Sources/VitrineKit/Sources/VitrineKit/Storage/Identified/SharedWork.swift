import Synchronization

/// Lets those who want the same thing at the same time wait for one piece of work, such as a request.
///
/// Who is cancelled leaves at once; the work is cancelled when nobody waits for it any more.
public final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, PluginError>, Never>
    private struct Work {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Int: Waiter] = [:]
    }
    private struct State {
        var works: [Key: Work] = [:]
        var last = 0
    }
    private let state = Mutex(State())

    /// Nothing is under way yet.
    public init() {}

    /// Waits for the work on a key, and begins it if it is not under way.
    /// - Parameters:
    ///   - key: what is wanted.
    ///   - make: gets it.
    /// - Throws: what `make` throws; `cancelled` when this task is, whatever becomes of the work.
    public func value(
        for key: Key, _ make: @escaping @Sendable () async throws(PluginError) -> Value
    ) async throws(PluginError) -> Value {
        let me = state.withLock { state in
            state.last += 1
            return state.last
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                guard !Task.isCancelled else { return waiter.resume(returning: .failure(Self.stopped)) }
                state.withLock { state in
                    if state.works[key] == nil { state.works[key] = begin(key, number: me, make) }
                    state.works[key]?.waiters[me] = waiter
                }
                // It may have been cancelled while it was put down.
                if Task.isCancelled { leave(key, me) }
            }
        } onCancel: {
            leave(key, me)
        }
        return try result.get()
    }

    private static var stopped: PluginError { PluginError(.cancelled, "somebody asked to stop") }

    private func begin(
        _ key: Key, number: Int, _ make: @escaping @Sendable () async throws(PluginError) -> Value
    ) -> Work {
        let task = Task {
            let result: Result<Value, PluginError>
            do throws(PluginError) { result = .success(try await make()) } catch { result = .failure(error) }
            self.end(key, number, result)
        }
        return Work(number: number, task: task)
    }

    private func end(_ key: Key, _ number: Int, _ result: Result<Value, PluginError>) {
        let work = state.withLock { state in
            state.works[key]?.number == number ? state.works.removeValue(forKey: key) : nil
        }
        for waiter in (work?.waiters ?? [:]).values { waiter.resume(returning: result) }
    }

    private func leave(_ key: Key, _ me: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.works[key]?.waiters.removeValue(forKey: me) else { return (nil, nil) }
            guard state.works[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.works.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(returning: .failure(Self.stopped))
    }
}
