import Dispatch
import PlaceNames
import Synchronization
import VitrineKit

/// Bounds how long the engine waits for a storage, whatever its backend does.
///
/// A call that a dead mount or server never answers cannot be ended, only left alone: who waits for it is told so when
/// its time is over, or at once when the task is cancelled, and what comes back later is thrown away. A storage that
/// leaves many calls unanswered gets no further ones until some come back.
final class CallWatch: Sendable {
    private struct Call {
        var deadline: ContinuousClock.Instant
        var expire: @Sendable () -> Void
    }
    private struct State {
        var lastNumber = 0
        var running: [Int: Call] = [:]
        /// Given up, and not come back yet. Each may hold a thread.
        var abandoned: Set<Int> = []
        var isTicking = false
    }

    private let source: String
    private let seconds: Double
    /// Whether its calls block a thread, for files of this machine.
    private let blocks: Bool
    private let state = Mutex(State())

    /// The most calls that may be unanswered.
    static let unansweredLimit = 16

    /// Not one of the global queues, whose threads may all wait for the same storage.
    private static let queue = DispatchQueue(label: "vitrine.call-watch")

    /// - Parameters:
    ///   - source: for sentences.
    ///   - seconds: how long one call may take.
    init(_ source: SourceURI, seconds: Double) {
        self.source = PlaceName.of(source)
        self.seconds = seconds
        blocks = source.scheme == "file"
    }

    /// Waits for a call, as long as it may take.
    /// - Parameters:
    ///   - doing: what it does, as a clause: `opening 'a.pdf'`.
    ///   - patience: how many times as long as others it may take. Default: once.
    ///   - body: the call, which goes on when nobody waits for it any more.
    /// - Throws: `offline` when the time is over or too many calls are unanswered, `cancelled`, else what `body` throws.
    func run<Value: Sendable>(
        _ doing: @autoclosure () -> String, patience: Double = 1,
        _ body: @escaping @Sendable () async throws(PluginError) -> Value
    ) async throws(PluginError) -> Value {
        let answer = CallAnswer<Value>()
        let seconds = seconds * patience
        let late = PluginError(
            .offline, "the storage of '\(source)' did not answer within \(seconds) s, \(doing()) (seconds)")
        let number = try admit(seconds) { answer.settle(.failure(late)) }
        let task = Task(executorPreference: blocks ? AsideThread.executor : nil) {
            let result: Result<Value, PluginError>
            do throws(PluginError) { result = .success(try await body()) } catch { result = .failure(error) }
            self.returned(number)
            answer.settle(result)
        }
        let result = await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            task.cancel()
            self.abandon(number)
            answer.settle(.failure(PluginError(.cancelled, "stopped while the storage was asked")))
        }
        // Harmless when it has come back; else the backend may notice.
        task.cancel()
        return try result.get()
    }

    private func admit(_ seconds: Double, _ expire: @escaping @Sendable () -> Void) throws(PluginError) -> Int {
        let number = state.withLock { state -> Int? in
            guard state.abandoned.count < Self.unansweredLimit else { return nil }
            state.lastNumber += 1
            state.running[state.lastNumber] = Call(deadline: .now + .seconds(seconds), expire: expire)
            if !state.isTicking {
                state.isTicking = true
                tick()
            }
            return state.lastNumber
        }
        if let number { return number }
        throw PluginError(
            .offline,
            "the storage of '\(source)' left \(Self.unansweredLimit) calls unanswered and is not asked any more")
    }

    private func returned(_ number: Int) {
        state.withLock { state in
            state.running[number] = nil
            state.abandoned.remove(number)
        }
    }

    private func abandon(_ number: Int) {
        state.withLock { state in
            if state.running.removeValue(forKey: number) != nil { state.abandoned.insert(number) }
        }
    }

    /// One timer for all calls, which are many and short. It runs while there are any.
    private func tick() {
        let pause = min(max(seconds / 16, 0.01), 1)
        Self.queue.asyncAfter(deadline: .now() + pause) { [weak self] in self?.expireCalls() }
    }

    private func expireCalls() {
        let now = ContinuousClock.now
        let expired = state.withLock { state in
            let late = state.running.filter { $0.value.deadline <= now }
            for number in late.keys {
                state.running[number] = nil
                state.abandoned.insert(number)
            }
            state.isTicking = !state.running.isEmpty
            if state.isTicking { tick() }
            return late.values
        }
        for call in expired { call.expire() }
    }
}
