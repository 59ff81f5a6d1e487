import Synchronization

/// Hands what a walk finds to those who render, in order. The walk waits when it is too far ahead.
actor ItemQueue<Element: Sendable> {
    private let capacity: Int
    private var elements: [Element] = []
    private var head = 0
    private var isFinished = false
    private var producer: CheckedContinuation<Void, Never>?
    private var consumers: [CheckedContinuation<Void, Never>] = []

    /// - Parameter capacity: how many elements may wait.
    init(capacity: Int) { self.capacity = capacity }

    /// Adds an element; waits while the queue is full. One producer at a time.
    /// - Returns: whether more is wanted.
    func push(_ element: Element) async -> Bool {
        while elements.count - head >= capacity, !isFinished {
            await withCheckedContinuation { producer = $0 }
        }
        guard !isFinished else { return false }
        elements.append(element)
        consumers.popLast()?.resume()
        return true
    }

    /// The next element; `nil` when the queue was finished and is empty. Any number of consumers.
    func next() async -> Element? {
        while head == elements.count {
            if isFinished { return nil }
            await withCheckedContinuation { consumers.append($0) }
        }
        let element = elements[head]
        head += 1
        // Forgetting in batches keeps taking an element cheap.
        if head >= 1024 || head == elements.count {
            elements.removeFirst(head)
            head = 0
        }
        wakeProducer()
        return element
    }

    /// Nothing more will come. With `discarding`, what waits is dropped too.
    func finish(discarding: Bool = false) {
        isFinished = true
        if discarding {
            elements = []
            head = 0
        }
        wakeProducer()
        for consumer in consumers { consumer.resume() }
        consumers = []
    }

    private func wakeProducer() {
        producer?.resume()
        producer = nil
    }
}
