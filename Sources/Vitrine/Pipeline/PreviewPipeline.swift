public import Containment
import PlaceNames
import PluginHost
public import PreviewCache
import RangeReading
import Settings
public import VitrineKit
import Workers

/// The engine: turns items into previews, and keeps them.
///
/// The way of an item, one call after the other:
///
/// 1. ``StorageRegistry`` finds the ``Storage`` of its source, ``SourceWalk`` finds the item in it;
/// 2. `PreviewCache` is asked for valid entries: if all sizes are there, that was all;
/// 3. ``OpenItem`` opens it, `TypeSniffer` finds its type, `RendererRegistry` the renderers for that type;
/// 4. ``Scheduler`` gives it a turn, `WorkerPool` a worker, the worker a PNG for each size;
/// 5. `PreviewCache` checks and stores them; ``ProgressHub`` tells those who listen.
///
/// Steps 2 to 5 are `PreviewPipeline+Item.swift`. A pipeline may be used from many tasks at once.
///
/// ```swift
/// let pipeline = try PreviewPipeline(.standard())
/// let preview = try await pipeline.preview(of: "/home/a/report.pdf", size: .large)
/// print(preview.path)
/// ```
public final class PreviewPipeline: Sendable {
    let configuration: PipelineConfiguration
    let plugins: PluginDirectory
    let cache: PreviewCache
    let keeper: CacheKeeper
    let storages: StorageRegistry
    let containers: ContainerWorkers
    let registry: RendererRegistry
    let sniffer: TypeSniffer
    let scheduler: Scheduler
    let workers: WorkerPool
    let specifications = WorkerSpecifications()
    let desk: CatalogDesk
    let blocks: BlockCache
    /// Knows the passwords of encrypted items; `nil` when nobody is to be asked.
    let passwords: PasswordDesk?
    let absent = AbsentRenderers()
    let lost = LostPreviews()
    let twins = TwinTable()
    /// What runs have found to be gone, and not told yet.
    let departures = Departures()
    let hub = ProgressHub()
    let coalescer = WorkCoalescer<WorkKey, SharedReport>()

    /// Why nothing can be done with these plugins. Of those that were refused the first one's reason is as a rule that of all.
    private static func lack(of plugins: PluginDirectory) -> PluginError {
        let kind = plugins.renderers.isEmpty ? "renderer" : "storage backend"
        let folders = plugins.searchPath.folders.map { "'\(DisplayText.of($0))'" }.joined(separator: ", ")
        let refusals = plugins.listings.compactMap {
            if case .refused(let error) = $0.state { error.message } else { nil }
        }
        return PluginError(
            .pluginUnavailable,
            "no \(kind) was found in \(folders); 'vitrine plugins' says more, VITRINE_PLUGIN_PATH names other folders"
                + (refusals.first.map { "; plugins that were refused: \(refusals.count), the first since \($0)" } ?? "")
        )
    }

    /// Reads the plugins' manifests. No plugin is loaded and no worker started before there is work for it.
    /// - Throws: `pluginUnavailable` when there is no renderer or no backend at all.
    public init(_ configuration: PipelineConfiguration) throws(PluginError) {
        self.configuration = configuration
        plugins = PluginDirectory(scanning: configuration.plugins, settings: configuration.settings)
        guard !plugins.renderers.isEmpty, !plugins.backends.isEmpty else {
            throw Self.lack(of: plugins)
        }
        passwords = configuration.settings.passwords.command.map { PasswordDesk(PasswordCommand(command: $0)) }
        let quota = configuration.settings.cache.quota
        var cache = PreviewCache(folders: configuration.cache, version: VitrineVersion.text)
        cache.keepsAccount = quota.bytes != nil
        cache.embeddedUse = configuration.settings.embedded ?? .auto
        self.cache = cache
        let (lost, listener) = (lost, configuration.onRemoved)
        keeper = CacheKeeper(cache, quota) { entry in
            lost.add(entry)
            listener?(entry)
        }
        desk = CatalogDesk(path: configuration.catalog)
        blocks = BlockCache(folder: configuration.blocks)
        registry = RendererRegistry(plugins)
        sniffer = TypeSniffer(magic: registry.magic)
        scheduler = Scheduler(permits: configuration.jobs)
        // Four kinds of files in one folder should not make workers start and stop all the time.
        workers = WorkerPool(
            program: configuration.workerProgram, maximumIdle: configuration.jobs * 4,
            requiredLevel: configuration.settings.requiredContainment ?? .none)
        containers = ContainerWorkers(plugins, workers, scheduler, blocks)
        storages = StorageRegistry(
            factory: BackendFactory(plugins), accounts: configuration.accounts, containers: containers)
    }

