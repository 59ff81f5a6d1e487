import Catalog
import PreviewCache
import VitrineKit

extension PreviewPipeline {
    /// Takes the previews of an item along to its new place.
    /// - Returns: whether it has all that it had; else they have to be made again.
    func move(_ old: MovedItem, to item: Item) -> Bool {
        guard item.entry.modified != nil else { return false }
        let from = Subject(uri: old.uri, modified: item.entry.modified, size: item.entry.size)
        let to = Subject(uri: item.uri, modified: item.entry.modified, size: item.entry.size)
        var isWhole = true
        for preview in old.previews {
            guard let size = try? PreviewSize(pixels: preview.size), preview.variant.isEmpty,
                (try? cache.copy(from, to: to, size: size)) != nil
            else {
                isWhole = false
                continue
            }
            cache.remove(from, size: size)
        }
        return isWhole
    }
}
