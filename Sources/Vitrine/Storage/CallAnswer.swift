import Synchronization
import VitrineKit

/// What comes of a call: the first that is said of it counts.
final class CallAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, PluginError>, Never>)
        case settled(Result<Value, PluginError>)
    }

    private let state = Mutex(State.open)

    /// Says what came of it; what is said later is thrown away.
    func settle(_ result: Result<Value, PluginError>) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<Value, PluginError>, Never>? in
            switch state {
            case .open:
                state = .settled(result)
                return nil
            case .awaited(let continuation):
                state = .settled(result)
                return continuation
            case .settled: return nil
            }
        }
        waiting?.resume(returning: result)
    }

    /// Waits for it. To be asked once.
    var value: Result<Value, PluginError> {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Result<Value, PluginError>? in
                    if case .settled(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
