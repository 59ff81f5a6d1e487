import SQLite
public import VitrineKit

extension Catalog {
    /// A folder that was listed as a whole, and what is true of it.
    public struct WholeFolder: Sendable {
        /// The folder.
        public var folder: FolderRecord
        /// All that is in it.
        public var listing: FolderListing
        /// What is true of it.
        public var findings: FolderFindings

        /// Creates one.
        public init(folder: FolderRecord, listing: FolderListing, findings: FolderFindings) {
            self.folder = folder
            self.listing = listing
            self.findings = findings
        }
    }

    /// What became of a folder.
    public struct MergedFolder: Sendable {
        /// One for each of the listing's files, in their order.
        public var items: [MergedItem]
        /// How many items the catalog knew that are not there any more.
        public var vanished: Int
    }

    /// Merges several folders at once, which is cheaper than one after the other.
    /// - Parameters:
    ///   - folders: in any order, but a folder after the one that holds it.
    ///   - source: the source that they belong to.
    ///   - now: seconds since 1970, from which the grace time of what vanished counts.
    ///   - others: folders that are sources of their own: what is not seen of these, and of what lies in them, stays.
    ///   - told: called for each item that vanished, with its path, while the catalog is busy: it may not call it.
    public func merge(
        _ folders: [WholeFolder], of source: SourceID, now: Int64, keeping others: Set<FolderID> = [],
        told: (ItemPath) -> Void = { _ in }
    ) throws(PluginError) -> [MergedFolder] {
        try completeInodes()
        var (merged, left) = try change { ledger throws(PluginError) in
            var merged: [(items: [MergedItem], renamed: Int)] = []
            var left: [Vanishing] = []
            var room = Vanishing.batch
            for whole in folders {
                var merge = try ledger.begin(whole.folder, source)
                merge.others = others
                var items = try ledger.take(whole.listing, &merge)
                merged.append((items, try ledger.adoptRenamed(&items, &merge)))
                merged[merged.count - 1].items = items
                var vanishing = try ledger.vanishing(merge, whole.findings)
                vanishing.isDone = try ledger.vanish(&vanishing, room: &room, now: now, told: told)
                left.append(vanishing)
            }
            return (merged, left)
        }
        return try left.indices.map { index throws(PluginError) in
            let count = try finish(&left[index], now: now, told: told)
            return MergedFolder(items: merged[index].items, vanished: count + merged[index].renamed)
        }
    }

    /// Takes away what is left of what is gone from a folder.
    /// - Returns: how many items were taken away in all.
    private func finish(
        _ vanishing: inout Vanishing, now: Int64, told: (ItemPath) -> Void
    ) throws(PluginError) -> Int {
        while !vanishing.isDone {
            let before = vanishing
            vanishing = try change { ledger throws(PluginError) in
                var (vanishing, room) = (before, Vanishing.batch)
                vanishing.isDone = try ledger.vanish(&vanishing, room: &room, now: now, told: told)
                return vanishing
            }
        }
        return vanishing.count
    }

    /// Begins to merge one folder page by page.
    ///
    /// Until ``finish(_:_:now:told:)`` the folder counts as one that has to be listed, whatever becomes of the merge.
    /// - Parameter others: as in ``merge(_:of:now:keeping:told:)``.
    public func beginMerge(
        of folder: FolderRecord, source: SourceID, keeping others: Set<FolderID> = []
    ) throws(PluginError) -> FolderMerge {
        try change { ledger throws(PluginError) in
            try ledger.forgetListing(of: folder.id.rawValue)
            var merge = try ledger.begin(folder, source)
            merge.others = others
            return merge
        }
    }

    /// Merges a page.
    /// - Returns: one item for each of the page's files, in their order.
    public func take(_ page: FolderListing, _ merge: inout FolderMerge) throws(PluginError) -> [MergedItem] {
        try completeInodes()
        // In place: a copy of all that was seen for each page would take a time that grows with the square of the pages.
        return try change { ledger throws(PluginError) in try ledger.take(page, &merge) }
    }

    /// Ends the merge of a folder that was listed to its end: what was not seen is not there any more.
    /// - Returns: how many items vanished; `told` is called for each, as ``merge(_:of:now:keeping:told:)`` does.
    public func finish(
        _ merge: FolderMerge, _ findings: FolderFindings, now: Int64, told: (ItemPath) -> Void = { _ in }
    ) throws(PluginError) -> Int {
        var vanishing = try change { ledger throws(PluginError) in
            var (vanishing, room) = (try ledger.vanishing(merge, findings), Vanishing.batch)
            vanishing.isDone = try ledger.vanish(&vanishing, room: &room, now: now, told: told)
            return vanishing
        }
        return try finish(&vanishing, now: now, told: told)
    }

