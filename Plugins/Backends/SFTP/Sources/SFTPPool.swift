import Synchronization
import Transfer
import VitrineKit

/// The connections of one source: made as they are needed, used again, no more than allowed.
final class SFTPPool: Sendable {
    let settings: SFTPSettings
    /// Tries again, and lets a failing server rest.
    let client: TransferClient
    private let address: TransferURL
    private let connections = Mutex<[SFTPConnection]>([])
    private let numbers = Atomic<UInt64>(0)
    private let figures = Mutex(Traffic())

    init(_ settings: SFTPSettings) throws(PluginError) {
        self.settings = settings
        client = TransferClient(settings.policy, name: settings.server)
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        address = try TransferURL("sftp://\(host):\(settings.port)/")
    }

    /// A number that nothing else of this source has.
    func newNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

    /// What was asked for so far. Bytes are those of content.
    var traffic: Traffic {
        var sum = figures.withLock { $0 }
        sum.retries = client.traffic.retries
        return sum
    }

    /// What is told to whoever tries again.
    func request(_ doing: String) -> TransferRequest { TransferRequest(address, purpose: doing) }

    /// Does something on some connection, again on another one if that breaks.
    /// - Parameter file: a file that one of them may have open.
    func run<T: Sendable>(
        _ doing: String, file: UInt64 = 0, _ body: @escaping @Sendable (SSHLink) throws(TransferFailure) -> T
    ) async throws(PluginError) -> T {
        try await client.retrying(request(doing)) { () throws(TransferFailure) in
            try await self.run(doing, on: self.connection(for: file), body)
        }
    }

    /// Does something on one connection, and counts it.
    func run<T: Sendable>(
        _ doing: String, on connection: SFTPConnection,
        _ body: @escaping @Sendable (SSHLink) throws(TransferFailure) -> T
    ) async throws(TransferFailure) -> T {
        let begin = ContinuousClock.now
        defer {
            figures.withLock { figures in
                figures.requests += 1
                figures.time += .now - begin
            }
        }
        return try await connection.run(doing, body)
    }

    func count(bytes: Int) { figures.withLock { $0.bytesReceived += Int64(bytes) } }

    /// The connection that has the least to do. A file stays with the one that has it open, as long as that is idle.
    func connection(for file: UInt64 = 0) -> SFTPConnection {
        connections.withLock { connections in
            connections.removeAll(where: \.isBroken)
            let limit = settings.policy.connections
            if file > 0, connections.count == limit {
                let usual = connections[Int(file % UInt64(limit))]
                if usual.load == 0 { return usual }
            }
            if let idle = connections.min(by: { $0.load < $1.load }), idle.load == 0 || connections.count >= limit {
                return idle
            }
            let new = SFTPConnection(settings)
            connections.append(new)
            return new
        }
    }

    /// Closes a file wherever it is open.
    func close(file: UInt64) {
        for connection in connections.withLock({ $0 }) { connection.post { $0.closeFile(file) } }
    }
}
