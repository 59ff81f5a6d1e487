import Glibc
import PlaceNames
import VitrineKit

/// What a run does when another one is at work on one of its sources.
public enum BusyPolicy: String, CaseIterable, Sendable {
    /// Waits until the other one ends, and shows its progress meanwhile.
    case wait
    /// Shows the other one's progress, ends with it, and does nothing else.
    case join
    /// Ends at once.
    case fail
}

/// Takes the locks of a run, as soon as nobody else has them.
struct RunQueue {
    let catalog: String
    let policy: BusyPolicy
    let hub: ProgressHub
    let ledger: RunLedger

    /// What came of it.
    enum Turn: Sendable {
        /// With the locks, why those of other sources cannot be had, and whether another run was waited for: what was known
        /// of the sources may be long ago then.
        case begins([RunLock], without: [String: PluginError], late: Bool)
        /// Another run did the work.
        case joined(process: Int32)
    }

    /// Between two looks at a lock: short beside any run, long beside the look.
    private static let pause = Duration.milliseconds(100)

    /// Waits for a turn. A lock that cannot be had for another reason than another run costs its own source only.
    /// - Parameter sources: URIs of the catalog's sources. They are taken in the order of their names, so that two runs
    ///   never wait for each other.
    /// - Throws: `busy` when another run is at work and nobody shall wait; `cancelled`.
    func turn(_ sources: Set<String>) async throws(PluginError) -> Turn {
        var locks: [RunLock] = []
        var failures: [String: PluginError] = [:]
        var isLate = false
        for source in sources.sorted() {
            var isTold = false
            var process: Int32 = 0
            waiting: while true {
                let attempt: RunLock.Attempt
                do throws(PluginError) { attempt = try RunLock.take(beside: catalog, source: source) } catch {
                    failures[source] = error
                    break waiting
                }
                switch attempt {
                case .taken(let lock):
                    if isTold, policy == .join { return .joined(process: process) }
                    locks.append(lock)
                    break waiting
                case .busy(let holder):
                    let other = holder?.process ?? process
                    // The run that was joined has ended, and one that waited as well was quicker.
                    if isTold, policy == .join, process > 0, other != process { return .joined(process: process) }
                    process = other
                    guard policy != .fail else { throw busy(source, process) }
                    if !isTold { hub.send(.waiting(source: source, process: process)) }
                    isTold = true
                    isLate = true
                    if let holder { await ledger.follow(holder) }
                    do { try await Task.sleep(for: Self.pause) } catch {
                        throw PluginError(.cancelled, "stopped while another run was waited for")
                    }
                }
            }
        }
        return .begins(locks, without: failures, late: isLate)
    }

    private func busy(_ source: String, _ process: Int32) -> PluginError {
        let who = process > 0 ? " (process \(process))" : ""
        return PluginError(
            .busy,
            "another run\(who) is at work on '\(PlaceName.of(source))'; let it end, or wait for it with --if-busy wait"
        )
    }
}
