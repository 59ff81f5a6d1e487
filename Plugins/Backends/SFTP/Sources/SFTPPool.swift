import Synchronization
import Transfer
import VitrineKit

/// One connection of a source.
typealias SFTPConnection = LinkConnection<SSHLink>

/// The connections of one source: made as they are needed, used again, no more than allowed.
final class SFTPPool: Sendable {
    let settings: SFTPSettings
    private let links: LinkPool<SSHLink>
    private let numbers = Atomic<UInt64>(0)

    init(_ settings: SFTPSettings) throws(PluginError) {
        self.settings = settings
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        links = LinkPool(
            TransferClient(settings.policy, name: settings.server),
            at: try TransferURL("sftp://\(host):\(settings.port)/")
        ) { () throws(TransferFailure) in try SSHLink(settings) }
    }

    /// Tries again, and lets a failing server rest.
    var client: TransferClient { links.client }

    /// A number that nothing else of this source has.
    func newNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

    /// What was asked for so far. Bytes are those of content.
    var traffic: Traffic { links.traffic }

    /// What is told to whoever tries again.
    func request(_ doing: String) -> TransferRequest { links.request(doing) }

    /// Does something on some connection, again on another one if that breaks.
    /// - Parameter file: a file that one of them may have open.
    func run<T: Sendable>(
        _ doing: String, file: UInt64 = 0, _ body: @escaping @Sendable (SSHLink) throws(TransferFailure) -> T
    ) async throws(PluginError) -> T {
        try await links.run(doing, usual: file, body)
    }

    /// Does something on one connection, and counts it.
    func run<T: Sendable>(
        _ doing: String, on connection: SFTPConnection,
        _ body: @escaping @Sendable (SSHLink) throws(TransferFailure) -> T
    ) async throws(TransferFailure) -> T {
        try await links.run(doing, on: connection, body)
    }

    func count(bytes: Int) { links.count(bytes: bytes) }

    /// The connection that has the least to do.
    func connection() -> SFTPConnection { links.connection() }

    /// Closes a file wherever it is open.
    func close(file: UInt64) { links.post { $0.closeFile(file) } }
}
