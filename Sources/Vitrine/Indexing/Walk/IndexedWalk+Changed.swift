import Catalog
import IgnoreRules
import VitrineKit

// Folders that changed: their entries are sorted, merged into the catalog, and said.
extension IndexedWalk {
    /// A folder whose entries are sorted into those that count and others.
    struct ListedFolder {
        var place: Place
        var rules: IgnoreRules
        var whole: Catalog.WholeFolder
    }

    // MARK: Folders that changed

    /// Sorts a folder's entries; `nil` when it is to be left as it is.
    mutating func sorted(
        _ place: Place, _ entries: [Entry], _ digest: FolderDigest, _ volume: UInt64?, _ seen: SeenEntries,
        _ visit: Visitor
    ) async -> ListedFolder? {
        let above = place.above.entering(place.path)
        var findings = FolderFindings(digest: digest, rules: rulesDigest(place))
        do throws(PluginError) {
            if place.folder.isMountMissing, try isBeneath(entries, in: place.folder) { throw Self.unmounted }
            switch try await walk.filter.opening(place.path, of: storage, above, seen) {
            case .passedOver(let reason):
                _ = await visit(.skipped(uri: uri(place.folder.path), source: name, reason))
                findings.hasRules = true
                let whole = Catalog.WholeFolder(
                    folder: place.folder, listing: FolderListing(excludesOthers: true), findings: findings)
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

    func sort(
        _ entries: [Entry], _ place: Place, _ volume: UInt64?, _ rules: IgnoreRules, _ visit: Visitor
    ) async throws(PluginError) -> (FolderListing, skipped: Int) {
        var listing = FolderListing()
        listing.files.reserveCapacity(entries.count)
        var skipped = 0
        let takesAll = rules.isEmpty && inner.paths.isEmpty
        for entry in entries {
            // Most files, and for them a path would be made for nothing.
            if takesAll, entry.kind == .file,
                walk.filter.includesHidden || HiddenName(entry.name, isFolder: false) == nil
            {
                listing.files.append(entry)
                continue
            }
            let path = try place.path.appending(entry.name)
            if isOther(path) {
                // It has its own turn, and stays known here.
                if entry.kind == .folder { listing.folders.append(FolderListing.Subfolder(name: entry.name)) }
                if entry.kind == .file, walk.objection(to: entry, at: path, volume, rules) == nil {
                    listing.files.append(entry)
                }
            } else if let reason = walk.objection(to: entry, at: path, volume, rules) {
                skipped += 1
                if walk.filter.objection(to: entry, at: path, of: storage, rules) != nil {
                    listing.excluded.insert(entry.name)
                }
                _ = await visit(.skipped(uri: storage.source.appending(path), source: name, reason))
            } else if entry.kind == .folder {
                listing.folders.append(FolderListing.Subfolder(name: entry.name, volume: entry.volume))
            } else {
                listing.files.append(entry)
            }
        }
        listing.sortFiles()
        return (listing, skipped)
    }

    mutating func merge(_ folders: [ListedFolder], _ visit: Visitor) async throws(PluginError) -> Bool {
        if folders.isEmpty { return true }
        adoptions = []
        let merged = try catalog.merge(folders.map(\.whole), of: source.id, now: now, keeping: kept, told: removed)
        var goesOn = true
        for (folder, result) in zip(folders, merged) {
            summary.removed += result.vanished
            var known = KnownCounts()
            goesOn = try await step(
                through: folder.whole.listing.files, result.items, folder.place, &known, visit, goesOn: goesOn)
            if goesOn, plan != nil, !known.isEmpty {
                goesOn = await visit(.known(try self.known(folder.place.folder, known, skipped: 0)))
            }
        }
        return goesOn
    }

    /// Merges a folder of very many entries, page by page.
    /// - Parameters:
    ///   - listing: its entries.
    ///   - digest: that of the backend; `nil`: that of the entries.
    mutating func page(
        _ place: Place, _ listing: BegunListing, digest: FolderDigest?, _ volume: UInt64?, _ visit: Visitor
    ) async throws(PluginError) -> Bool {
        var listing = listing
        let folder = place.folder
        let above = place.above.entering(place.path)
        var findings = FolderFindings(digest: digest, rules: rulesDigest(place))
        var rules = above
        do throws(PluginError) {
            switch try await walk.filter.opening(place.path, of: storage, above, listing.seen) {
            case .entered(let own): rules = own
            case .passedOver(let reason):
                _ = await visit(.skipped(uri: uri(folder.path), source: name, reason))
                findings.hasRules = true
                findings.digest = digest ?? .passedOver
                var merge = try catalog.beginMerge(of: folder, source: source.id, keeping: kept)
                _ = try catalog.take(FolderListing(excludesOthers: true), &merge)
                summary.removed += try catalog.finish(merge, findings, now: now, told: removed)
                return true
            }
        } catch {
            if catalog.threw(error) { throw error }
            return await fail(place, error, visit)
        }
        findings.hasRules = rules.digest != above.digest
        var merge = try catalog.beginMerge(of: folder, source: source.id, keeping: kept)
        var known = KnownCounts()
        var broken: PluginError?
        do throws(PluginError) {
            while let page = try await listing.next() {
                let (sorted, skipped) = try await sort(page, place, volume, rules, visit)
                findings.skipped += skipped
                let items = try catalog.take(sorted, &merge)
                adoptions = []
                guard try await step(through: sorted.files, items, place, &known, visit) else { return false }
                for item in adoptions { merge.see(item) }
            }
        } catch {
            if catalog.threw(error) || error.code == .cancelled { throw error }
            broken = error
        }
        if let broken { return await fail(place, broken, visit) }
        findings.digest = digest ?? listing.digest
        summary.removed += try catalog.finish(merge, findings, now: now, told: removed)
        pending += try places(below: place, rules).reversed()
        if known.isEmpty { return true }
        return await visit(.known(try self.known(folder, known, skipped: 0)))
    }

    /// Says what became of a folder's files.
    /// - Parameter goesOn: whether more is wanted than to know what was moved. Default: yes.
    /// - Returns: the same afterwards.
    mutating func step(
        through files: [Entry], _ items: [MergedItem], _ place: Place, _ known: inout KnownCounts,
        _ visit: Visitor, goesOn: Bool = true
    ) async throws(PluginError) -> Bool {
        var goesOn = goesOn
        if plan != nil { touched.insert(place.folder.id) }
        for (entry, merged) in zip(files, items) {
            if plan == nil, merged.status == .added {
                summary.added += 1
                continue
            }
            let path = try place.path.appending(entry.name)
            if isOther(path) { continue }
            // One that is known and was not worked on since may have changed in an earlier run.
            let mayHaveChanged =
                merged.status == .changed || merged.status == .same && merged.state == .pending
            var (state, reached, renderer) = (merged.state, merged.plan, merged.renderer)
            var item = Item(
                storage: storage, path: path, entry: entry, record: merged.id, mayHaveChanged: mayHaveChanged,
                drawer: try drawer(renderer, of: state))
            var origin: MovedItem?
            switch merged.status {
            case .same: break
            case .added: summary.added += 1
            case .changed: summary.changed += 1
            case .moved(let was, let home):
                summary.moved += 1
                summary.removed -= home == source.id ? 1 : 0
                item = Item(
                    storage: storage, path: path, entry: entry, record: merged.id, wasMoved: true, drawer: item.drawer)
                origin = try moved(was, home)
            case .perhapsMoved(let other, let old, let home):
                if goesOn, try await hasLeft(old, of: home, entry, at: path),
                    let adopted = try catalog.adopt(other, from: old, as: merged.id)
                {
                    summary.moved += 1
                    summary.removed -= adopted.hadVanished && home == source.id ? 1 : 0
                    (state, reached, renderer) = (adopted.now.state, adopted.now.plan, adopted.now.renderer)
                    item = Item(
                        storage: storage, path: path, entry: entry, record: adopted.now.id, wasMoved: true,
                        drawer: try drawer(renderer, of: state))
                    adoptions.append(adopted.now.id)
                    origin = try moved(adopted.was, home)
                } else {
                    summary.added += 1
                }
            }
            guard let plan else {
                if let origin, await !visit(.moved(item, origin)) { goesOn = false }
                continue
            }
            let isSettled = state != .pending && reached == plan && !force
            if var origin {
                // Why another one has no preview was forgotten with its old place.
                origin.isSettled = isSettled && state == .made
                origin.title = item.drawer?.title
                if await !visit(.moved(item, origin)) { goesOn = false }
            } else if isSettled {
                known.add(merged.id, state, renderer)
            } else if goesOn {
                goesOn = await visit(.item(item))
            }
        }
        return goesOn
    }

    // MARK: What cannot be seen

    static let unmounted = PluginError(
        .offline, "the disk that was mounted there is not; nothing that is known of it was forgotten")

    /// Says that a folder could not be listed, and leaves everything in it as it was known.
    mutating func fail(_ place: Place, _ error: PluginError, _ visit: Visitor) async -> Bool {
        summary.failedFolders += 1
        if failure == nil { failure = (place.path, error) }
        return await visit(.failed(uri: uri(place.folder.path), source: name, error))
    }

    /// Whether a folder in which a disk was mounted holds nothing, or only what people put beneath a disk to see that it is not
    /// there: hidden files and empty ones, of names that are not known of the disk.
    private func isBeneath(_ entries: [Entry], in folder: FolderRecord) throws(PluginError) -> Bool {
        let areMarks = entries.allSatisfy { $0.kind == .file && ($0.name.first == UInt8(ascii: ".") || $0.size == 0) }
        guard areMarks else { return false }
        return try !catalog.holdsAny(of: entries.lazy.map(\.name), in: folder.id)
    }

    /// Whether a source whose root was the root of a disk is the folder beneath it now.
    func lostMount(_ root: FolderRecord) async throws(PluginError) -> PluginError? {
        guard root.isMountPoint, await isMountPoint() == false else { return nil }
        guard case .success(.snapshot(let snapshot))? = await storage.looks(at: [SnapshotRequest(folder: .root)]).first,
            case .entries(let entries) = snapshot.content, try isBeneath(entries, in: root)
        else { return nil }
        return Self.unmounted
    }
}
