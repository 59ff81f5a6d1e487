public import VitrineKit

/// The contract of ``Renderer`` in code: makes a renderer, draws good and damaged samples in this process, and
/// lists every rule that is not kept.
///
/// ```swift
/// let suite = RendererConformance(samples: [RendererSample("a page", mimeType: "application/pdf", bytes: page)]) {
///     environment throws(PluginError) in try PDFRenderer(environment)
/// }
/// #expect(suite.violations() == [])
/// ```
///
/// The rules, by name: `starts`, `draws`, `fits`, `large enough`, `shape`, `enlarging`, `same twice`,
/// `same alone`, `same without descriptor`, `facts`, `pages`, `page out of range`, `moment`, `empty input`, `damaged input`,
/// `encrypted`, `unreachable input`, `recovers`, `leaves nothing`. There is no clock in it: run it under a
/// deadline, since a renderer that hangs hangs the suite.
public struct RendererConformance {
    /// Good files, at least one.
    public var samples: [RendererSample]
    /// A file that needs a password, where the format knows such a thing.
    public var encrypted: RendererSample?
    /// Whether pictures are drawn at any size, as pages are. Otherwise a picture is never larger than the original.
    public var enlarges: Bool
    /// Whether the bitmap itself fits the box. `false` for renderers that leave the last step to the worker.
    public var scales: Bool
    /// The plugin's own folder, where the renderer ships data files.
    public var pluginFolder: String
    /// Makes the renderer.
    public var make: (RendererEnvironment) throws(PluginError) -> any Renderer

    /// Creates a suite.
    /// - Parameters:
    ///   - samples: good files, at least one.
    ///   - encrypted: a file that needs a password; default none.
    ///   - enlarges: whether pictures are drawn at any size, as pages are. Default `false`.
    ///   - scales: whether the bitmap itself fits the box. Default `true`.
    ///   - pluginFolder: the plugin's own folder; default an empty one.
    ///   - make: makes the renderer.
    public init(
        samples: [RendererSample], encrypted: RendererSample? = nil, enlarges: Bool = false, scales: Bool = true,
        pluginFolder: String? = nil, make: @escaping (RendererEnvironment) throws(PluginError) -> any Renderer
    ) {
        self.samples = samples
        self.encrypted = encrypted
        self.enlarges = enlarges
        self.scales = scales
        self.pluginFolder = pluginFolder ?? "/nonexistent"
        self.make = make
    }

    /// Runs every check on the calling thread.
    /// - Returns: what is violated; empty when the renderer keeps the contract.
    public func violations() -> [Violation] {
        guard !samples.isEmpty else { return [Violation("draws", "the suite was given no sample")] }
        var run: RendererRun
        do throws(PluginError) { run = try RendererRun(self) } catch {
            return [Violation("starts", "the renderer could not be made: \(error)")]
        }
        for sample in samples {
            guard let original = run.original(of: sample) else { continue }
            run.checkSizes(sample, original)
            run.checkRepetition(sample)
            run.checkSmaller(sample)
            run.checkFacts(sample, original)
            run.checkPages(sample)
            run.checkDamage(sample)
            run.checkUnreachable(sample)
            run.checkRecovery(sample, original)
        }
        if let encrypted { run.checkEncrypted(encrypted) }
        run.checkLeftovers()
        return run.violations
    }
}
