import Catalog
import VitrineKit

/// Files of one folder that need no work: nothing changed since they were brought to where the run wants them.
struct KnownItems: Sendable {
    /// The folder's URI.
    var folder: String
    /// The source's URI.
    var source: String
    /// How they ended.
    var tallies: [Tally]
    /// Entries that are no items.
    var skipped: Int
    /// Those that have no preview, and why.
    var failures: [(uri: String, error: PluginError)]

    /// How many items there are.
    var count: Int { tallies.reduce(0) { $0 + $1.count } }

    /// Those that have their previews, and what has none and needs none.
    var unchanged: UnchangedFolder {
        func count(_ state: ItemState) -> Int { tallies.reduce(0) { $0 + ($1.state == state ? $1.count : 0) } }
        return UnchangedFolder(
            uri: folder, source: source, valid: count(.made), skipped: skipped + count(.skipped))
    }
}