    /// Makes a new item the one that was known at another place, where nothing is left: it keeps the old number, and
    /// how the work on it ended.
    /// - Parameters:
    ///   - old: the item that was known; it may have vanished meanwhile.
    ///   - path: where it was known. Of several names of one file that appear at once only one takes its place.
    ///   - new: the item that was added.
    /// - Returns: `nil` when one of them is not there any more, or both differ. The item is to be settled once its
    ///   previews have followed: until then the catalog holds it for one to be worked on.
    public func adopt(
        _ old: ItemID, from path: ItemPath, as new: ItemID
    ) throws(PluginError) -> Adoption? {
        try change { ledger throws(PluginError) in
            try ledger.adopt(old.rawValue, from: path.bytes, as: new.rawValue)
        }
    }
}

extension CatalogLedger {
    fileprivate func begin(_ folder: FolderRecord, _ source: SourceID) throws(PluginError) -> FolderMerge {
        let id: Value = .integer(folder.id.rawValue)
        let known = try database.first(
            "SELECT EXISTS(SELECT 1 FROM item WHERE folder = ?1) OR EXISTS(SELECT 1 FROM folder WHERE parent = ?1)", id
        ) { $0.integer(0) }
        var merge = FolderMerge(folder: folder, source: source, isNew: known == 0)
        merge.mayRevive = try database.first("SELECT EXISTS(SELECT 1 FROM gone)") { $0.integer(0) } == 1
        merge.mayHaveMoved = try mayHaveMoved()
        return merge
    }

    fileprivate func take(_ page: FolderListing, _ merge: inout FolderMerge) throws(PluginError) -> [MergedItem] {
        let parent = merge.folder.id.rawValue
        if merge.mayHaveMoved { try indexInodes() }
        merge.exclude(page)
        for folder in page.folders {
            let (id, isNew) = try subfolder(folder.name, of: parent, source: merge.source.rawValue)
            merge.seenFolders.insert(id)
            if !isNew { try setPassage(false, of: id) }
            guard let volume = folder.volume, let own = merge.folder.volume else { continue }
            if volume != own {
                try note(volume, FolderFlag.mountPoint, of: id)
            } else if isNew {
                try note(volume, 0, of: id)
            } else {
                try database.run(
                    "UPDATE folder SET flags = CASE flags & ?4 WHEN 0 THEN flags ELSE flags | ?1 END, "
                        + "volume = coalesce(volume, ?3) WHERE id = ?2 AND (flags & ?4 <> 0 OR volume IS NULL)",
                    .integer(FolderFlag.missing), .integer(id), .integer(Int64(bitPattern: volume)),
                    .integer(FolderFlag.mountPoint))
            }
        }
        let items = try take(page.files, merge)
        // Of a folder that is new nothing can be missing.
        if !merge.isNew { for item in items { merge.seenItems.insert(item.id.rawValue) } }
        return items
    }

    private func note(_ volume: UInt64, _ flag: Int64, of folder: Int64) throws(PluginError) {
        try database.run(
            "UPDATE folder SET volume = ?, flags = (flags & ~?) | ? WHERE id = ?", .integer(Int64(bitPattern: volume)),
            .integer(FolderFlag.mountPoint | FolderFlag.missing), .integer(flag), .integer(folder))
    }

    /// Compares files with what is known, and adds those that are new.
    private func take(_ files: [Entry], _ merge: FolderMerge) throws(PluginError) -> [MergedItem] {
        let folder = merge.folder.id.rawValue
        if merge.isPlain { return try add(files[...], to: folder) }
        var items: [MergedItem] = []
        items.reserveCapacity(files.count)
        // Those between the last one that was known in some way and the present one are new: they are added together.
        var start = files.startIndex
        for index in files.indices {
            let entry = files[index]
            var other = merge.isNew ? nil : try known(entry, in: folder)
            if other == nil { other = try revived(entry, merge) }
            let origin = other == nil ? try origin(of: entry, merge) : nil
            guard other != nil || origin != nil else { continue }
            items += try add(files[start..<index], to: folder)
            start = index + 1
            if other == nil { other = try add(files[index..<start], to: folder).first }
            guard var item = other else { throw lost("item") }
            if let origin, item.status == .added { item.status = origin }
            items.append(item)
        }
        return items + (try add(files[start...], to: folder))
    }

