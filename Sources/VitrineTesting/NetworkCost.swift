public import VitrineKit

/// What errors of a network cost: the same files are read through one that is slow, and through one that fails besides.
public struct NetworkCost: Sendable {
    /// Each answer takes 50 ms.
    public let clean: BulkReading
    /// One turn or request in a hundred is a reset besides, and one in five hundred stalls.
    public let faulty: BulkReading

    /// The throughput with errors, as a part of that without.
    public var ratio: Double { clean.duration / faulty.duration }

    private static let delay = Duration.milliseconds(50)

    /// Reads all files twice, whatever is spoken over TCP.
    /// - Parameters:
    ///   - server: the port of the real server on this machine.
    ///   - folder: has files only.
    ///   - content: what a file of this name holds.
    ///   - connect: connects to the source through another port.
    public init(
        server: UInt16, folder: ItemPath = .root, content: @escaping @Sendable (_ name: [UInt8]) -> [UInt8],
        connect: (UInt16) async throws -> any StorageBackend
    ) async throws {
        func read(_ fault: @escaping @Sendable (ProxiedTurn) -> StreamFault?) async throws -> BulkReading {
            let proxy = try StreamProxy(before: server) { _ in nil }
            let backend = try await connect(proxy.port)
            proxy.set(fault)
            return try await BulkReading(backend, folder: folder, content: content)
        }
        clean = try await read { _ in .delay(Self.delay) }
        faulty = try await read { turn in
            if turn.number % 100 == 50 { return .reset(after: 0) }
            return turn.number % 500 == 251 ? .stall(after: 3) : .delay(Self.delay)
        }
    }

    /// Reads all files twice over HTTP, of which each request is a turn.
    /// - Parameters: as those of ``init(server:folder:content:connect:)``.
    public init(
        serverOfHTTP server: UInt16, folder: ItemPath = .root,
        content: @escaping @Sendable (_ name: [UInt8]) -> [UInt8],
        connect: (UInt16) async throws -> any StorageBackend
    ) async throws {
        func read(_ fault: @escaping @Sendable (ProxiedRequest) -> Fault?) async throws -> BulkReading {
            let proxy = try FaultProxy(before: server) { _ in nil }
            let backend = try await connect(proxy.port)
            proxy.set(fault)
            return try await BulkReading(backend, folder: folder, content: content)
        }
        clean = try await read { _ in .delay(Self.delay) }
        faulty = try await read { request in
            if request.number % 100 == 50 { return .reset }
            return request.number % 500 == 251 ? .stall(after: 3) : .delay(Self.delay)
        }
    }
}
