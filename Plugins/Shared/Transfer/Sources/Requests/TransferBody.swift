import Synchronization
public import VitrineKit

/// A body as it comes, for one reader. Little of it is kept: the server waits for a slow reader. It ends with the last
/// reference.
public final class TransferBody: Sendable {
    private let transfer: Transfer
    /// Kept, so that the source lives as long as its answers.
    private let client: TransferClient

    private let beginning: Mutex<[UInt8]>

    init(_ transfer: Transfer, _ beginning: [UInt8], of client: TransferClient) {
        self.transfer = transfer
        self.beginning = Mutex(beginning)
        self.client = client
    }

    deinit { transfer.cancel() }

    /// Waits for the next part, of any length.
    /// - Returns: `nil` at the end.
    /// - Throws: `cancelled`, `limitExceeded`, `io` when the connection broke, `offline` when nothing came any more.
    public func next() async throws(PluginError) -> [UInt8]? {
        let first = beginning.withLock { beginning in
            defer { beginning = [] }
            return beginning
        }
        if !first.isEmpty { return first }
        do throws(TransferFailure) {
            return try await transfer.next()
        } catch {
            if error.isOfSource { client.health.failed() }
            throw error.error
        }
    }
}
