extension PreviewCache {
    /// What an entry says; `nil` when it is gone or damaged.
    /// - Parameter path: an entry that ``lookup(_:size:variant:embedded:marksUse:)`` found.
    public func details(ofEntry path: String) -> EntryDetails? {
        guard let facts = EntryFacts(path: path) else { return nil }
        return EntryDetails(
            facts: facts.facts, areFactsComplete: facts.areComplete, embedded: facts.embedded,
            isDurationExact: facts.isExact, itemSize: facts.size, mimeType: facts.mimeType,
            placeholder: facts.placeholder)
    }
}
