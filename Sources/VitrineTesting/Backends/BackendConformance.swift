public import VitrineKit

/// The contract of ``VitrineKit/StorageBackend`` in code: a suite that every backend passes.
///
/// ```swift
/// @Test func conforms() async {
///     let suite = BackendConformance { sample in
///         // … create sample.nodes in the storage …
///         return try await MyBackend(source: source, settings: BackendSettings())
///     }
///     let violations = await suite.violations()
///     #expect(violations == [])
/// }
/// ```
public struct BackendConformance: Sendable {
    private let names: BackendSample.Names
    private let many: Int
    private let leavesOut: @Sendable ([UInt8]) -> Bool
    private let put: (@Sendable (BackendSample.Node) async throws -> Void)?
    private let prepare: @Sendable (BackendSample) async throws -> any StorageBackend

    /// Describes how a storage is made ready.
    /// - Parameters:
    ///   - names: what names the storage can hold.
    ///   - many: how many files the largest folder holds.
    ///   - leavesOut: names of files and of empty folders that the storage cannot hold or does not show, such as
    ///     those of hidden files. Default: none.
    ///   - put: makes one more file or folder in the storage, or writes a file anew. Default: what happens when a storage
    ///     changes is not checked.
    ///   - prepare: creates exactly the sample's nodes in an empty source and connects to it.
    public init(
        names: BackendSample.Names = .bytes, many: Int = 10_000,
        leavesOut: @escaping @Sendable ([UInt8]) -> Bool = { _ in false },
        put: (@Sendable (BackendSample.Node) async throws -> Void)? = nil,
        prepare: @escaping @Sendable (BackendSample) async throws -> any StorageBackend
    ) {
        self.names = names
        self.many = many
        self.leavesOut = leavesOut
        self.put = put
        self.prepare = prepare
    }

    /// Runs all checks, one after the other.
    /// - Returns: the rules that were broken; none for a good backend.
    public func violations() async -> [Violation] {
        do {
            let sample = try BackendSample(names: names, many: many, leavesOut: leavesOut)
            let run = Run(sample: sample, backend: try await prepare(sample))
            let found =
                await run.listing() + run.paging() + run.stats() + run.reading() + run.failures()
                + run.cancellation()
                + run.snapshots()
            guard let put else { return found }
            // The last one: the storage is not the sample any more.
            return found + (await run.watching(put)) + (await run.changes(put))
        } catch {
            return [Violation("the source can be made ready", "\(error)")]
        }
    }

    /// One run over one storage.
    struct Run: Sendable {
        let sample: BackendSample
        let backend: any StorageBackend

        /// Lists a folder, with a limit on what a listing without an end may bring.
        func entries(of folder: ItemPath) async throws(PluginError) -> [Entry] {
            var entries: [Entry] = []
            var pages = 0
            for try await page in backend.list(folder) {
                entries += page
                pages += 1
                guard entries.count <= sample.nodes.count, pages <= 2 * sample.nodes.count + 2 else {
                    throw PluginError(.limitExceeded, "the listing of '\(folder)' does not end")
                }
            }
            return entries
        }
    }
}
