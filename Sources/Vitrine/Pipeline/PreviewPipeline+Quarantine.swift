public import PreviewCache
import VitrineKit

// Items that failed and are left alone.
extension PreviewPipeline {
    /// The failures that are remembered.
    /// - Parameter places: URIs of items and folders; only these and what lies below them is told. Default: everything.
    public func quarantine(below places: [String] = []) -> [QuarantinedItem] {
        let items = cache.quarantine()
        if places.isEmpty { return items }
        return items.filter { item in
            places.contains { place in
                let folder = place.hasSuffix("/") ? place : place + "/"
                return item.uri == place || item.uri.hasPrefix(folder)
            }
        }
    }

    /// Renders exactly these items again. A failure is forgotten when its item was rendered after all, or is no longer
    /// there; a run that is stopped forgets no other.
    /// - Parameters:
    ///   - items: as ``quarantine(below:)`` told them.
    ///   - options: the sizes to make.
    /// - Returns: what was done.
    public func retry(
        _ items: [QuarantinedItem], _ options: PrebuildOptions = PrebuildOptions()
    ) async -> RunSummary {
        var options = options
        options.force = true
        var summary = await prebuild(items.compactMap { try? SourceURI($0.uri) }, options)
        let gone = summary.failedSources.filter { $0.error.code == .notFound }.map(\.uri)
        for uri in gone { cache.forgetFailure(of: uri) }
        summary.failedSources.removeAll { gone.contains($0.uri) }
        return summary
    }
}
