import Synchronization

/// Carries events from those who do something to those who listen.
final class EventHub<Event: Sendable>: Sendable {
    private struct Subscriber {
        var covers: @Sendable (Event) -> Bool
        var continuation: AsyncStream<Event>.Continuation
        /// Of one who wants all events.
        var backlog: Backlog?
    }

    /// How many events somebody has not read yet.
    private final class Backlog: Sendable {
        let count = Atomic(0)
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
        events(.bufferingNewest(max(1, buffer)), nil, where: covers)
    }

    /// A stream of all that happens from now on, of which nothing is lost: who sends much waits for ``room(below:)``.
    func allEvents() -> some AsyncSequence<Event, Never> & Sendable {
        let backlog = Backlog()
        return events(.unbounded, backlog) { _ in true }.map { event in
            backlog.count.wrappingSubtract(1, ordering: .relaxed)
            return event
        }
    }

    private func events(
        _ policy: AsyncStream<Event>.Continuation.BufferingPolicy, _ backlog: Backlog?,
        where covers: @escaping @Sendable (Event) -> Bool
    ) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: policy)
        let number = state.withLock { state in
            state.nextNumber += 1
            state.subscribers[state.nextNumber] = Subscriber(
                covers: covers, continuation: continuation, backlog: backlog)
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
        for listener in subscribers.values where listener.covers(event) {
            listener.backlog?.count.wrappingAdd(1, ordering: .relaxed)
            listener.continuation.yield(event)
        }
    }

    /// Waits as long as somebody who wants all events has so many to read. Who is cancelled waits no longer.
    func room(below most: Int) async {
        // Seldom, and then for as long as a reader needs for thousands of events.
        while isCrowded(most), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Whether somebody who wants all events has so many to read, or more.
    func isCrowded(_ most: Int) -> Bool {
        state.withLock { state in
            state.subscribers.values.contains { $0.backlog.map { $0.count.load(ordering: .relaxed) >= most } ?? false }
        }
    }

    deinit {
        for subscriber in state.withLock({ $0.subscribers.values.map(\.continuation) }) { subscriber.finish() }
    }
}
