import Catalog
import Synchronization
public import VitrineKit

/// One file of a source.
public final class Item: Sendable {
    /// Where its bytes come from.
    public let storage: Storage
    /// Where it lies in its source.
    public let path: ItemPath
    /// What the storage said of it when it was listed.
    public let entry: Entry
    /// Its number in the catalog, if it came from there.
    let record: ItemID?
    /// Whether the catalog may know it from an earlier state, of which there may be previews.
    let mayHaveChanged: Bool
    /// Whether the catalog knew it at another place, from which its previews came along.
    let wasMoved: Bool
    /// Who drew its previews, if the catalog knows that of what it is now.
    let drawer: RendererName?
    private let knownURI = Mutex<String?>(nil)

    /// Creates an item from a listing.
    public convenience init(storage: Storage, path: ItemPath, entry: Entry) {
        self.init(storage: storage, path: path, entry: entry, record: nil)
    }

    /// Creates an item that the catalog knows.
    init(
        storage: Storage, path: ItemPath, entry: Entry, record: ItemID?, mayHaveChanged: Bool = false,
        wasMoved: Bool = false, drawer: RendererName? = nil
    ) {
        self.storage = storage
        self.path = path
        self.entry = entry
        self.record = record
        self.mayHaveChanged = mayHaveChanged
        self.wasMoved = wasMoved
        self.drawer = drawer
    }

    /// Its URI, which is its name in the cache and in progress. Made when it is first asked for: very many items wait for
    /// their turn.
    public var uri: String {
        knownURI.withLock { known in
            if let known { return known }
            let uri = storage.source.appending(path)
            known = uri
            return uri
        }
    }
}
