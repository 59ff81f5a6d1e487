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
        let copied = isAlike ? try? copies(of: old.previews, from, to: to) : []
        let previews = copied ?? []
        // Those that were not copied, as they are none of this file any more, are for others to delete.
        for preview in isAlike ? previews : old.previews { cache.remove(preview, of: old.uri) }
        if let record = item.record { try? catalog.replacePreviews(of: record, with: previews) }
        return isAlike && previews.count == old.previews.count
    }

    /// Stores previews of an item as those of its new place.
    /// - Parameters:
    ///   - previews: those that are known of it.
    ///   - from: the item at its old place, where they stay.
    ///   - to: the item at its new place.
    /// - Returns: those that are there now: not the ones that were not valid.
    /// - Throws: when the cache takes nothing.
    func copies(
        of previews: [PreviewRecord], _ from: Subject, to: Subject
    ) throws(PluginError) -> [PreviewRecord] {
        guard to.modified != nil else { return [] }
        var copies: [PreviewRecord] = []
        for preview in previews {
            guard let size = try? PreviewSize(pixels: preview.size), let variant = Variant(key: preview.variant)
            else { continue }
            do throws(PluginError) {
                let path = try cache.copy(from, to: to, size: size, variant: variant)
                guard var record = PreviewRecord(Preview(uri: to.uri, size: size, path: path)) else { continue }
                record.variant = preview.variant
                copies.append(record)
            } catch {
                if error.code != .notFound { throw error }
            }
        }
        return copies
    }
}
