import Synchronization
import VitrineKit

/// Counts what a source is asked for, and stands for the source on the thread of the transfers.
final class Meter: Sendable {
    private let figures = Mutex(Traffic())
    private let closed = Atomic(false)

    var traffic: Traffic { figures.withLock { $0 } }

    /// Whether the source is gone.
    var isClosed: Bool { closed.load(ordering: .acquiring) }

    func close() { closed.store(true, ordering: .releasing) }

    func add(requests: Int = 0, retries: Int = 0, bytes: Int64 = 0, time: Duration = .zero) {
        figures.withLock {
            $0.requests += requests
            $0.retries += retries
            $0.bytesReceived += bytes
            $0.time += time
        }
    }
}
