import Catalog
import VitrineKit

/// Counts items that need no work.
struct KnownCounts {
    private struct Key: Hashable {
        var renderer: RendererID?
        var state: ItemState
    }
    private var counts: [Key: Int] = [:]
    private(set) var failed: Set<ItemID> = []

    var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ item: ItemID, _ state: ItemState, _ renderer: RendererID?) {
        counts[Key(renderer: renderer, state: state), default: 0] += 1
        if state == .failed { failed.insert(item) }
    }

    /// - Parameter drawer: the renderer of a number.
    func tallies(
        _ drawer: (RendererID) throws(PluginError) -> RendererName?
    ) throws(PluginError) -> [Tally] {
        var tallies: [Tally] = []
        for (key, count) in counts {
            let title = try key.renderer.flatMap(drawer)?.title
            tallies.append(Tally(title: title, state: key.state, count: count))
        }
        return tallies
    }
}
