import Synchronization
public import VitrineKit

/// What errors of a network cost: the same files are read through one that is slow, and through one that fails besides.
public struct NetworkCost: Sendable {
    /// Each answer takes 50 ms.
    public let clean: BulkReading
    /// One turn or request in a hundred is a reset besides, and one in five hundred stalls.
    public let faulty: BulkReading

    /// Turns or requests without errors.
    public let cleanTurns: Int
    /// Turns or requests with errors: what was tried again is counted again.
    public let faultyTurns: Int

    /// The throughput with errors, as a part of that without, by the clock: for people.
    public var ratio: Double { clean.duration / faulty.duration }

    private static let delay = Duration.milliseconds(50)

    /// What becomes of a turn or a request.
    private enum Lot {
        case delay, stall, reset

        /// By its number, when errors are wanted.
        init(_ number: Int) { self = number % 100 == 50 ? .reset : number % 500 == 251 ? .stall : .delay }
    }

    /// Reads all files twice.
    /// - Parameter read: reads them once, through a proxy that does so with each turn, and tells how many there were.
    private init(
        _ read: (@escaping @Sendable (_ number: Int) -> Lot) async throws -> (BulkReading, turns: Int)
    ) async throws {
        (clean, cleanTurns) = try await read { _ in .delay }
        (faulty, faultyTurns) = try await read { Lot($0) }
    }

    /// Reads all files twice, whatever is spoken over TCP.
    /// - Parameters:
    ///   - server: the port of the real server on this machine.
    ///   - folder: has files only.
    ///   - logIn: the first turns of each connection that have no errors. Where a log-in has many turns, an error in each of
    ///     several tries is not so rare as to never fail a test. Default: none.
    ///   - content: what a file of this name holds.
    ///   - connect: connects to the source through another port.
    public init(
        server: UInt16, folder: ItemPath = .root, logIn: Int = 0,
        content: @escaping @Sendable (_ name: [UInt8]) -> [UInt8], connect: (UInt16) async throws -> any StorageBackend
    ) async throws {
        try await self.init { lot in
            let proxy = try StreamProxy(before: server) { _ in nil }
            let backend = try await connect(proxy.port)
            let later = AtomicCount()
            proxy.set { turn in
                switch turn.turn < logIn ? .delay : lot(later.next()) {
                case .delay: .delay(Self.delay)
                case .stall: .stall(after: 3)
                case .reset: .reset(after: 0)
                }
            }
            return (try await BulkReading(backend, folder: folder, content: content), proxy.turns)
        }
    }

    /// Reads all files twice over HTTP, of which each request is a turn.
    /// - Parameters: as those of the other initializer.
    public init(
        serverOfHTTP server: UInt16, folder: ItemPath = .root,
        content: @escaping @Sendable (_ name: [UInt8]) -> [UInt8],
        connect: (UInt16) async throws -> any StorageBackend
    ) async throws {
        try await self.init { lot in
            let proxy = try FaultProxy(before: server) { _ in nil }
            let backend = try await connect(proxy.port)
            proxy.set { request in
                switch lot(request.number) {
                case .delay: .delay(Self.delay)
                case .stall: .stall(after: 3)
                case .reset: .reset
                }
            }
            return (try await BulkReading(backend, folder: folder, content: content), proxy.requests.count)
        }
    }
}

/// Counts what happens on several threads.
private final class AtomicCount: Sendable {
    private let value = Atomic(0)

    /// How many there were before.
    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
