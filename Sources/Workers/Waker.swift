import Synchronization

/// Resumes a continuation once, whoever comes first.
final class Waker: Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func set(_ continuation: CheckedContinuation<Void, Never>) { self.continuation.withLock { $0 = continuation } }

    func wake() {
        let continuation = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume()
    }
}

/// A fact that becomes true once.
final class Flag: Sendable {
    private let value = Atomic(false)

    func raise() { value.store(true, ordering: .releasing) }
    var isRaised: Bool { value.load(ordering: .acquiring) }
}
