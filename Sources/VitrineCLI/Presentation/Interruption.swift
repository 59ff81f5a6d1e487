import Dispatch
import Glibc
import Synchronization

/// Turns Ctrl-C and a polite kill into the cancellation of a task. The second one ends the program at once.
final class Interruption {
    private let sources: [any DispatchSourceSignal]
    private let first: FirstSignal
    /// The signal that came first, if any.
    var signal: CInt? { first.number }

    /// The signal that came first of all in this process, if any.
    static var firstSignal: CInt? { ofProcess.number }
    private static let ofProcess = FirstSignal()

    /// - Parameter task: cancelled by the first signal.
    init<Success, Failure>(cancels task: Task<Success, Failure>) {
        let first = FirstSignal()
        self.first = first
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if task.isCancelled { _exit(ExitCode.interrupted) }
                first.note(number)
                Self.ofProcess.note(number)
                task.cancel()
            }
            source.resume()
            return source
        }
    }

    /// Cancels a task of which nobody reads any more what it says: nobody wants the rest. That ends the command as the closed
    /// pipe would end a program that does not look after it.
    static func end<Success, Failure>(_ task: Task<Success, Failure>) {
        ofProcess.note(SIGPIPE)
        task.cancel()
    }

    deinit { for source in sources { source.cancel() } }
}

/// The signal that came first.
private final class FirstSignal: Sendable {
    private let value = Atomic<CInt>(0)

    var number: CInt? {
        let number = value.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    func note(_ number: CInt) { _ = value.compareExchange(expected: 0, desired: number, ordering: .relaxed) }
}
