import Synchronization
public import VitrineKit

/// What a backend does when the network before its server fails, whatever it speaks over TCP: a suite with a real server
/// behind ``StreamProxy``. For HTTP there is ``FaultConformance``, which knows more.
///
/// ```swift
/// let suite = StreamFaultConformance(server: server.port, prepare: { try $0.write(below: server.root) }) { port, values, _ in
///     let settings = BackendSettings(values: values)
///     return try await MyBackend(source: SourceURI("my://127.0.0.1:\(port)/"), settings: settings)
/// }
/// let violations = await suite.violations()
/// #expect(violations == [])
/// ```
public struct StreamFaultConformance: Sendable {
    private let server: UInt16
    private let prepare: @Sendable (BackendSample) async throws -> Void
    private let connect: @Sendable (UInt16, [String: String], BackendSample) async throws -> any StorageBackend

    /// Describes the storage.
    /// - Parameters:
    ///   - server: the port of the real server on this machine.
    ///   - prepare: creates the sample's nodes in an empty source.
    ///   - connect: connects to the source through another port, with these settings besides its own; called for each check, since
    ///     a source that fails rests.
    public init(
        server: UInt16, prepare: @escaping @Sendable (BackendSample) async throws -> Void,
        connect:
            @escaping @Sendable (UInt16, _ settings: [String: String], BackendSample) async throws ->
            any StorageBackend
    ) {
        self.server = server
        self.prepare = prepare
        self.connect = connect
    }

    /// Runs all checks. Those that wait for a server which stalls go on beside others, over connections of their own.
    /// - Returns: the rules that were broken; none for a good backend.
    public func violations() async -> [Violation] {
        do {
            let sample = try BackendSample(names: .text, many: 200) { $0.first == UInt8(ascii: ".") }
            try await prepare(sample)
            func run() throws -> Run {
                Run(sample: sample, proxy: try StreamProxy(before: server) { _ in nil }, connect: connect)
            }
            async let first = run().passing([.stall(after: 0)])
            async let second = run().passing([.stall(after: 20)])
            let others = try run()
            let violations =
                try await others.gone()
                + others.passing([.reset(after: 0), .reset(after: 20), .cut(after: 0), .cut(after: 20)])
                + others.cancelled()
            return try await violations + first + second
        } catch {
            return [Violation("the source can be made ready", "\(error)")]
        }
    }

    /// One run over one storage.
    struct Run: Sendable {
        let sample: BackendSample
        let proxy: StreamProxy
        let connect: @Sendable (UInt16, [String: String], BackendSample) async throws -> any StorageBackend

        /// A backend that nothing has happened to, and a file that it opened.
        func connected(
            _ settings: [String: String] = FaultConformance.settings
        ) async throws -> (backend: any StorageBackend, file: any ByteSource) {
            proxy.set { _ in nil }
            let backend = try await connect(proxy.port, settings, sample)
            return (backend, try await backend.open(try ItemPath("data.bin")))
        }
    }
}

extension StreamFaultConformance.Run {
    /// A server that is gone is asked less and less, and it is said.
    fileprivate func gone() async throws -> [Violation] {
        var findings = Findings()
        let (backend, file) = try await connected()
        proxy.set { _ in .reset(after: 0) }
        var codes: Set<PluginError.Code> = []
        for _ in 0..<6 {
            do throws(PluginError) { _ = try await file.read(at: 0, count: 10) } catch { codes.insert(error.code) }
        }
        findings.expect(
            codes.isSubset(of: [.io, .offline]) && codes.contains(.offline),
            "a server that is gone is offline after some tries", "the codes were \(codes.map(\.rawValue))")
        let before = proxy.connections
        await findings.fails(.offline, "a source that fails ten times rests") { () throws(PluginError) in
            try await backend.stat(try ItemPath("data.bin"))
        }
        findings.expect(
            proxy.connections == before, "who rests asks nothing",
            "\(proxy.connections - before) connections were made")
        return findings.violations
    }

    /// What passes is not noticed: all items come, each once, with the right bytes.
    fileprivate func passing(_ faults: [StreamFault]) async throws -> [Violation] {
        var findings = Findings()
        for fault in faults {
            let (backend, file) = try await connected()
            // The third turn and then every fortieth: a log-in takes many, and each try again has to be earned. What stalls
            // takes its time each time.
            let most = if case .stall = fault { 160 } else { Int.max }
            let count = Mutex(0)
            proxy.set { _ in
                count.withLock { count in
                    count += 1
                    return count % 40 == 3 && count < most ? fault : nil
                }
            }
            let rule = "what fails in passing is tried again (\(fault))"
            let many = await findings.succeeds(rule) { () throws(PluginError) in
                var entries: [Entry] = []
                for try await page in backend.list(try ItemPath("many")) { entries += page }
                return entries
            }
            let names = Set(many?.map(\.name) ?? [])
            findings.expect(names.count == 200 && many?.count == 200, rule, "\(names.count) of 200 came")
            for offset in stride(from: 0, to: 300_000, by: 10_000) {
                let read = await findings.succeeds(rule) { () throws(PluginError) in
                    try await file.read(at: Int64(offset), count: 500)
                }
                findings.expect(
                    read.map { $0.elementsEqual(BackendSample.data[offset..<(offset + 500)]) } ?? true, rule,
                    "other bytes came")
            }
        }
        return findings.violations
    }

    /// Who is cancelled does not wait for a server.
    fileprivate func cancelled() async throws -> [Violation] {
        var findings = Findings()
        let (_, file) = try await connected(FaultConformance.patientSettings)
        await findings.cancelsReading(of: file) { asked in
            proxy.set { _ in
                asked()
                return .stall(after: 0)
            }
        }
        return findings.violations
    }
}
