import Synchronization
public import VitrineKit

/// The connections of one source, for protocols whose calls wait: made as they are needed, used again, no more than the
/// policy allows.
public final class LinkPool<Link>: Sendable {
    /// Tries again, and lets a failing server rest.
    public let client: TransferClient
    private let address: TransferURL
    private let make: @Sendable () throws(TransferFailure) -> sending Link
    private let connections = Mutex<[LinkConnection<Link>]>([])
    private let figures = Mutex(Traffic())

    /// Connects to nothing yet.
    /// - Parameters:
    ///   - client: of the source.
    ///   - address: the server, for sentences.
    ///   - make: makes a connection, on its thread.
    public init(
        _ client: TransferClient, at address: TransferURL,
        _ make: @escaping @Sendable () throws(TransferFailure) -> sending Link
    ) {
        self.client = client
        self.address = address
        self.make = make
    }

    /// What was asked for so far. Bytes are those that were counted by ``count(bytes:)``.
    public var traffic: Traffic {
        var sum = figures.withLock { $0 }
        sum.retries = client.traffic.retries
        return sum
    }

    /// What is told to whoever tries again.
    public func request(_ doing: String) -> TransferRequest { TransferRequest(address, purpose: doing) }

    /// Does something on some connection, again on another one if that breaks.
    /// - Parameter usual: something that always goes to the same connection while that is idle; 0 for nothing.
    public func run<T: Sendable>(
        _ doing: String, usual: UInt64 = 0, _ body: @escaping @Sendable (Link) throws(TransferFailure) -> T
    ) async throws(PluginError) -> T {
        try await client.retrying(request(doing)) { () throws(TransferFailure) in
            try await self.run(doing, on: self.connection(for: usual), body)
        }
    }

    /// Does something on one connection, and counts it.
    public func run<T: Sendable>(
        _ doing: String, on connection: LinkConnection<Link>,
        _ body: @escaping @Sendable (Link) throws(TransferFailure) -> T
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

    /// Counts bytes that came.
    public func count(bytes: Int) { figures.withLock { $0.bytesReceived += Int64(bytes) } }

    /// The connection that has the least to do. What is usually done on one stays there, as long as that is idle.
    public func connection(for usual: UInt64 = 0) -> LinkConnection<Link> {
        connections.withLock { connections in
            connections.removeAll(where: \.isBroken)
            let limit = client.policy.connections
            if usual > 0, connections.count == limit {
                let known = connections[Int(usual % UInt64(limit))]
                if known.load == 0 { return known }
            }
            if let idle = connections.min(by: { $0.load < $1.load }), idle.load == 0 || connections.count >= limit {
                return idle
            }
            let new = LinkConnection(make)
            connections.append(new)
            return new
        }
    }

    /// Does something on each connection that there is; nobody waits for it.
    public func post(_ body: @escaping @Sendable (Link) -> Void) {
        for connection in connections.withLock({ $0 }) { connection.post(body) }
    }
}
