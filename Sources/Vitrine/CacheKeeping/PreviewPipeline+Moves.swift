import Catalog
import PreviewCache
import VitrineKit

extension PreviewPipeline {
    /// The same where the catalog is asked.
    func moved(_ old: MovedItem, to item: Item, _ index: IndexedRun) async -> Bool {
        (try? await index.thread.run { () throws(PluginError) in self.move(old, to: item, index.catalog) }) == true
    }

    /// What is told of an item that has taken its previews along.
    /// - Parameter order: which of them are asked for.
    func reportOfMoved(_ item: Item, _ order: RenderOrder) -> ItemReport {
        let subject = Subject(uri: item.uri, modified: item.entry.modified, size: item.entry.size)
        return ItemReport(item, .valid(valid(subject, order) ?? []))
    }

    /// Takes the previews of an item along to its new place.
    /// - Returns: whether it has all that it had; else they have to be made again.
    func move(_ old: MovedItem, to item: Item, _ catalog: Catalog) -> Bool {
        if old.uri == item.uri { return true }
        noteMove(from: old.uri, to: item.uri, source: item.storage.source.text)
        cache.forgetFailure(of: old.uri)
        guard item.entry.modified != nil else { return false }
        let from = Subject(uri: old.uri, modified: item.entry.modified, size: item.entry.size)
        let to = Subject(uri: item.uri, modified: item.entry.modified, size: item.entry.size)
        let scheme = item.storage.source.scheme
        // What is packed is drawn as what its name says.
        let isAlike = packedType(old.name, in: old.scheme) == packedType(item.path.name, in: scheme)
        var isWhole = isAlike
        var previews: [PreviewRecord] = []
        for preview in old.previews {
            guard let size = try? PreviewSize(pixels: preview.size), let variant = Variant(key: preview.variant) else {
                isWhole = false
                continue
            }
            if !isAlike {
                cache.remove(from, size: size, variant: variant)
                continue
            }
            guard let path = try? cache.copy(from, to: to, size: size, variant: variant),
                var record = PreviewRecord(Preview(uri: to.uri, size: size, path: path))
            else {
                isWhole = false
                continue
            }
            record.variant = preview.variant
            previews.append(record)
            cache.remove(from, size: size, variant: variant)
        }
        if let record = item.record { try? catalog.replacePreviews(of: record, with: previews) }
        return isWhole
    }
}
