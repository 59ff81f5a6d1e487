import Catalog
import Glibc
import PreviewCache
import VitrineKit

/// What one run has to do with the catalog.
struct IndexedRun: Sendable {
    let catalog: Catalog
    /// Where it is asked.
    let thread: CatalogThread
    /// What the run wants of the items; `nil` when it only looks.
    let plan: PlanID?
    /// Writes down what became of them; `nil` when the run only looks.
    let book: RunBook?

    /// The URIs of the sources that a run over a folder works on: of the one that the folder belongs to, or would become
    /// together with those that lie in it.
    static func names(of uri: SourceURI, in catalog: Catalog) throws(PluginError) -> Set<String> {
        let known = try catalog.sources().compactMap { try? SourceURI($0.uri) }
        let above = known.filter { uri.path(below: $0) != nil }.map(\.text)
        if let largest = above.min(by: { $0.utf8.count < $1.utf8.count }) { return [largest] }
        return Set(known.filter { $0.path(below: uri) != nil }.map(\.text)).union([uri.text])
    }

    /// The source that the catalog has a folder in, and where in it: the largest that it knows, or a new one, which takes
    /// in those that lie in it.
    func place(of uri: SourceURI) throws(PluginError) -> (source: SourceRecord, base: ItemPath) {
        let known = try catalog.sources()
        var best: (source: SourceRecord, base: ItemPath)?
        for record in known {
            guard let root = try? SourceURI(record.uri), let base = uri.path(below: root) else { continue }
            if best.map({ $0.source.uri.utf8.count > record.uri.utf8.count }) ?? true { best = (record, base) }
        }
        if let best { return try catalog.keep(best.source) ? best : try place(of: uri) }
        let source = try catalog.source(uri.text)
        for record in known {
            guard let inner = try? SourceURI(record.uri), let path = inner.path(below: uri) else { continue }
            try catalog.join(record, to: source, at: path)
        }
        return (source, .root)
    }
}

extension IndexedRun {
    /// A run of a pipeline that makes previews, with what others deleted forgotten. To be called where the catalog is asked.
    init(
        _ catalog: Catalog, _ sizes: [PreviewSize], _ pipeline: PreviewPipeline, _ variant: Variant = .standard,
        embedded: EmbeddedUse? = nil
    ) throws(PluginError) {
        let digest = PlanDigest.of(sizes, pipeline, variant, embedded: embedded)
        let (plan, thread) = (try catalog.plan(digest), pipeline.desk.thread)
        self.init(
            catalog: catalog, thread: thread, plan: plan,
            book: RunBook(
                catalog, on: thread, plan: plan,
                asksPasswords: pipeline.passwords != nil && pipeline.cachesEncrypted))
        try CacheWitness(cache: pipeline.cache, catalog: catalog).check(sizes, variant)
    }

    /// Writes down why a source could not be walked, if it is one that counts.
    func note(_ error: PluginError, at source: RunSource) {
        if catalog.threw(error) { return }
        let isKnown = (try? catalog.knownSource(source.uri.text)) != nil
        guard isKnown || source.name != nil else { return }
        let isInterrupted = error.code == .cancelled
        // If that fails, the next run says it again.
        try? catalog.note(
            isInterrupted ? .interrupted : .absent, reason: isInterrupted ? nil : error.message, at: source.uri.text,
            now: Int64(time(nil)))
    }
}

extension SourceURI {
    /// Where this source lies in another one; `nil` when it does not.
    func path(below root: SourceURI) -> ItemPath? {
        if let own = try? ArchiveAddress(self) {
            guard let base = try? ArchiveAddress(root), own.source == base.source else { return nil }
            return own.path.below(base.path)
        }
        guard scheme == root.scheme, authority == root.authority, query == root.query,
            let own = try? ItemPath(path.drop { $0 == UInt8(ascii: "/") }),
            let base = try? ItemPath(root.path.drop { $0 == UInt8(ascii: "/") })
        else { return nil }
        return own.below(base)
    }
}
