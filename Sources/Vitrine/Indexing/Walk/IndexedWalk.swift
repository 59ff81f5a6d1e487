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
    /// Told of folders before they are looked at.
    var entering: @Sendable ([ItemPath]) async -> Void = { _ in }

    var summary = IndexSummary()
    /// Folders whose items may all be settled once the run is over.
    var touched: Set<FolderID> = []
    /// The first folder that could not be listed, and why.
    var failure: (folder: ItemPath, error: PluginError)?
    var pending: [Place] = []
    /// Sources that lie in this one.
    let inner: InnerSources
    /// Their folders, which stay as they are known whatever the walk finds where they lie.
    var kept: Set<FolderID> = []
    /// Items of the page at hand that were known at another place.
    var adoptions: [ItemID] = []
    /// Renderers that the catalog named, by number.
    private var drawers: [RendererID: RendererName] = [:]

    /// A folder to be looked at, and the rules of the folder above it.
    struct Place {
        var folder: FolderRecord
        /// Where it lies in the storage.
        var path: ItemPath
        var above: IgnoreRules
    }

    /// Who takes the steps, one after the other; returns whether to go on. Those of files that were moved are told nevertheless,
    /// as far as the catalog has them at their new place already.
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
        inner = InnerSources(walk.others, in: walk.storage.source)
    }

    var storage: Storage { walk.storage }

    /// Walks.
    /// - Parameter visit: takes the steps.
    /// - Throws: what is wrong with the catalog; or `offline` when the source is there no more.
    mutating func run(_ visit: Visitor) async throws(PluginError) {
        if let reason = walk.filter.objection(toRootOf: storage) {
            _ = await visit(.skipped(uri: uri(base), source: name, reason))
            return
        }
        kept = try catalog.knownFolders(inner.paths.compactMap { $0.placed(below: base) }, in: source)
        var root = try catalog.folder(base, in: source)
        if let lost = try await lostMount(root) { throw lost }
        root.volume = try await storage.stat(.root).volume
        let volume = walk.crossesFileSystems ? nil : root.volume
        if let isMountPoint = await isMountPoint() { try catalog.note(isMountPoint: isMountPoint, of: root.id) }
        pending = [Place(folder: root, path: .root, above: walk.filter.rules)]
        var batch = nextBatch()
        var answers = await look(at: batch)()
        while !batch.isEmpty {
            if Task.isCancelled { return }
            // The next folders are read while these are merged.
            let following = nextBatch()
            let look = look(at: following)
            async let ahead = look()
            guard try await take(batch, answers, volume, visit) else { return }
            (batch, answers) = (following, await ahead)
            if batch.isEmpty {
                batch = nextBatch()
                answers = await self.look(at: batch)()
            }
        }
    }

    /// Takes the next folders from those that are left.
    mutating func nextBatch() -> [Place] {
        let batch = Array(pending.suffix(Storage.snapshotLimit).reversed())
        pending.removeLast(batch.count)
        return batch
    }

    /// The look at some folders, to be taken beside other work.
    func look(at batch: [Place]) -> @Sendable () async -> [Result<FolderLook, PluginError>] {
        let paths = batch.map(\.path)
        let requests = batch.map { place in
            let isKnown = place.folder.rules == rulesDigest(place) && !place.folder.isMountMissing
            return SnapshotRequest(folder: place.path, known: isKnown ? place.folder.digest : nil)
        }
        let (storage, entering) = (storage, entering)
        return {
            if requests.isEmpty { return [] }
            await entering(paths)
            return await storage.looks(at: requests)
        }
    }

    /// Whether the source is where a disk is mounted; `nil` when that cannot be told.
    func isMountPoint() async -> Bool? {
        guard let local = storage.localRoot else { return nil }
        return try? await storage.watch.run("looking at it") {
            await AsideThread.run { FileSystemRoot.isMountPoint(local) }
        }
    }

    /// The source as the run knows it.
    var name: String { storage.source.text }

    /// Where a path of the catalog lies in the storage; `nil` when it is outside of it.
    func local(_ path: ItemPath) -> ItemPath? { path.below(base) }

    func uri(_ path: ItemPath) -> String { local(path).map(storage.source.appending) ?? "" }

    func rulesDigest(_ place: Place) -> UInt64 {
        walk.filter.digest(place.above.entering(place.path)) ^ (walk.crossesFileSystems ? 1 : 0)
            ^ inner.mark(of: place.path)
    }

    /// Takes the answers for a batch.
    /// - Returns: whether to go on.
    mutating func take(
        _ batch: [Place], _ answers: [Result<FolderLook, PluginError>], _ volume: UInt64?, _ visit: Visitor
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
            case .success(.begun(let listing)):
                guard try await page(place, listing, digest: nil, volume, visit) else { return false }
            case .success(.snapshot(let snapshot)):
                switch snapshot.content {
                case .unchanged where snapshot.digest == .passedOver:
                    guard await rules(of: place, visit) != nil else {
                        summary.unchangedFolders += 1
                        continue
                    }
                    // It is entered from now on, and nobody read it yet.
                    let listing = BegunListing(storage.pages(of: place.path))
                    guard try await page(place, listing, digest: nil, volume, visit) else { return false }
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
                    let listing = BegunListing(storage.pages(of: place.path))
                    guard try await page(place, listing, digest: snapshot.digest, volume, visit) else { return false }
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

    func places(below place: Place, _ rules: IgnoreRules) throws(PluginError) -> [Place] {
        try catalog.folders(in: place.folder).compactMap { folder in
            guard !folder.isPassage, let path = local(folder.path), !isOther(path) else { return nil }
            return Place(folder: folder, path: path, above: rules)
        }
    }

    /// Whether a folder or file is a source of its own.
    func isOther(_ path: ItemPath) -> Bool { !inner.paths.isEmpty && inner.paths.contains(path) }

    // MARK: Folders that did not change

    /// The rules in a folder that was not listed; `nil` when they cannot be found out, which was said.
    mutating func rules(of place: Place, _ visit: Visitor) async -> IgnoreRules? {
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
    mutating func pass(_ place: Place, _ visit: Visitor) async throws(PluginError) -> Bool {
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
                if isOther(path) { continue }
                let item = Item(
                    storage: storage, path: path, entry: record.entry, record: record.id,
                    mayHaveChanged: record.state == .pending, drawer: try drawer(record.renderer, of: record.state))
                guard await visit(.item(item)) else { return false }
            }
        }
        return await visit(.known(try self.known(folder, known, skipped: folder.skipped)))
    }

    mutating func known(
        _ folder: FolderRecord, _ counts: KnownCounts, skipped: Int
    ) throws(PluginError) -> KnownItems {
        let tallies = try counts.tallies { (id) throws(PluginError) in try drawer(id) }
        var items = KnownItems(
            folder: uri(folder.path), source: name, tallies: tallies, skipped: skipped, failures: [])
        if !counts.failed.isEmpty {
            items.failures = try catalog.failures(in: folder).filter { counts.failed.contains($0.item) }
                .map { (uri($0.path), $0.error) }
        }
        return items
    }

    /// Who drew an item, as far as the catalog knows it.
    mutating func drawer(_ id: RendererID?, of state: ItemState) throws(PluginError) -> RendererName? {
        guard state == .made, let id else { return nil }
        return try drawer(id)
    }

    private mutating func drawer(_ id: RendererID) throws(PluginError) -> RendererName? {
        if let known = drawers[id] { return known }
        drawers = try catalog.renderers().mapValues {
            RendererName(id: $0.name, version: $0.version, title: $0.title)
        }
        return drawers[id]
    }

    func known(_ folder: FolderRecord, _ tallies: [Tally]) throws(PluginError) -> KnownItems {
        var items = KnownItems(
            folder: uri(folder.path), source: name, tallies: tallies, skipped: folder.skipped, failures: [])
        if tallies.contains(where: { $0.state == .failed }) {
            items.failures = try catalog.failures(in: folder).map { (uri($0.path), $0.error) }
        }
        return items
    }
}
