import Catalog
import VitrineKit

/// What a walk meets, for those who work on it.
enum WalkStep: Sendable {
    /// A regular file that has to be worked on.
    case item(Item)
    /// A file that is at another place than before: its previews go with it, and if that cannot be, it is worked on.
    case moved(Item, MovedItem)
    /// Files of one folder that need no work.
    case known(KnownItems)
    /// Something that no preview is made of, and why.
    case skipped(uri: String, source: String, PluginError)
    /// A folder that could not be listed to its end.
    case failed(uri: String, source: String, PluginError)
}

/// What was known of a file at its old place.
struct MovedItem: Sendable {
    /// Its old URI.
    var uri: String
    /// Its old name.
    var name: [UInt8]
    /// The scheme of its old source.
    var scheme: String
    /// The previews that it had there.
    var previews: [PreviewRecord]
    /// Whether the work on it had come to an end that still counts.
    var isSettled: Bool
    /// What people call such items, if that is known.
    var title: String?
}

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
