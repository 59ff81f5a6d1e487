public import Catalog
public import Library
public import VitrineKit

/// What the catalog knows of a source that a user registered.
public struct SourceStatus: Hashable, Sendable {
    /// How the last look at it went; `nil` when it was never looked at by itself. Interrupted and never checked is one whose
    /// first look has not come to an end.
    public var look: SourceLook?
    /// Its items by how the work on them ended, those of other registered sources in it not counted.
    public var counts: [ItemState: Int]

    /// Nothing is known.
    public init() { counts = [:] }

    /// How many files it has.
    public var files: Int { counts.values.reduce(0, +) }

    /// Asks a catalog about a source. Takes some milliseconds for each 100,000 items.
    /// - Parameters:
    ///   - uri: the source.
    ///   - registered: all of the user's sources.
    ///   - catalog: what runs found.
    public init(of uri: SourceURI, among registered: [RegisteredSource], in catalog: Catalog) throws(PluginError) {
        look = try catalog.look(at: uri.text)
        // A run that is at work for the first time, or was killed, has said nothing yet.
        if look == nil, let known = try catalog.knownSource(uri.text), known.state != .left {
            look = SourceLook(state: .interrupted)
        }
        counts = [:]
        let inner = registered.compactMap { try? SourceURI($0.uri) }
            .filter { $0 != uri && $0.path(below: uri) != nil }
        for record in try catalog.sources() {
            guard let root = try? SourceURI(record.uri) else { continue }
            // The catalog's source is this one, holds it, or lies in it.
            guard let base = uri.path(below: root) ?? (root.path(below: uri) == nil ? nil : .root),
                !inner.contains(where: { root.path(below: $0) != nil })
            else { continue }
            let found = try catalog.counts(below: base, of: record, besides: inner.compactMap { $0.path(below: root) })
            counts.merge(found) { $0 + $1 }
        }
    }
}
