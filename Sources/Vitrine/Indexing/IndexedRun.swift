import Catalog
import Glibc
import PreviewCache
import VitrineKit

/// What one run has to do with the catalog.
struct IndexedRun: Sendable {
    let catalog: Catalog
    /// What the run wants of the items; `nil` when it only looks.
    let plan: PlanID?
    /// Writes down what became of them; `nil` when the run only looks.
    let book: RunBook?

    /// The URI of the source that a folder belongs to, or would become.
    func name(of uri: SourceURI) throws(PluginError) -> String {
        let known = try catalog.sources().map(\.uri).filter { text in
            (try? SourceURI(text)).flatMap { uri.path(below: $0) } != nil
        }
        return known.min { $0.utf8.count < $1.utf8.count } ?? uri.text
    }

    /// The source that the catalog has a folder in, and where in it: the largest that it knows, or a new one, which takes
    /// in those that lie in it.
    func place(of uri: SourceURI) throws(PluginError) -> (source: SourceRecord, base: ItemPath) {
        let known = try catalog.sources()
        var best: (source: SourceRecord, base: ItemPath)?
        for record in known {
            guard let root = try? SourceURI(record.uri), let base = uri.path(below: root) else { continue }
            if best.map({ $0.source.uri.utf8.count > record.uri.utf8.count }) ?? true { best = (record, base) }
        }
        if let best { return best }
        let source = try catalog.source(uri.text)
        for record in known {
            guard let inner = try? SourceURI(record.uri), let path = inner.path(below: uri) else { continue }
            try catalog.absorb(record, into: source, at: path)
        }
        return (source, .root)
    }
}

extension SourceURI {
    /// Where this source lies in another one; `nil` when it does not.
    func path(below root: SourceURI) -> ItemPath? {
        guard scheme == root.scheme, authority == root.authority, query == root.query,
            let own = try? ItemPath(path.drop { $0 == UInt8(ascii: "/") }),
            let base = try? ItemPath(root.path.drop { $0 == UInt8(ascii: "/") })
        else { return nil }
        return own.below(base)
    }
}
