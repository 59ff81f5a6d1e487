public import Catalog
public import PreviewCache
import Synchronization
public import VitrineKit

/// Previews that housekeeping deleted, to be forgotten by the catalog, so that the next run makes them again.
public final class LostPreviews: Sendable {
    private struct Kind: Hashable {
        var size: Int
        var variant: String
    }
    private let keys = Mutex<[Kind: Set<UInt64>]>([:])

    /// None so far.
    public init() {}

    /// Takes one. May be called from any thread.
    public func add(_ entry: RemovedEntry) {
        guard !entry.isFailure, let size = entry.size, let key = CacheWitness.key(entry.name.utf8) else { return }
        keys.withLock { _ = $0[Kind(size: size.pixels, variant: entry.variant), default: []].insert(key) }
    }

    /// Tells a catalog.
    public func tell(_ catalog: Catalog) throws(PluginError) {
        let lost = keys.withLock { keys in
            defer { keys = [:] }
            return keys
        }
        for (kind, keys) in lost {
            _ = try catalog.forgetPreviews(size: kind.size, variant: kind.variant) { !keys.contains($0) }
        }
    }
}
