import Glibc

/// One collection: a walk that deletes what has no use any more and remembers the rest, then deletes what was not used
/// for the longest time until the quota is met.
struct Collector {
    private let cache: PreviewCache
    private let tree: CacheTree
    private let options: CollectionOptions
    private let volumes = VolumeTable.current
    private let now: UInt32
    private var remover: EntryRemover
    private var records: [EntryRecord] = []

    init(_ cache: PreviewCache, _ options: CollectionOptions, _ onRemoved: ((RemovedEntry) -> Void)?) {
        self.cache = cache
        self.options = options
        tree = CacheTree(cache)
        now = UInt32(clamping: time(nil))
        remover = EntryRemover(tree: tree, isDryRun: options.isDryRun, onRemoved: onRemoved)
    }

    /// Does it.
    mutating func run() -> CollectionReport {
        let before = cache.usage.read()
        if !options.isDryRun { remover.report.abandoned = cache.removeAbandonedFiles() }
        // Other processes store meanwhile: what the walk met of that counts twice, which errs to the safe side.
        tree.walk { take($0, $1, $2) }
        let counted = records.reduce(0) { $0 + $1.occupied }
        var total = counted
        if !options.isDryRun {
            let stamp = Int64(now)
            cache.usage.update { usage in
                let since = usage.flatMap { after in before.map { after.bytes - $0.bytes } } ?? 0
                usage = UsageFile.Usage(bytes: counted + max(0, since), counted: stamp)
                total = counted + max(0, since)
            }
        }
        if let limit = options.quota.bytes { evict(total, until: max(0, limit - options.room)) }
        if !options.isDryRun, options.scope == .everything {
            tree.removeEmptyFolders()
            for case .failures(let name) in tree.places where isEarlier(name) { tree.removeFailureFolder(name) }
        }
        for record in records { remover.report.kept.add(record) }
        remover.report.links = tree.links
        return remover.report
    }

    private mutating func take(_ record: EntryRecord, _ folder: OpenFolder, _ name: String) {
        let place = tree.places[Int(record.place)]
        var isOurs = place == .own
        if case .failures(let program) = place {
            isOurs = program.hasPrefix("vitrine-")
            if isEarlier(program), remover.remove(record, folder, name, nil, .outdated) { return }
        }
        var facts: EntryFacts?
        if options.scope == .everything || !isOurs {
            facts = EntryFacts(name, in: folder)
            isOurs = isOurs || facts?.isOurs == true
        }
        if let reason = reason(record, facts, isOurs: isOurs),
            reason != .orphaned || options.isSpared?(name) != true,
            remover.remove(record, folder, name, facts, reason)
        {
            return
        }
        if isOurs { records.append(record) } else { remover.report.foreign.add(record) }
    }

    /// Why an entry has no use any more; `nil` when it has. Of other programs' entries only those go whose file was
    /// deleted, as the thumbnail standard says; what they keep besides, and for how long, is theirs.
    private func reason(_ record: EntryRecord, _ facts: EntryFacts?, isOurs: Bool) -> RemovedEntry.Reason? {
        let idle = now - min(record.lastUse, now)
        if isOurs, let age = options.quota.age, Int64(idle) > age { return .unused }
        guard options.scope == .everything, let facts, let uri = facts.uri,
            !options.absent.contains(where: { CacheURI.is(uri, atOrBelow: $0) })
        else { return nil }
        switch OriginalFile.look(at: uri, volumes) {
        case .unknown: return nil
        case .gone: return .orphaned
        case .present(let modified, let size):
            let isSame = facts.modified == modified && (facts.size ?? size) == size
            return isOurs && !isSame ? .stale : nil
        }
    }

    /// Whether a folder of failures is that of an earlier version of Vitrine. A later one may be installed beside this
    /// one, and needs its own.
    private func isEarlier(_ folder: String) -> Bool {
        let prefix = "vitrine-"
        guard folder.hasPrefix(prefix) else { return false }
        func numbers(_ text: some StringProtocol) -> [Int]? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
            return parts.contains(nil) ? nil : parts.compactMap(\.self)
        }
        guard let theirs = numbers(folder.dropFirst(prefix.count)), let ours = numbers(cache.version) else {
            return false
        }
        return theirs.lexicographicallyPrecedes(ours)
    }

    /// Deletes what was not used for the longest time.
    private mutating func evict(_ total: Int64, until target: Int64) {
        guard total > target else { return }
        let now = now
        // A time in the future is a clock that was wrong once; such an entry counts as used just now.
        records.sort { (min($0.lastUse, now), $0.fraction) < (min($1.lastUse, now), $1.fraction) }
        var rest = total
        var freed: Int64 = 0
        var kept: [EntryRecord] = []
        for (index, record) in records.enumerated() {
            guard rest > target else {
                kept += records[index...]
                break
            }
            guard evict(record) else {
                kept.append(record)
                continue
            }
            rest -= record.occupied
            freed += record.occupied
            // Those who wait for room go on as soon as there is some.
            if freed > 1 << 20 { settle(&freed) }
        }
        settle(&freed)
        records = kept
    }

    private mutating func evict(_ record: EntryRecord) -> Bool {
        let name = record.name
        guard let folder = tree.folder(of: record, name: name) else { return false }
        let facts = remover.onRemoved == nil ? nil : EntryFacts(name, in: folder)
        return remover.remove(record, folder, name, facts, .evicted)
    }

    private func settle(_ freed: inout Int64) {
        guard !options.isDryRun, freed > 0 else { return }
        cache.account(-freed)
        freed = 0
    }
}
