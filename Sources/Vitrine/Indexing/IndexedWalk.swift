import Catalog
import IgnoreRules
import VitrineKit

/// Goes through a source with the catalog at hand: enters what changed, and passes over what did not.
///
/// Folders are asked for in batches. One whose digest and rules are what they were is not listed, and none of its files
/// is looked at; of any other one the listing is merged into the catalog. What was not seen because a folder could not
/// be listed, or a disk is not mounted, stays in the catalog as it was.
///
/// Memory is bounded by the depth of the tree, the width of its levels and the entries of a batch.
struct IndexedWalk {
    /// What is visited and what is left out.
    let walk: SourceWalk
    let catalog: Catalog
    let source: SourceRecord
    /// Where the storage's root lies in the catalog's source: a folder that is walked may be part of a larger source.
    let base: ItemPath
    /// What the run wants of the items; `nil` when nothing is to be done with them.
    var plan: PlanID?
    /// Whether items are worked on that need it not.
    var force = false
    /// Seconds since 1970.
    let now: Int64
    /// Told of items that vanished, while the catalog is busy.
    var removed: @Sendable (ItemPath) -> Void = { _ in }

    private(set) var summary = IndexSummary()
    /// Folders whose items may all be settled once the run is over.
    private(set) var touched: Set<FolderID> = []
    /// The first folder that could not be listed, and why.
    private(set) var failure: (folder: ItemPath, error: PluginError)?
    private var pending: [Place] = []

    /// A folder to be looked at, and the rules of the folder above it.
    private struct Place {
        var folder: FolderRecord
        /// Where it lies in the storage.
        var path: ItemPath
        var above: IgnoreRules
    }

    /// Who takes the steps, one after the other; returns whether to go on.
    typealias Visitor = (WalkStep) async -> Bool

    init(
        _ walk: SourceWalk, _ catalog: Catalog, _ source: SourceRecord, base: ItemPath, plan: PlanID?, now: Int64
    ) {
        self.walk = walk
        self.catalog = catalog
        self.source = source
        self.base = base
        self.plan = plan
        self.now = now
    }

    private var storage: Storage { walk.storage }

    /// Walks.
    /// - Parameter visit: takes the steps.
    /// - Throws: what is wrong with the catalog; or `offline` when the source is there no more.
    mutating func run(_ visit: Visitor) async throws(PluginError) {
        if let reason = walk.filter.objection(toRootOf: storage, .root) {
            _ = await visit(.skipped(uri: uri(base), source: name, reason))
            return
        }
        var root = try catalog.folder(base, in: source)
        if root.digest != nil, let lost = try await lostMount(root) { throw lost }
        root.volume = try await storage.stat(.root).volume
        let volume = walk.crossesFileSystems ? nil : root.volume
        if let local = storage.localRoot {
            try catalog.note(isMountPoint: FileSystemRoot.isMountPoint(local), of: root.id)
        }
        pending = [Place(folder: root, path: .root, above: walk.filter.rules)]
        while !pending.isEmpty {
            if Task.isCancelled { return }
            let batch = Array(pending.suffix(Storage.snapshotLimit).reversed())
            pending.removeLast(batch.count)
            let answers = await storage.snapshots(
                of: batch.map { place in
                    let isKnown = place.folder.rules == rulesDigest(place) && !place.folder.isMountMissing
                    return SnapshotRequest(folder: place.path, known: isKnown ? place.folder.digest : nil)
                })
            guard try await take(batch, answers, volume, visit) else { return }
        }
    }

    /// The source as the run knows it.
    private var name: String { storage.source.text }

    /// Where a path of the catalog lies in the storage; `nil` when it is outside of it.
    private func local(_ path: ItemPath) -> ItemPath? { path.below(base) }

    private func uri(_ path: ItemPath) -> String { local(path).map(storage.source.appending) ?? "" }

    private func rulesDigest(_ place: Place) -> UInt64 {
        walk.filter.digest(place.above.entering(place.path)) ^ (walk.crossesFileSystems ? 1 : 0)
    }

