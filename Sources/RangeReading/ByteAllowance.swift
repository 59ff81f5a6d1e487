import Synchronization
import VitrineKit

/// How many bytes a run may read from storages that are not on this machine, all items together.
///
/// May be used from many tasks at once.
public final class ByteAllowance: Sendable {
    private let limit: Int64?
    private let used = Mutex<Int64>(0)

    /// - Parameter limit: in bytes; `nil` for none.
    public init(limit: Int64? = nil) { self.limit = limit }

    /// Takes so many bytes.
    /// - Throws: `overBudget` when fewer are left; none are taken then.
    func take(_ count: Int64) throws(PluginError) {
        let isEnough = used.withLock { used in
            guard let limit else { return true }
            let (sum, overflow) = used.addingReportingOverflow(count)
            guard !overflow, sum <= limit else { return false }
            used = sum
            return true
        }
        if isEnough { return }
        throw PluginError(
            .overBudget,
            "the run has read the \(limit ?? 0) bytes that it may (--max-bytes); the rest comes another time")
    }
}