    /// The preview of one item, made if need be. Work that somebody else asked for at the same time is shared.
    /// - Parameters:
    ///   - text: an absolute path or a URI.
    ///   - size: its longest side.
    ///   - variant: the page or moment. Default: the first page, or the renderer's choice of moment.
    ///   - priority: whether somebody waits for it. Default: yes.
    ///   - force: makes it anew even if there is a valid one.
    /// - Throws: why there is no preview.
    public func preview(
        of text: String, size: PreviewSize, variant: Variant = .standard, priority: WorkPriority = .interactive,
        force: Bool = false
    ) async throws(PluginError) -> Preview {
        try await preview(
            at: location(of: text),
            RenderOrder(sizes: [size], variant: variant, priority: priority, force: force))
    }

    func preview(at location: ItemLocation, _ order: RenderOrder) async throws(PluginError) -> Preview {
        switch try await report(on: location, order).outcome {
        case .made(let previews), .valid(let previews):
            if let preview = previews.first { return preview }
        case .skipped(let error), .failed(let error, _): throw error
        case .planned: break
        }
        throw PluginError(.io, "no preview of '\(PlaceName.of(location.uri))' was made")
    }

    /// What happens to a topic from now on, as a stream of values.
    ///
    /// A listener that is more than `buffer` events behind loses the oldest ones, never the last.
    /// - Parameters:
    ///   - topic: what to hear of. Default: everything.
    ///   - buffer: how many events may wait. Default: 1,024.
    public func progress(of topic: Topic = .everything, buffer: Int = 1024) -> AsyncStream<ProgressEvent> {
        hub.events(of: topic, buffer: buffer)
    }

    /// All that happens from now on, without a loss. A run waits for a listener who is some ten thousand events behind, so that
    /// one who stops reading without cancelling its task, or letting go of the stream, holds it up.
    public func wholeProgress() -> some AsyncSequence<ProgressEvent, Never> & Sendable { hub.allEvents() }

    /// The layers of containment that some worker lacked so far, each once, to be said aloud.
    public var lackingContainment: [LayerReport] { get async { await workers.lackingLayers } }

    /// Whether the memory of all workers so far could be watched; where the system does not show it, which is to be said
    /// aloud too, they have the bound of their address space only.
    public var watchesMemory: Bool { get async { await workers.watchesMemory } }

    /// Plugins that others stood in for so far, since their workers crash or hang when they start: a sentence about each, to be
    /// said aloud.
    public var brokenPlugins: [String] { absent.notices }

    /// What this pipeline deleted so far to keep the cache within its quota.
    public var evicted: CacheTally { keeper.removed }

    /// Sees to it that the cache is within its quota, when more was stored than fits. Usually there is nothing to do; it
    /// takes about a second for 100,000 entries. Call it when nobody waits any more.
    public func tidy() async { await keeper.finish() }

    /// Ends all workers. Call it before the program ends: a worker would notice by itself, a little later.
    public func end() async {
        passwords?.end()
        await workers.end()
    }

    /// The item that an absolute path or a URI names.
    func location(of text: String) throws(PluginError) -> ItemLocation {
        try ItemLocation(item: source(Array(text.utf8), workingFolder: [UInt8(ascii: "/")]))
    }

    /// Reads a path or a URI as bytes; see ``ItemLocation/parse(_:workingFolder:schemes:)``.
    /// - Parameters:
    ///   - text: from a command line.
    ///   - workingFolder: what relative paths start from.
    public func source(_ text: [UInt8], workingFolder: [UInt8]) throws(PluginError) -> SourceURI {
        try ItemLocation.parse(
            text, workingFolder: workingFolder, schemes: plugins.schemes)
    }

    /// Refuses a URI that nothing reads.
    /// - Throws: `invalidArgument`, with the schemes that there are.
    public func check(schemeOf uri: SourceURI) throws(PluginError) { try plugins.check(schemeOf: uri) }
}

/// What makes two pieces of work the same, whoever asks for them. Whether it is for the picture of a folder is not among it: the
/// previews are the same. That of a run with a catalog is work of its own, though, since it takes the file's text along.
struct WorkKey: Hashable, Sendable {
    private let uri: String
    private let sizes: [PreviewSize]
    private let variant: Variant
    /// One bit for each.
    private let flags: UInt16
    private let embedded: EmbeddedUse?

    /// - Parameters:
    ///   - uri: of the item.
    ///   - order: what is wanted of it.
    init(_ uri: String, _ order: RenderOrder) {
        self.uri = uri
        sizes = order.sizes
        variant = order.variant
        func bit(_ place: UInt16, _ flag: Bool) -> UInt16 { flag ? 1 << place : 0 }
        flags =
            bit(0, order.force) | bit(1, order.stores) | bit(2, order.isDryRun) | bit(3, order.wantsText)
            | bit(4, order.wantsPageText) | bit(5, order.wantsPlace) | bit(6, order.mayAsk) | bit(7, order.mayBeUnkept)
        embedded = order.embedded
    }

    /// Takes what almost always tells one from another; the rest is compared.
    func hash(into hasher: inout Hasher) { hasher.combine(uri) }
}
