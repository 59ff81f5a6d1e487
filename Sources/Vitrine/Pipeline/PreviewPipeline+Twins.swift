import Catalog
import PluginHost
import PreviewCache
import VitrineKit

// The same content under many paths is rendered once; a file that was copied or moved takes its previews along.
extension PreviewPipeline {
    /// What one item needs to be compared with others.
    struct TwinSearch: Sendable {
        let catalog: Catalog
        let record: ItemID
        let descriptor: CInt
        let size: Int64
        let key: TwinTable.Key
        let fingerprint: ContentFingerprint
        /// What this run made of the same size and beginning, as ``TwinTable`` knows it.
        var made: [Twin] = []
        /// Who may draw the item, the first of whom must have drawn the other; or a later one in this run, see
        /// ``TwinTable``, or before the other went.
        var renderers: [InstalledPlugin] = []
    }

    /// Whether an item is one that is compared with others.
    func mayHaveTwins(_ item: Item, _ order: RenderOrder) -> Bool {
        item.record != nil && order.stores && order.variant.isFirst && !order.force
    }

    /// Prepares the comparison; `nil` for items that nobody knows others of.
    func twinSearch(_ open: OpenItem, _ item: Item, _ order: RenderOrder) async throws(PluginError) -> TwinSearch? {
        guard mayHaveTwins(item, order), let record = item.record, let descriptor = open.source.fileDescriptor,
            let size = open.entry.size, size > 0, let catalog = try? desk.catalog()
        else { return nil }
        var fingerprint = open.fingerprint
        if fingerprint == nil {
            let source = open.source
            fingerprint = try await item.storage.watch.run("reading '\(DisplayText.of(item.path.bytes))'") {
                // Whoever gives up waiting must not close the file under the reader.
                await AsideThread.run { withExtendedLifetime(source) { ContentHash.fingerprint(of: source) } }
            }
        }
        guard let fingerprint else { return nil }
        return TwinSearch(
            catalog: catalog, record: record, descriptor: descriptor, size: size,
            key: TwinTable.Key(size: size, head: fingerprint.head), fingerprint: fingerprint)
    }

    /// Takes over the previews of another item with the same content.
    /// - Returns: the previews, the item that was read for them, and who drew them; `nil` when there are none, or they are not what would be made
    ///   now.
    func takeOver(
        _ search: TwinSearch, _ open: OpenItem, _ subject: Subject, _ order: RenderOrder
    ) async -> (previews: [Preview], twin: ItemID, renderer: InstalledPlugin)? {
        let known = try? await desk.thread.run(unlessBlocking: true) { () throws(PluginError) in
            try search.catalog.twins(size: search.size, head: search.key.head, besides: search.record)
        }
        let (first, others) = (search.renderers.prefix(1), search.renderers.dropFirst())
        var candidates = (search.made + (known ?? [])).compactMap { $0.drawn(by: first) }
        candidates += search.made.compactMap { $0.drawn(by: others) }
        // What was moved keeps what it had, as it would have where it was.
        candidates += (known ?? []).filter(\.isGone).compactMap { $0.drawn(by: others) }
        for (twin, renderer) in candidates where twin.content == search.fingerprint.content {
            guard twin.type == subject.mimeType, isNamedAlike(twin, open.item),
                await isSame(twin, search, open),
                let previews = await copy(twin, to: subject, search.size, order)
            else { continue }
            if twin.isGone, let old = uri(of: twin),
                (try? await desk.thread.run { () throws(PluginError) in
                    try search.catalog.adopt(gone: twin.id, as: search.record)
                }) == true
            {
                // One that comes back to its own place has just been given what would be deleted here.
                if old != subject.uri {
                    for preview in twin.previews { cache.remove(preview, of: old) }
                    noteMove(from: old, to: subject.uri, source: twin.source)
                }
            }
            return (previews, twin.origin, renderer)
        }
        return nil
    }

    /// Whether the names of two files with the same bytes make no difference, as they do where something is packed.
    private func isNamedAlike(_ twin: Twin, _ item: Item) -> Bool {
        let scheme = (try? SourceURI(twin.source))?.scheme ?? ""
        return packedType(twin.path.name, in: scheme) == packedType(item.path.name, in: item.storage.source.scheme)
    }

    /// Whether two files with the same samples are the same.
    private func isSame(_ twin: Twin, _ search: TwinSearch, _ open: OpenItem) async -> Bool {
        // Who knows a file can make another one with its hashes, which is why bytes are compared wherever they can be.
        // Of what is gone, or very large, nothing but the time can be asked besides.
        if twin.isGone || search.size > ContentHash.comparisonLimit {
            return twin.modified != nil && twin.modified == open.entry.modified
        }
        guard let root = try? SourceURI(twin.source),
            let storage = try? await storages.storage(for: root, BackendSettings()),
            let other = try? await storage.open(twin.path), other.entry.size == search.size,
            other.entry.modified == twin.modified, let descriptor = other.fileDescriptor
        else { return false }
        let (source, mine, size) = (open.source, search.descriptor, search.size)
        let isSame = try? await storage.watch.run("comparing '\(DisplayText.of(twin.path.bytes))'") {
            await AsideThread.run {
                withExtendedLifetime((source, other)) { ContentHash.isSame(mine, descriptor, size: size) }
            }
        }
        return isSame == true
    }

    private func copy(_ twin: Twin, to subject: Subject, _ size: Int64, _ order: RenderOrder) async -> [Preview]? {
        guard let uri = uri(of: twin) else { return nil }
        let source = Subject(uri: uri, modified: twin.modified, size: size)
        var previews: [Preview] = []
        for wanted in order.sizes {
            let (variant, embedded) = (order.variant, order.embedded)
            guard let bytes = cache.storedSize(of: source, size: wanted, variant: variant, embedded: embedded),
                let reserved = try? await keeper.reserve(bytes, waitsForCount: true),
                let path = try? cache.copy(
                    source, to: subject, size: wanted, variant: variant, embedded: embedded, reserved: reserved)
            else { return nil }
            previews.append(Preview(uri: subject.uri, size: wanted, path: path, variant: variant))
        }
        cache.forgetFailure(of: subject)
        return previews
    }

    private func uri(of twin: Twin) -> String? { (try? SourceURI(twin.source))?.appending(twin.path) }

    /// Tells who listens that an item is at another place.
    func noteMove(from old: String, to new: String, source: String) {
        departures.found(from: old)
        hub.send(.moved(from: old, uri: new, source: source))
        configuration.onMoved?(old, new)
    }
}

extension Twin {
    /// It, and which of these renderers drew it, in the version that is installed now; `nil` when none did.
    fileprivate func drawn(by renderers: ArraySlice<InstalledPlugin>) -> (Twin, InstalledPlugin)? {
        renderers.first { renderer?.name == $0.manifest.id && renderer?.version == $0.manifest.version }.map {
            (self, $0)
        }
    }
}