    /// Takes the answers for a batch.
    /// - Returns: whether to go on.
    private mutating func take(
        _ batch: [Place], _ answers: [Result<FolderSnapshot, PluginError>], _ volume: UInt64?, _ visit: Visitor
    ) async throws(PluginError) -> Bool {
        var listed: [ListedFolder] = []
        var below: [[Place]] = []
        for (place, answer) in zip(batch, answers) {
            summary.folders += 1
            below.append([])
            switch answer {
            case .failure(let error):
                if error.code == .cancelled { return false }
                guard await fail(place, error, visit) else { return false }
            case .success(let snapshot):
                switch snapshot.content {
                case .unchanged:
                    summary.unchangedFolders += 1
                    guard let rules = await rules(of: place, visit) else { continue }
                    guard try await pass(place, visit) else { return false }
                    below[below.count - 1] = try places(below: place, rules)
                case .entries(let entries):
                    let seen = SeenEntries(pages: [entries], isAll: true)
                    guard let folder = await sorted(place, entries, snapshot.digest, volume, seen, visit) else {
                        continue
                    }
                    listed.append(folder)
                case .tooMany:
                    guard try await page(place, snapshot.digest, volume, visit) else { return false }
                @unknown default: break
                }
            }
        }
        guard try await merge(listed, visit) else { return false }
        for folder in listed {
            guard let index = batch.firstIndex(where: { $0.folder.id == folder.place.folder.id }) else { continue }
            below[index] = try places(below: folder.place, folder.rules)
        }
        // The last one pushed is walked first: names come in order.
        for places in below.reversed() { pending += places.reversed() }
        return true
    }

    private func places(below place: Place, _ rules: IgnoreRules) throws(PluginError) -> [Place] {
        try catalog.folders(in: place.folder).compactMap { folder in
            guard let path = local(folder.path), !isOther(path) else { return nil }
            return Place(folder: folder, path: path, above: rules)
        }
    }

    /// Whether a folder is a source of its own.
    private func isOther(_ path: ItemPath) -> Bool {
        !walk.others.isEmpty && walk.others.contains(storage.source.appending(path))
    }

    // MARK: Folders that did not change

    /// The rules in a folder that was not listed; `nil` when they cannot be found out, which was said.
    private mutating func rules(of place: Place, _ visit: Visitor) async -> IgnoreRules? {
        let above = place.above.entering(place.path)
        guard place.folder.hasRules else { return above }
        do throws(PluginError) {
            let seen = SeenEntries(pages: [], isAll: false)
            switch try await walk.filter.opening(place.path, of: storage, above, seen) {
            case .entered(let rules): return rules
            case .passedOver(let reason):
                _ = await visit(.skipped(uri: uri(place.folder.path), source: name, reason))
            }
        } catch { _ = await fail(place, error, visit) }
        return nil
    }

    /// Passes over a folder that did not change, but for its items that were not brought to the plan yet.
    private mutating func pass(_ place: Place, _ visit: Visitor) async throws(PluginError) -> Bool {
        guard let plan else { return true }
        let folder = place.folder
        if folder.plan == plan, !force {
            return await visit(.known(try known(folder, try catalog.tallies(of: folder.id))))
        }
        touched.insert(folder.id)
        var known = KnownCounts()
        var last: [UInt8] = []
        while true {
            let items = try catalog.items(in: folder.id, after: last)
            guard let end = items.last else { break }
            last = end.entry.name
            for record in items {
                if !force, record.state != .pending, record.plan == plan {
                    known.add(record.id, record.state, record.renderer)
                    continue
                }
                let path = try place.path.appending(record.entry.name)
                guard await visit(.item(Item(storage: storage, path: path, entry: record.entry, record: record.id)))
                else { return false }
            }
        }
        return await visit(.known(try self.known(folder, known, skipped: folder.skipped)))
    }

    private func known(_ folder: FolderRecord, _ counts: KnownCounts, skipped: Int) throws(PluginError) -> KnownItems {
        let titles = counts.isEmpty ? [:] : try catalog.titles()
        var items = KnownItems(source: name, tallies: counts.tallies(titles), skipped: skipped, failures: [])
        if !counts.failed.isEmpty {
            items.failures = try catalog.failures(in: folder).filter { counts.failed.contains($0.item) }
                .map { (uri($0.path), $0.error) }
        }
        return items
    }

    private func known(_ folder: FolderRecord, _ tallies: [Tally]) throws(PluginError) -> KnownItems {
        var items = KnownItems(source: name, tallies: tallies, skipped: folder.skipped, failures: [])
        if tallies.contains(where: { $0.state == .failed }) {
            items.failures = try catalog.failures(in: folder).map { (uri($0.path), $0.error) }
        }
        return items
    }
}

/// Counts items that need no work.
private struct KnownCounts {
    private struct Key: Hashable {
        var renderer: RendererID?
        var state: ItemState
    }
    private var counts: [Key: Int] = [:]
    private(set) var failed: Set<ItemID> = []

    var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ item: ItemID, _ state: ItemState, _ renderer: RendererID?) {
        counts[Key(renderer: renderer, state: state), default: 0] += 1
        if state == .failed { failed.insert(item) }
    }

    func tallies(_ titles: [RendererID: String]) -> [Tally] {
        counts.map { Tally(title: $0.key.renderer.flatMap { titles[$0] }, state: $0.key.state, count: $0.value) }
    }
}

