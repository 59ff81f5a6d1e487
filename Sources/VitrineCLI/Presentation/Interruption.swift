import Dispatch
import Glibc

/// Turns Ctrl-C and a polite kill into the cancellation of a task. The second one ends the program at once.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter task: cancelled by the first signal.
    init<Success, Failure>(cancels task: Task<Success, Failure>) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if task.isCancelled { _exit(ExitCode.interrupted) }
                task.cancel()
            }
            source.resume()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }
}
