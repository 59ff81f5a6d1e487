public import Library
public import VitrineKit

extension UserLibrary {
    /// Registers a source at another place, where ``PreviewPipeline/move(_:to:besides:force:)`` has brought what is known of
    /// it, and lets notes, favourites and places in collections follow: of its items, of members of archives there, and
    /// also of what no run has seen.
    /// - Parameters:
    ///   - source: as it is registered.
    ///   - new: where it is now.
    ///   - others: the user's other sources. What is kept about items of those that lie in the old folder stays.
    /// - Throws: as `Library.moveSource` does.
    public func moveSource(
        _ source: RegisteredSource, to new: SourceURI, besides others: [RegisteredSource]
    ) throws(PluginError) {
        let old = try SourceURI(source.uri)
        let inner = others.compactMap { try? SourceURI($0.uri) }.filter { $0 != old && $0.path(below: old) != nil }
        try library.moveSource(source.name, to: new) { item in
            (try? SourceURI(item)).flatMap { $0.moved(from: old, to: new, besides: inner) }
        }
    }
}

extension SourceURI {
    /// Where this source lies once a folder around it is at another place.
    /// - Parameters:
    ///   - new: where that folder is now.
    ///   - old: where it was.
    /// - Returns: `nil` for one that does not lie in it.
    public func placed(at new: SourceURI, from old: SourceURI) -> String? { moved(from: old, to: new, besides: []) }

    /// The URI that an item has once the folder that it lies in is another one.
    /// - Parameter others: folders that stay, with all that is in them.
    /// - Returns: `nil` for one that lies elsewhere.
    func moved(from old: SourceURI, to new: SourceURI, besides others: [SourceURI]) -> String? {
        if others.contains(where: { path(below: $0) != nil }) { return nil }
        if let path = path(below: old) { return new.appending(path) }
        guard let address = try? ArchiveAddress(self),
            let place = address.archive.moved(from: old, to: new, besides: others),
            let archive = try? SourceURI(place)
        else { return nil }
        return try? ArchiveAddress(archive: archive, path: address.path.bytes).uri.text
    }
}
