extension PreviewCache {
    /// Deletes what Vitrine made, previews and remembered failures. Other programs' thumbnails stay.
    /// - Parameters:
    ///   - places: URIs of files and folders; only what they are or hold, on the server that their query names, if they have
    ///     one. Default: everything.
    ///   - others: URIs of files and folders in these places; what they are or hold stays. Default: none.
    ///   - ignoresQueries: whether the places are those of all servers that queries name. Default: no.
    ///   - ownOnly: only the own store; what file managers show stays. Default: no.
    ///   - isDryRun: deletes nothing, and tells what would go. Default: no.
    ///   - onRemoved: called on this thread for each entry that went, or would go.
    @discardableResult
    public func clear(
        below places: [String] = [], besides others: [String] = [], ignoresQueries: Bool = false,
        ownOnly: Bool = false, isDryRun: Bool = false, onRemoved: ((RemovedEntry) -> Void)? = nil
    ) -> CollectionReport {
        let tree = CacheTree(self)
        var remover = EntryRemover(tree: tree, isDryRun: isDryRun, onRemoved: onRemoved)
        tree.walk { record, folder, name in
            let place = tree.places[Int(record.place)]
            var isOurs = place == .own
            if case .failures(let program) = place { isOurs = program.hasPrefix("vitrine-") }
            if ownOnly, place != .own { return }
            var facts: EntryFacts?
            if !isOurs || !(places.isEmpty && others.isEmpty) || onRemoved != nil {
                facts = EntryFacts(name, in: folder)
                isOurs = isOurs || facts?.isOurs == true
            }
            func lies(in places: [String]) -> Bool {
                facts?.uri.map { uri in
                    places.contains { CacheURI.is(uri, atOrBelow: $0, ignoresQuery: ignoresQueries) }
                } ?? false
            }
            let isWanted = (places.isEmpty || lies(in: places)) && !lies(in: others)
            if !isOurs {
                remover.report.foreign.add(record)
            } else if !isWanted || !remover.remove(record, folder, name, facts, .cleared) {
                remover.report.kept.add(record)
            }
        }
        if !isDryRun {
            account(-remover.report.total.occupied)
            tree.removeEmptyFolders()
            for case .failures(let name) in tree.places where name.hasPrefix("vitrine-") {
                tree.removeFailureFolder(name)
            }
        }
        remover.report.links = tree.links
        return remover.report
    }
}
