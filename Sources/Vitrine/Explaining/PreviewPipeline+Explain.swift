public import PluginHost
public import PreviewCache
public import RangeReading
public import VitrineKit

/// Everything that decides about the preview of one item.
public struct Explanation: Sendable {
    /// A renderer that serves the item's type.
    public struct Candidate: Sendable {
        /// The plugin.
        public var name: RendererName
        /// The higher, the earlier it is tried.
        public var priority: Int
        /// Whether it is a thumbnailer of another project, which is asked only when no renderer is there.
        public var isForeign = false
    }
    /// What the cache holds for one size.
    public struct CacheEntry: Sendable {
        /// The size.
        public var size: PreviewSize
        /// What is there.
        public var state: PreviewCache.State
    }

    /// The item's URI, which is hashed for the cache.
    public var uri: String
    /// What the storage says of it.
    public var entry: Entry
    /// What its storage was asked for; `nil` for storages of this machine, and backends that do not count.
    public var storage: ExplainedStorage?
    /// The archive that it is a member of; `nil` for other items.
    public var archive: ExplainedArchive?
    /// Its type and how that was found; `nil` when it could not be read.
    public var type: SniffedType?
    /// The renderers for the type, in the order in which they are tried.
    public var candidates: [Candidate] = []
    /// The id of a renderer that the settings switch off, where there is no other for the type.
    public var switchedOff: String?
    /// The cache's entries for the sizes that were asked about.
    public var cached: [CacheEntry] = []
    /// The failure that an earlier run remembered.
    public var remembered: RememberedFailure?
    /// What came of rendering it now, with the time of each stage. Nothing of it was kept.
    public var report: ItemReport
}

extension PreviewPipeline {
    /// Says how an item gets its preview, and tries it without keeping anything.
    /// - Parameters:
    ///   - source: the item's path or URI, read by ``source(_:workingFolder:)``.
    ///   - sizes: the sizes to look for in the cache and to render.
    ///   - limits: how much may be read of an item that is not on this machine. Default: 64 MiB.
    ///   - embedded: when a picture inside of the item is taken. Default: as the settings say.
    /// - Throws: when the item itself cannot be found; `notAFile` for folders and what else is no file.
    public func explain(
        _ source: SourceURI, sizes: [PreviewSize] = [.large], limits: ReadLimits = ReadLimits(),
        embedded: EmbeddedUse? = nil
    ) async throws(PluginError) -> Explanation {
        let location = try ItemLocation(item: source)
        let settings = BackendSettings(followsLinks: true, crossesFileSystems: true)
        let storage = try await storages.storage(for: location.source, settings)
        let entry = try await limits.hold { () async throws(PluginError) in try await storage.stat(location.path) }
        if entry.kind != .file {
            let reason = Self.notAFile(entry.kind, followed: true).message
            throw PluginError(.notAFile, "'\(DisplayText.of(source.path))': \(reason)")
        }
        let found = storage.traffic
        var order = RenderOrder(sizes: sizes, priority: .interactive, force: true, stores: false)
        order.limits = limits
        order.embedded = embedded
        let report = try await report(on: location, order)
        let subject = Subject(uri: location.uri, modified: entry.modified, size: entry.size)
        var explanation = Explanation(uri: location.uri, entry: entry, type: report.type, report: report)
        explanation.storage = await explained(storage, found: found)
        explanation.archive = await explainedArchive(storage)
        explanation.cached = sizes.map { .init(size: $0, state: cache.lookup(subject, size: $0, embedded: embedded)) }
        explanation.remembered = cache.failure(of: subject)
        if let type = report.type {
            explanation.candidates = registry.renderers(for: type.mimeType).map {
                .init(name: RendererName($0), priority: $0.manifest.priority, isForeign: $0.foreign != nil)
            }
            if explanation.candidates.isEmpty { explanation.switchedOff = registry.switchedOff(for: type.mimeType)?.id }
        }
        return explanation
    }
}
