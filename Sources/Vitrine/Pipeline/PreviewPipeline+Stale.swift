import Catalog
import PreviewCache
import VitrineKit

extension PreviewPipeline {
    /// Once an item that changed has new previews, those of the sizes that were not asked for are of no use any more.
    func removeStale(_ item: Item, _ subject: Subject, _ order: RenderOrder, _ report: ItemReport) async {
        guard item.mayHaveChanged || report.hadStale, order.stores else { return }
        var known: [(size: PreviewSize, variant: Variant)] = []
        // What the catalog cannot tell goes with the next collection.
        if let record = item.record, let catalog = try? desk.catalog(),
            let records = try? await desk.thread.run(
                unlessBlocking: true, { () throws(PluginError) in try catalog.previews(of: record) })
        {
            known = records.compactMap { record in
                guard let size = try? PreviewSize(pixels: record.size), let variant = Variant(key: record.variant)
                else { return nil }
                return (size, variant)
            }
        }
        // Those that were made just now are not of an earlier state.
        cache.removeStale(of: subject, besides: order.variant == .standard ? order.sizes : [], known: known)
    }
}
