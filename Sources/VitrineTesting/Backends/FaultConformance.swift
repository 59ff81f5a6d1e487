public import VitrineKit

/// What a backend over HTTP does when its server, or the network before it, fails: a suite with a real server behind
/// ``FaultProxy``.
///
/// ```swift
/// let suite = FaultConformance(server: server.port, prepare: { try $0.write(below: server.root) }) { port, values in
///     let settings = BackendSettings(values: values)
///     return try await MyBackend(source: SourceURI("my://127.0.0.1:\(port)/"), settings: settings)
/// }
/// let violations = await suite.violations()
/// #expect(violations == [])
/// ```
public struct FaultConformance: Sendable {
    /// Settings of backends on `Transfer` that keep the suite short, and leave a busy machine time for an answer.
    public static let settings = ["stall-timeout": "3", "connect-timeout": "5"]
    /// Settings of such backends with which they wait for an hour: who does not wait is told from who does.
    public static let patientSettings = ["stall-timeout": "3600", "connect-timeout": "3600", "timeout": "3600"]

    private let server: UInt16
    private let prepare: @Sendable (BackendSample) async throws -> Void
    private let connect: @Sendable (UInt16, [String: String]) async throws -> any StorageBackend

    /// Describes the storage.
    /// - Parameters:
    ///   - server: the port of the real server on this machine.
    ///   - prepare: creates the sample's nodes in an empty source.
    ///   - connect: connects to the source through another port, with these settings besides its own; called for each check, since
    ///     a source that fails rests.
    public init(
        server: UInt16, prepare: @escaping @Sendable (BackendSample) async throws -> Void,
        connect: @escaping @Sendable (UInt16, _ settings: [String: String]) async throws -> any StorageBackend
    ) {
        self.server = server
        self.prepare = prepare
        self.connect = connect
    }

    /// Runs all checks, one after the other.
    /// - Returns: the rules that were broken; none for a good backend.
    public func violations() async -> [Violation] {
        do {
            let sample = try BackendSample(names: .text, many: 200) { $0.first == UInt8(ascii: ".") }
            try await prepare(sample)
            let proxy = try FaultProxy(before: server) { _ in nil }
            let run = Run(sample: sample, proxy: proxy, connect: connect)
            return try await run.kinds() + run.passing() + run.hostile() + run.changed() + run.cancelled()
        } catch {
            return [Violation("the source can be made ready", "\(error)")]
        }
    }

    /// One run over one storage.
    struct Run: Sendable {
        let sample: BackendSample
        let proxy: FaultProxy
        let connect: @Sendable (UInt16, [String: String]) async throws -> any StorageBackend

        /// A backend that nothing has happened to, and a file that it opened.
        func connected(
            _ settings: [String: String] = FaultConformance.settings
        ) async throws -> (backend: any StorageBackend, file: any ByteSource) {
            proxy.set { _ in nil }
            let backend = try await connect(proxy.port, settings)
            return (backend, try await backend.open(try ItemPath("data.bin")))
        }

        func entries(_ backend: any StorageBackend, _ folder: String) async throws(PluginError) -> [Entry] {
            var entries: [Entry] = []
            for try await page in backend.list(try ItemPath(folder)) { entries += page }
            return entries
        }
    }
}