    func compare(_ entry: Entry, _ known: ItemRecord) throws(PluginError) -> MergedItem {
        // Of a file in a folder that may be listed and not entered only the name is known: nothing says that it changed.
        let isUnknown = entry.size == nil && entry.modified == nil && entry.etag == nil && entry.identifier == nil
        if isUnknown {
            return MergedItem(
                id: known.id, status: .same, state: known.state, plan: known.plan, renderer: known.renderer)
        }
        let isSame =
            known.entry.size == entry.size && known.entry.modified == entry.modified && known.entry.etag == entry.etag
        // A file that was replaced by its equal, as a backup does, is the same; its new number is kept.
        if isSame, known.entry.identifier == entry.identifier {
            return MergedItem(
                id: known.id, status: .same, state: known.state, plan: known.plan, renderer: known.renderer)
        }
        try update(known.id.rawValue, to: entry, isChanged: !isSame)
        if isSame {
            return MergedItem(
                id: known.id, status: .same, state: known.state, plan: known.plan, renderer: known.renderer)
        }
        // What was true of the old content is not to be found any more.
        try database.run("DELETE FROM failure WHERE item = ?", .integer(known.id.rawValue))
        try database.run("DELETE FROM fact WHERE item = ?", .integer(known.id.rawValue))
        try forgetDocument(of: known.id.rawValue)
        try log(.changed, known.id.rawValue)
        return MergedItem(id: known.id, status: .changed, state: .pending, plan: .none)
    }

    /// Writes down what a listing says of an item.
    /// - Parameter isChanged: whether nothing that is known of its content is true any more. Default: no.
    func update(_ id: Int64, to entry: Entry, isChanged: Bool = false) throws(PluginError) {
        let statement = try database.statement(
            isChanged
                ? "UPDATE item SET size = ?, seconds = ?, nanoseconds = ?, inode = ?, etag = ?, state = 0, plan = 0, "
                    + "type = NULL, head = NULL, content = NULL WHERE id = ?"
                : "UPDATE item SET size = ?, seconds = ?, nanoseconds = ?, inode = ?, etag = ? WHERE id = ?")
        try bind(entry, to: statement, from: 1)
        statement.bind(id, at: 6)
        try statement.run()
    }

    /// An item that vanished from some place and is here now.
    private func revived(_ entry: Entry, _ merge: FolderMerge) throws(PluginError) -> MergedItem? {
        guard merge.mayRevive, try bindIdentity(entry, findGone) else { return nil }
        let found =
            try findGone.step()
            ? (
                findGone.integer(0), findGone.integer(1), findGone.bytes(2), findGone.integer(3), findGone.integer(4),
                findGone.optionalInteger(5)
            ) : nil
        findGone.reset()
        guard let (id, source, old, state, plan, renderer) = found else { return nil }
        try restore(id, to: merge.folder.id.rawValue, name: entry.name, etag: entry.etag)
        let item = MergedItem(
            id: ItemID(rawValue: id), status: .same, state: ItemState(rawValue: state) ?? .pending,
            plan: PlanID(rawValue: plan), renderer: renderer.map { RendererID(rawValue: $0) })
        if try old == path(merge.folder.id.rawValue, entry.name), source == merge.source.rawValue {
            try log(.added, id)
            return item
        }
        try log(return: id, from: source, old)
        // Until its previews have followed: see adopt.
        try unsettle(id)
        let was = RemovedItem(id: item.id, path: try ItemPath(old), previews: try previews(of: id))
        return MergedItem(
            id: item.id, status: .moved(from: was, source: SourceID(rawValue: source)), state: item.state,
            plan: item.plan, renderer: item.renderer)
    }

    /// Where a file that is new here may have been known before.
    private func origin(of entry: Entry, _ merge: FolderMerge) throws(PluginError) -> MergedItem.Status? {
        guard merge.mayHaveMoved, try bindIdentity(entry, findByInode) else { return nil }
        let other =
            try findByInode.step() ? (findByInode.integer(0), findByInode.integer(1), findByInode.bytes(2)) : nil
        findByInode.reset()
        guard let (id, folder, name) = other else { return nil }
        let source = try database.first("SELECT source FROM folder WHERE id = ?", .integer(folder)) { $0.integer(0) }
        return .perhapsMoved(
            from: ItemID(rawValue: id), path: try ItemPath(try path(folder, name)),
            source: SourceID(rawValue: source ?? 0))
    }

    /// Sets what a file keeps when it is moved.
    /// - Returns: whether all of that is known.
    private func bindIdentity(_ entry: Entry, _ statement: Statement) throws(PluginError) -> Bool {
        guard let inode = entry.identifier, let modified = entry.modified, let size = entry.size else { return false }
        statement.bind(Int64(bitPattern: inode), at: 1)
        statement.bind(size, at: 2)
        statement.bind(modified.seconds, at: 3)
        statement.bind(Int64(modified.nanoseconds), at: 4)
        return true
    }
}
