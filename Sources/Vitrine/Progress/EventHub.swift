import Synchronization

/// Carries events from those who do something to those who listen.
final class EventHub<Event: Sendable>: Sendable {
    private struct Subscriber {
        var covers: @Sendable (Event) -> Bool
        var continuation: AsyncStream<Event>.Continuation
    }
    private struct State {
        var nextNumber = 0
        var subscribers: [Int: Subscriber] = [:]
    }
    private let state = Mutex(State())

    /// A stream of what happens from now on.
    ///
    /// It ends when the hub goes or the reading task is cancelled. A listener that falls more than `buffer` events
    /// behind loses the oldest of them, never the newest.
    func events(buffer: Int, where covers: @escaping @Sendable (Event) -> Bool) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(max(1, buffer)))
        let number = state.withLock { state in
            state.nextNumber += 1
            state.subscribers[state.nextNumber] = Subscriber(covers: covers, continuation: continuation)
            return state.nextNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Sends an event to those who want to hear of it. Does not wait for anyone.
    /// - Parameter event: is not made where nobody listens at all.
    func send(_ event: @autoclosure () -> Event) {
        let subscribers = state.withLock { $0.subscribers }
        if subscribers.isEmpty { return }
        let event = event()
        for listener in subscribers.values where listener.covers(event) { listener.continuation.yield(event) }
    }

    deinit {
        for subscriber in state.withLock({ $0.subscribers.values.map(\.continuation) }) { subscriber.finish() }
    }
}
