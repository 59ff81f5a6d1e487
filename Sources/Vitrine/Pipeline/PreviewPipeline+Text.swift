import Catalog
import PluginHost
import VitrineKit

// Documents whose previews were there before a run opened them, as `get` and file managers leave them: nothing is known of
// their texts.
extension PreviewPipeline {
    /// Reads the text of such a document, for the catalog. Every one is opened once: what does not succeed is left.
    ///
    /// What lies on servers is not read for it.
    /// - Parameters:
    ///   - item: one with valid previews.
    ///   - type: what its name says that it is.
    ///   - renderer: who draws such files.
    ///   - report: takes the text; or that it is still to be read, when the run is stopped.
    func readText(
        of item: Item, _ type: String, _ renderer: InstalledPlugin?, _ order: RenderOrder, _ urgency: Urgency,
        _ report: inout ItemReport
    ) async {
        guard order.wantsText, order.variant.isFirst, let record = item.record, item.storage.localRoot != nil,
            let renderer, renderer.foreign == nil, Self.mayHoldText(type), let catalog = try? desk.catalog()
        else { return }
        let isUnread = try? await desk.thread.run(unlessBlocking: true) { () throws(PluginError) in
            try catalog.isUnread(record)
        }
        guard isUnread == true else { return }
        var wanted = RenderOrder(sizes: [.normal], priority: order.priority, force: true, stores: false)
        (wanted.wantsText, wanted.mayAsk, wanted.limits) = (true, false, order.limits)
        // Not as the catalog's: nothing that it knows is to be changed on the way.
        let reading = await process(Item(storage: item.storage, path: item.path, entry: item.entry), wanted, urgency)
        if case .failed(let error, _) = reading.outcome, error.code == .cancelled {
            report.lacksText = true
            return
        }
        report.type = reading.type
        guard case .made = reading.outcome else { return }
        report.facts = reading.facts
        report.wasRead = true
    }

    /// Whether files of a type may hold words: opening all pictures and films for nothing would take long.
    private static func mayHoldText(_ type: String) -> Bool {
        if type.hasPrefix("image/vnd.djvu") { return true }
        return !["image/", "video/", "audio/", "model/", "font/"].contains { type.hasPrefix($0) }
    }
}