extension IndexedWalk {
    /// A folder whose entries are sorted into those that count and others.
    private struct ListedFolder {
        var place: Place
        var rules: IgnoreRules
        var whole: Catalog.WholeFolder
    }

    // MARK: Folders that changed

    /// Sorts a folder's entries; `nil` when it is to be left as it is.
    private mutating func sorted(
        _ place: Place, _ entries: [Entry], _ digest: FolderDigest, _ volume: UInt64?, _ seen: SeenEntries,
        _ visit: Visitor
    ) async -> ListedFolder? {
        let above = place.above.entering(place.path)
        var findings = FolderFindings(digest: digest, rules: rulesDigest(place))
        do throws(PluginError) {
            if place.folder.isMountMissing, entries.isEmpty { throw Self.unmounted }
            switch try await walk.filter.opening(place.path, of: storage, above, seen) {
            case .passedOver(let reason):
                _ = await visit(.skipped(uri: uri(place.folder.path), source: name, reason))
                findings.hasRules = true
                let whole = Catalog.WholeFolder(folder: place.folder, listing: FolderListing(), findings: findings)
                return ListedFolder(place: place, rules: above, whole: whole)
            case .entered(let rules):
                findings.hasRules = rules.digest != above.digest
                let (listing, skipped) = try await sort(entries, place, volume, rules, visit)
                findings.skipped = skipped
                let whole = Catalog.WholeFolder(folder: place.folder, listing: listing, findings: findings)
                return ListedFolder(place: place, rules: rules, whole: whole)
            }
        } catch {
            _ = await fail(place, error, visit)
            return nil
        }
    }

    private func sort(
        _ entries: [Entry], _ place: Place, _ volume: UInt64?, _ rules: IgnoreRules, _ visit: Visitor
    ) async throws(PluginError) -> (FolderListing, skipped: Int) {
        var listing = FolderListing()
        listing.files.reserveCapacity(entries.count)
        var skipped = 0
        for entry in entries {
            let path = try place.path.appending(entry.name)
            if isOther(path) {
                // It has its own turn, and stays known here.
                if entry.kind == .folder { listing.folders.append(FolderListing.Subfolder(name: entry.name)) }
            } else if let reason = walk.objection(to: entry, at: path, volume, rules) {
                skipped += 1
                _ = await visit(.skipped(uri: storage.source.appending(path), source: name, reason))
            } else if entry.kind == .folder {
                listing.folders.append(FolderListing.Subfolder(name: entry.name, volume: entry.volume))
            } else {
                listing.files.append(entry)
            }
        }
        listing.files.sort { $0.name.lexicographicallyPrecedes($1.name) }
        return (listing, skipped)
    }

    private mutating func merge(_ folders: [ListedFolder], _ visit: Visitor) async throws(PluginError) -> Bool {
        if folders.isEmpty { return true }
        let merged = try catalog.merge(folders.map(\.whole), of: source.id, now: now, told: removed)
        for (folder, result) in zip(folders, merged) {
            summary.removed += result.vanished
            var known = KnownCounts()
            guard
                try await step(
                    through: folder.whole.listing.files, result.items, folder.place, &known, visit)
            else { return false }
            guard plan == nil || known.isEmpty else {
                guard await visit(.known(try self.known(folder.place.folder, known, skipped: 0))) else { return false }
                continue
            }
        }
        return true
    }

    /// Merges a folder of very many entries, page by page.
    private mutating func page(
        _ place: Place, _ digest: FolderDigest, _ volume: UInt64?, _ visit: Visitor
    ) async throws(PluginError) -> Bool {
        func each<S: AsyncSequence<[Entry], PluginError>>(
            _ pages: S, _ body: ([Entry]) async throws(PluginError) -> Bool
        ) async throws(PluginError) -> Bool {
            var iterator = pages.makeAsyncIterator()
            while let page = try await iterator.next(isolation: nil) {
                guard try await body(page) else { return false }
            }
            return true
        }
        let folder = place.folder
        let above = place.above.entering(place.path)
        var findings = FolderFindings(digest: digest, rules: rulesDigest(place))
        var rules = above
        do throws(PluginError) {
            switch try await walk.filter.opening(place.path, of: storage, above, SeenEntries(pages: [], isAll: false)) {
            case .entered(let own): rules = own
            case .passedOver(let reason):
                _ = await visit(.skipped(uri: uri(folder.path), source: name, reason))
                findings.hasRules = true
                let merge = try catalog.beginMerge(of: folder, source: source.id)
                summary.removed += try catalog.finish(merge, findings, now: now, told: removed)
                return true
            }
        } catch {
            if error.isOfCatalog { throw error }
            return await fail(place, error, visit)
        }
        findings.hasRules = rules.digest != above.digest
        var merge = try catalog.beginMerge(of: folder, source: source.id)
        var known = KnownCounts()
        var broken: PluginError?
        do throws(PluginError) {
            let isWhole = try await each(storage.list(place.path)) { page throws(PluginError) in
                let (listing, skipped) = try await sort(page, place, volume, rules, visit)
                findings.skipped += skipped
                let items = try catalog.take(listing, &merge)
                return try await step(through: listing.files, items, place, &known, visit)
            }
            guard isWhole else { return false }
        } catch {
            if error.isOfCatalog || error.code == .cancelled { throw error }
            broken = error
        }
        if let broken { return await fail(place, broken, visit) }
        summary.removed += try catalog.finish(merge, findings, now: now, told: removed)
        pending += try places(below: place, rules).reversed()
        if known.isEmpty { return true }
        return await visit(.known(try self.known(folder, known, skipped: 0)))
    }

