import Synchronization
import VitrineKit

/// What listings of a bucket left out, each key once however often it is listed.
final class S3Omissions: Sendable {
    private struct State {
        var keys: Set<[UInt8]> = []
        var sentences: [PluginError] = []
    }
    private let state = Mutex(State())

    /// Sentences that are kept.
    private static let shown = 100
    /// Keys that are told from others, of at most 1,024 bytes each.
    private static let most = 10_000

    /// How many there are, up to ten thousand.
    var count: Int { state.withLock { $0.keys.count } }

    /// Notes a key, or what several begin with.
    func add(_ key: [UInt8], _ reason: String) {
        state.withLock { state in
            guard state.keys.count < Self.most, state.keys.insert(key).inserted, state.sentences.count < Self.shown
            else { return }
            state.sentences.append(PluginError(.unsupported, "'\(DisplayText.of(key.prefix(200)))' \(reason)"))
        }
    }

    /// The first of them, and how many others there are.
    var sentences: [PluginError] {
        state.withLock { state in
            let rest = state.keys.count - state.sentences.count
            guard rest > 0 else { return state.sentences }
            let count = state.keys.count < Self.most ? "\(rest)" : "at least \(rest)"
            return state.sentences + [
                PluginError(.unsupported, "\(count) further keys are left out for such reasons")
            ]
        }
    }
}
