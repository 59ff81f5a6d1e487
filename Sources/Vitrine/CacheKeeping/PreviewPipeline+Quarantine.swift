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
            places.contains { CacheURI.is(item.uri, atOrBelow: $0) }
        }
    }

    /// Renders exactly these items again. A failure is forgotten when its item was rendered after all, or is no longer
    /// there; what cannot be reached keeps its own, and so does all else when the run is stopped.
    /// - Parameters:
    ///   - items: as ``quarantine(below:)`` told them.
    ///   - options: the sizes to make.
    /// - Returns: what was done. ``RunSummary/failedSources`` are the items that cannot be reached now.
    public func retry(
        _ items: [QuarantinedItem], _ options: PrebuildOptions = PrebuildOptions()
    ) async -> RunSummary {
        var options = options
        options.force = true
        var summary = await prebuild(items.compactMap { try? SourceURI($0.uri) }, options)
        var mounted: [String: Bool] = [:]
        for item in summary.failedSources where item.error.code == .notFound {
            guard let folder = try? ItemLocation(item: SourceURI(item.uri)).source else { continue }
            let isThere = if let known = mounted[folder.text] { known } else { await isMounted(folder) }
            mounted[folder.text] = isThere
            guard isThere else { continue }
            cache.forgetFailure(of: item.uri)
            summary.gone.append(item.uri)
        }
        let gone = Set(summary.gone)
        summary.failedSources.removeAll { gone.contains($0.uri) }
        return summary
    }

    /// Whether the disk of a folder is there, as far as can be told: where the folder itself is missing, the nearest one
    /// above it must hold something. A folder without anything may be where a disk is mounted at other times.
    private func isMounted(_ folder: SourceURI) async -> Bool {
        let settings = BackendSettings(followsLinks: true, crossesFileSystems: true)
        var place = folder
        while true {
            do throws(PluginError) {
                let storage = try await storages.storage(for: place, settings)
                guard place != folder else {
                    _ = try await storage.stat(.root)
                    return true
                }
                for try await page in storage.list(.root) where !page.isEmpty { return true }
                return false
            } catch {
                guard error.code == .notFound, let above = try? ItemLocation(item: place).source else { return false }
                place = above
            }
        }
    }
}
