public import VitrineKit

/// The contract of ``VitrineKit/WritableBackend`` in code: a suite that every backend passes that can be written to.
///
/// ```swift
/// @Test func conformsToWriting() async {
///     let suite = WritableConformance { try await MyBackend(source: emptySource, settings: BackendSettings()) }
///     let violations = await suite.violations()
///     #expect(violations == [])
/// }
/// ```
public struct WritableConformance: Sendable {
    /// A storage that has little room.
    public struct SmallStorage: Sendable {
        /// It, empty.
        public var backend: any WritableBackend
        /// More bytes than it has room for.
        public var tooMany: Int64

        /// Describes a storage.
        public init(_ backend: any WritableBackend, tooMany: Int64) {
            self.backend = backend
            self.tooMany = tooMany
        }
    }

    private let names: BackendSample.Names
    private let large: Int
    private let leavesOut: @Sendable ([UInt8]) -> Bool
    private let forbidden: ItemPath?
    private let small: (@Sendable () async throws -> SmallStorage)?
    private let connect: @Sendable () async throws -> any WritableBackend

    /// Describes how a storage is connected to.
    /// - Parameters:
    ///   - names: what names the storage can hold.
    ///   - large: bytes of a file that is large enough to be resumed. Default: 20 MiB and one.
    ///   - leavesOut: names that it cannot hold all the same. Default: none.
    ///   - forbidden: a folder of the source that is there, and in which the user may not write. Default: not checked.
    ///   - small: connects to an empty storage with little room. Default: not checked.
    ///   - connect: connects to a source, empty but for `forbidden`; called more than once, for the same source.
    public init(
        names: BackendSample.Names = .bytes, large: Int = 20 << 20 | 1,
        leavesOut: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }, forbidden: ItemPath? = nil,
        small: (@Sendable () async throws -> SmallStorage)? = nil,
        connect: @escaping @Sendable () async throws -> any WritableBackend
    ) {
        self.names = names
        self.large = large
        self.leavesOut = leavesOut
        self.forbidden = forbidden
        self.small = small
        self.connect = connect
    }

    /// Runs all checks, one after the other.
    /// - Returns: the rules that were broken; none for a good backend.
    public func violations() async -> [Violation] {
        do {
            let run = Run(backend: try await connect(), large: large)
            var found = await run.roundTrips() + run.folders() + run.clashes() + run.abandoning()
            found += await run.misuse() + run.names(names, leavesOut)
            found += await run.resuming(try await connect())
            if let forbidden { found += await run.refusal(forbidden) }
            if let small { found += await Run.full(try await small()) }
            return found
        } catch {
            return [Violation("the source can be made ready", "\(error)")]
        }
    }

    /// One run over one storage.
    struct Run: Sendable {
        let backend: any WritableBackend
        let large: Int

        static let time = Timestamp(seconds: 1_600_000_001)

        /// Writes a file in pieces of odd sizes.
        func write(
            _ path: ItemPath, _ content: [UInt8], _ condition: WriteCondition = .ifAbsent, size: Bool = true
        ) async throws(PluginError) {
            let draft = FileDraft(size: size ? Int64(content.count) : nil, modified: Self.time)
            let transaction = try await backend.write(path, draft)
            do throws(PluginError) {
                try await append(content[...], to: transaction)
                _ = try await transaction.commit(condition, content: [])
            } catch {
                await transaction.abandon()
                throw error
            }
        }

        /// Appends bytes from where a transaction is.
        func append(
            _ content: ArraySlice<UInt8>, to transaction: any WriteTransaction, piece: Int = 999_983
        ) async throws(PluginError) {
            var rest = content
            while !rest.isEmpty {
                let part = Array(rest.prefix(piece))
                try await transaction.append(part, at: Int64(rest.startIndex))
                rest = rest.dropFirst(part.count)
            }
        }

        /// All of a file.
        func read(_ path: ItemPath) async throws(PluginError) -> [UInt8] {
            let file = try await backend.open(path)
            var content: [UInt8] = []
            while true {
                let part = try await file.read(at: Int64(content.count), count: 4 << 20)
                if part.isEmpty { return content }
                content += part
            }
        }

        /// What a listing shows of a folder.
        func list(_ folder: ItemPath) async throws(PluginError) -> [[UInt8]] {
            var found: [[UInt8]] = []
            for try await page in backend.list(folder) { found += page.map(\.name) }
            return found
        }

        /// The names that people see.
        func visible(_ folder: ItemPath) async throws(PluginError) -> [[UInt8]] {
            try await list(folder).filter { !UnfinishedName.matches($0) }
        }

        /// Bytes that repeat only after 251.
        func content(_ count: Int, _ seed: Int = 0) -> [UInt8] { (0..<count).map { UInt8(($0 + seed) % 251) } }

        func makeFolder(_ name: String) async throws(PluginError) -> ItemPath {
            let path = try ItemPath(name)
            try await backend.makeFolder(path)
            return path
        }
    }
}
