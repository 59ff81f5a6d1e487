/// An entry that housekeeping deleted.
public struct RemovedEntry: Hashable, Sendable {
    /// Why it went.
    public enum Reason: String, CaseIterable, Sendable {
        /// The file that it showed was deleted.
        case orphaned
        /// The file that it showed has changed; it would be made anew.
        case stale
        /// Nobody used it for longer than the quota's age.
        case unused
        /// It remembers what an earlier version of Vitrine could not render.
        case outdated
        /// It was the one that was not used for the longest time when space was wanted.
        case evicted
        /// It was damaged.
        case damaged
        /// The user wanted it.
        case cleared
    }

    /// The item's URI; `nil` when the entry does not say.
    public var uri: String?
    /// The preview's size; `nil` for a remembered failure, and when the entry does not say.
    public var size: PreviewSize?
    /// The page or moment, as `Variant.description` writes it; empty for the first page.
    public var variant: String
    /// Whether it was no preview but the memory of a failure.
    public var isFailure: Bool
    /// The file's name, which is the cache's key and `.png`.
    public var name: String
    /// Why it went.
    public var reason: Reason

    init(_ name: String, _ place: CachePlace, _ facts: EntryFacts?, _ reason: Reason) {
        self.name = name
        self.reason = reason
        uri = facts?.uri
        variant = facts?.variant ?? ""
        switch place {
        case .standard(let size): (self.size, isFailure) = (size, false)
        case .own: (size, isFailure) = (facts?.previewSize.flatMap { try? PreviewSize(pixels: $0) }, false)
        case .failures: (size, isFailure) = (nil, true)
        }
    }
}