    /// Says what became of a folder's files.
    private mutating func step(
        through files: [Entry], _ items: [MergedItem], _ place: Place, _ known: inout KnownCounts,
        _ visit: Visitor
    ) async throws(PluginError) -> Bool {
        if plan != nil { touched.insert(place.folder.id) }
        for (entry, merged) in zip(files, items) {
            let path = try place.path.appending(entry.name)
            var item = Item(storage: storage, path: path, entry: entry, record: merged.id)
            var (state, reached, renderer) = (merged.state, merged.plan, merged.renderer)
            var origin: MovedItem?
            switch merged.status {
            case .same: break
            case .added: summary.added += 1
            case .changed: summary.changed += 1
            case .moved(let was, let home):
                summary.moved += 1
                summary.removed -= home == source.id ? 1 : 0
                origin = try moved(was, home)
            case .perhapsMoved(let other, let old, let home):
                if home == source.id, let path = local(old), await isGone(path, entry),
                    let adopted = try catalog.adopt(other, as: merged.id)
                {
                    summary.moved += 1
                    item.record = adopted.now.id
                    (state, reached, renderer) = (adopted.now.state, adopted.now.plan, adopted.now.renderer)
                    origin = try moved(adopted.was, home)
                } else {
                    summary.added += 1
                }
            }
            guard let plan else {
                if let origin, await !visit(.moved(item, origin)) { return false }
                continue
            }
            let isSettled = state != .pending && reached == plan && !force
            if var origin {
                origin.isSettled = isSettled
                origin.title = try renderer.flatMap { renderer throws(PluginError) in try catalog.titles()[renderer] }
                guard await visit(.moved(item, origin)) else { return false }
            } else if isSettled {
                known.add(merged.id, state, renderer)
            } else {
                guard await visit(.item(item)) else { return false }
            }
        }
        return true
    }

    private func moved(_ was: RemovedItem, _ home: SourceID) throws(PluginError) -> MovedItem? {
        let owner = home == source.id ? source.uri : try catalog.sources().first { $0.id == home }?.uri
        guard let owner, let root = try? SourceURI(owner) else { return nil }
        return MovedItem(uri: root.appending(was.path), previews: was.previews, isSettled: false)
    }

    /// Whether nothing of an item is left at its old place.
    private func isGone(_ path: ItemPath, _ entry: Entry) async -> Bool {
        do throws(PluginError) {
            let there = try await storage.stat(path)
            return there.identifier != entry.identifier
        } catch { return error.code == .notFound }
    }

    // MARK: What cannot be seen

    private static let unmounted = PluginError(
        .offline, "the disk that was mounted there is not; nothing that is known of it was forgotten")

    /// Says that a folder could not be listed, and leaves everything in it as it was known.
    private mutating func fail(_ place: Place, _ error: PluginError, _ visit: Visitor) async -> Bool {
        summary.failedFolders += 1
        if failure == nil { failure = (place.path, error) }
        return await visit(.failed(uri: uri(place.folder.path), source: name, error))
    }

    /// Whether a source whose root was the root of a disk is an empty folder now.
    private func lostMount(_ root: FolderRecord) async throws(PluginError) -> PluginError? {
        guard let local = storage.localRoot, root.isMountPoint, !FileSystemRoot.isMountPoint(local) else { return nil }
        guard case .success(let snapshot)? = await storage.snapshots(of: [SnapshotRequest(folder: .root)]).first,
            case .entries(let entries) = snapshot.content, entries.isEmpty
        else { return nil }
        return Self.unmounted
    }
}
