public import Catalog
public import VitrineKit

extension Catalog {
    /// Where a folder or file lies in a source that the catalog knows; `nil` when it was never indexed. The largest source
    /// that holds it counts, as it does when it is indexed.
    /// - Parameter uri: a canonical URI.
    public func place(of uri: SourceURI) throws(PluginError) -> (source: SourceRecord, path: ItemPath)? {
        var best: (source: SourceRecord, path: ItemPath)?
        for record in try sources() {
            guard let root = try? SourceURI(record.uri), let path = uri.path(below: root) else { continue }
            if best.map({ $0.source.uri.utf8.count > record.uri.utf8.count }) ?? true { best = (record, path) }
        }
        return best
    }

    /// Whether an item or a folder is known: as one that is there, or as an item that vanished and may come back.
    /// - Parameter uri: a canonical URI.
    public func hasSeen(_ uri: SourceURI) throws(PluginError) -> Bool {
        guard let (source, path) = try place(of: uri) else { return false }
        return try hasSeen(path, in: source)
    }

    /// The items of some URIs that the catalog knows.
    public func items(_ uris: some Sequence<String>) throws(PluginError) -> Set<ItemID> {
        var items: Set<ItemID> = []
        for uri in uris {
            guard let uri = try? SourceURI(uri), let place = try place(of: uri),
                let item = try item(place.path, in: place.source)
            else { continue }
            items.insert(item)
        }
        return items
    }
}
