import Catalog
import PreviewCache
import VitrineKit

extension PreviewPipeline {
    /// Once an item that has changed, or may have, has new previews in the cache, those of its earlier state in other sizes are
    /// of no use any more.
    ///
    /// Where the cache keeps no new ones, the earlier ones stay as they are, which tell everybody that they are old. But of an
    /// item that is encrypted by now, all go: what it shows is not to lie open any more.
    func removeStale(
        _ item: Item, _ subject: Subject, _ order: RenderOrder, _ report: ItemReport,
        _ outcome: Result<ItemReport.Outcome, PluginError>
    ) async {
        guard order.stores else { return }
        let kept: [PreviewSize]
        switch outcome {
        case .success(.made(let previews)):
            let stored = previews.filter { $0.unkept == nil }
            guard !stored.isEmpty || report.isUnlocked else { return }
            kept = order.variant == .standard ? stored.map(\.size) : []
        case .failure(let error) where [.encrypted, .locked].contains(error.code): kept = []
        default: return
        }
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
        cache.removeStale(of: subject, besides: kept, known: known)
    }
}
