import Dispatch
import Glibc
import Synchronization
import VitrineKit

/// A connection that is made when it is first needed, with a thread of its own while it works. What it is told to do, it
/// does one after the other. For protocols whose calls wait for the server.
public final class LinkConnection<Link>: Sendable {
    /// What belongs to the thread.
    private final class Box: Sendable {
        let link = Mutex<Link?>(nil)
    }

    private let make: @Sendable () throws(TransferFailure) -> sending Link
    // Apart from those of others: a concurrent queue has as few threads as there are cores.
    private let queue = DispatchQueue(label: "vitrine.link")
    private let box = Box()
    private let waiting = Atomic(0)
    private let broken = Atomic(false)

    /// Connects to nothing yet.
    /// - Parameter make: makes the connection, on its thread; what it throws ends it.
    public init(_ make: @escaping @Sendable () throws(TransferFailure) -> sending Link) { self.make = make }

    // Taking leave of a server takes time.
    deinit { queue.async { [box] in SignalMask.withoutPipeSignal { box.link.withLock { $0 = nil } } } }

    /// How much it has to do.
    public var load: Int { waiting.load(ordering: .relaxed) }
    /// Whether it can be used no more.
    public var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// Does something on the thread. A task that is cancelled does not wait for it any longer.
    public func run<T: Sendable>(
        _ doing: String, _ body: @escaping @Sendable (Link) throws(TransferFailure) -> T
    ) async throws(TransferFailure) -> T {
        let stopped = TransferFailure(PluginError(.cancelled, "\(doing): somebody asked to stop"))
        let answer = Answer<T>()
        waiting.add(1, ordering: .relaxed)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                queue.async { [self] in
                    defer { waiting.subtract(1, ordering: .relaxed) }
                    // Nobody may be waiting for it any more.
                    guard !answer.isGiven else { return }
                    SignalMask.withoutPipeSignal { answer.give(work(body)) }
                }
            }
        } onCancel: {
            answer.give(.failure(stopped))
        }
        return try result.get()
    }

    /// Does something some time, if the connection is still there then; nobody waits for it.
    public func post(_ body: @escaping @Sendable (Link) -> Void) {
        queue.async { [box] in
            SignalMask.withoutPipeSignal {
                box.link.withLock { link in
                    if let link { body(link) }
                }
            }
        }
    }

    /// Ends it after what it has to do, and waits until the server has been taken leave of.
    public func end() async {
        broken.store(true, ordering: .releasing)
        await withCheckedContinuation { continuation in
            queue.async { [box] in
                SignalMask.withoutPipeSignal { box.link.withLock { $0 = nil } }
                continuation.resume()
            }
        }
    }

    private func work<T: Sendable>(
        _ body: (Link) throws(TransferFailure) -> T
    ) -> Result<T, TransferFailure> {
        box.link.withLock { link in
            do throws(TransferFailure) {
                let open: Link
                if let known = link { open = known } else { open = try make() }
                link = open
                return .success(try body(open))
            } catch {
                // What cannot be connected is tried with another one; what was connected is in an unknown state.
                if error.isOfSource || link == nil {
                    broken.store(true, ordering: .releasing)
                    link = nil
                }
                return .failure(error)
            }
        }
    }
}

/// One answer, of which the first that is given counts.
private final class Answer<T: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result<T, TransferFailure>, Never>?
        var result: Result<T, TransferFailure>?
    }

    private let state = Mutex(State())

    var isGiven: Bool { state.withLock { $0.result != nil } }

    func wait(_ continuation: CheckedContinuation<Result<T, TransferFailure>, Never>) {
        let known = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let known { continuation.resume(returning: known) }
    }

    func give(_ result: Result<T, TransferFailure>) {
        let waiting = state.withLock { state in
            guard state.result == nil else { return nil as CheckedContinuation<Result<T, TransferFailure>, Never>? }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        waiting?.resume(returning: result)
    }
}

/// Signals of the thread that works.
enum SignalMask {
    /// Runs something during which a connection that breaks raises no SIGPIPE, which would end the host.
    static func withoutPipeSignal(_ body: () -> Void) {
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        body()
        // What was raised meanwhile is taken away before the mask is what it was.
        var now = timespec()
        while sigismember(&before, SIGPIPE) == 0, sigtimedwait(&pipe, nil, &now) >= 0 {}
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
