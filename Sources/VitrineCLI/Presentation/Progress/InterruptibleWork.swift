import Dispatch
import Glibc
import Synchronization

/// Work of a command as a task, which Ctrl-C and a polite kill cancel as long as anybody holds it. The second one ends the program
/// at once.
///
///     let work = InterruptibleWork { await pipeline.index(sources, options) }
///     let summary = await work.value
final class InterruptibleWork<Success: Sendable>: Sendable {
    private let task: Task<Success, Never>
    private let interruption: Interruption

    /// Begins the work. Signals are looked out for before it has done anything.
    init(_ operation: sending @escaping @isolated(any) () async -> Success) {
        let interruption = Interruption()
        self.interruption = interruption
        task = Task {
            await interruption.begun()
            return await operation()
        }
        interruption.cancels { [task] in task.cancel() }
    }

    /// What the work comes to, once it is done.
    var value: Success { get async { await task.value } }

    /// The signal that came first, if any.
    var signal: CInt? { interruption.first.number }

    /// Cancels the work when nobody reads any more what it says: nobody wants the rest. That ends the command as the closed pipe
    /// would end a program that does not look after it.
    func nobodyReads() {
        Interruption.ofProcess.note(SIGPIPE)
        interruption.cancel()
    }
}

/// The signals that ask a program to end, and what they cancel.
final class Interruption: Sendable {
    /// The signal that came first of all in this process.
    static let ofProcess = FirstSignal()

    fileprivate let first = FirstSignal()
    private let cancellation = Cancellation()
    private let sources: Mutex<[any DispatchSourceSignal]>
    /// Left by each of the signals once it is looked out for.
    private let readiness = DispatchGroup()

    /// Begins to look out for signals.
    fileprivate init() {
        let sources = [SIGINT, SIGTERM, SIGHUP].map { [first, cancellation, readiness] number in
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                first.note(number)
                Self.ofProcess.note(number)
                if !cancellation.begin() { _exit(ExitCode.interrupted) }
            }
            readiness.enter()
            source.setRegistrationHandler { readiness.leave() }
            source.resume()
            return source
        }
        self.sources = Mutex(sources)
    }

    /// Waits until signals are looked out for, which begins on another thread: one that came before would be lost. No thread
    /// is blocked meanwhile: on a single core it may be a second before there is another one.
    fileprivate func begun() async {
        await withCheckedContinuation { continuation in
            readiness.notify(queue: .global()) { continuation.resume() }
        }
    }

    deinit { sources.withLock { for source in $0 { source.cancel() } } }

    /// Says what is to be cancelled, at once if a signal came before.
    fileprivate func cancels(_ work: @escaping @Sendable () -> Void) { cancellation.cancels(work) }

    fileprivate func cancel() { _ = cancellation.begin() }
}

/// What is cancelled once, though it may not be known yet.
private final class Cancellation: Sendable {
    private struct State {
        var hasBegun = false
        var work: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func cancels(_ work: @escaping @Sendable () -> Void) {
        let hasBegun = state.withLock { state in
            state.work = work
            return state.hasBegun
        }
        if hasBegun { work() }
    }

    /// - Returns: whether it was the first time.
    func begin() -> Bool {
        let (isFirst, work) = state.withLock { state in
            defer { state.hasBegun = true }
            return (!state.hasBegun, state.work)
        }
        if isFirst { work?() }
        return isFirst
    }
}

/// The signal that came first.
final class FirstSignal: Sendable {
    private let value = Atomic<CInt>(0)

    var number: CInt? {
        let number = value.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    func note(_ number: CInt) { _ = value.compareExchange(expected: 0, desired: number, ordering: .relaxed) }
}
