import Synchronization

/// Hands what a walk finds to those who render, in order. The walk waits when it is too far ahead.
///
/// Who need not wait changes no thread.
final class ItemQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var head = 0
        var isFinished = false
        var producer: CheckedContinuation<Void, Never>?
        var consumers: [CheckedContinuation<Void, Never>] = []

        var count: Int { elements.count - head }
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: how many elements may wait.
    init(capacity: Int) { self.capacity = capacity }

    /// Adds an element; waits while the queue is full. One producer at a time.
    /// - Returns: whether more is wanted.
    func push(_ element: Element) async -> Bool {
        while true {
            let (isTaken, consumer) = state.withLock { state -> (Bool?, CheckedContinuation<Void, Never>?) in
                if state.isFinished { return (false, nil) }
                guard state.count < capacity else { return (nil, nil) }
                state.elements.append(element)
                return (true, state.consumers.popLast())
            }
            consumer?.resume()
            if let isTaken { return isTaken }
            await withCheckedContinuation { continuation in
                let hasRoom = state.withLock { state in
                    let hasRoom = state.isFinished || state.count < capacity
                    if !hasRoom { state.producer = continuation }
                    return hasRoom
                }
                if hasRoom { continuation.resume() }
            }
        }
    }

    /// The next element; `nil` when the queue was finished and is empty. Any number of consumers.
    func next() async -> Element? {
        while true {
            let (element, isLast, producer) = state.withLock {
                state -> (Element?, Bool, CheckedContinuation<Void, Never>?) in
                let element = take(&state)
                return (element, state.isFinished, element == nil ? nil : state.producer.take())
            }
            producer?.resume()
            if element != nil || isLast { return element }
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    let mayGoOn = state.isFinished || state.count > 0
                    if !mayGoOn { state.consumers.append(continuation) }
                    return mayGoOn
                }
                if mayGoOn { continuation.resume() }
            }
        }
    }

    private func take(_ state: inout State) -> Element? {
        guard state.count > 0 else { return nil }
        let element = state.elements[state.head]
        state.head += 1
        // Forgetting in batches keeps taking an element cheap; no more are kept for it than may wait.
        if state.head >= min(1024, capacity) || state.count == 0 {
            state.elements.removeFirst(state.head)
            state.head = 0
        }
        return element
    }

    /// Nothing more will come. With `discarding`, what waits is dropped too.
    /// - Returns: what was dropped.
    @discardableResult
    func finish(discarding: Bool = false) -> [Element] {
        let (waiting, dropped) = state.withLock { state in
            state.isFinished = true
            var dropped: [Element] = []
            if discarding {
                dropped = Array(state.elements[state.head...])
                (state.elements, state.head) = ([], 0)
            }
            defer { (state.producer, state.consumers) = (nil, []) }
            return (state.consumers + [state.producer].compactMap { $0 }, dropped)
        }
        for one in waiting { one.resume() }
        return dropped
    }
}
