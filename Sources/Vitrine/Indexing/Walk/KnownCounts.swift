import Catalog

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

    func tallies(_ titles: [RendererID: String]) -> [Tally] {
        counts.map { Tally(title: $0.key.renderer.flatMap { titles[$0] }, state: $0.key.state, count: $0.value) }
    }
}
