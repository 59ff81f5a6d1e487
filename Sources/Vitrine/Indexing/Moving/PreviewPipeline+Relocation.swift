import Catalog
import Glibc
public import Library
import PlaceNames
import PreviewCache
public import VitrineKit

/// What came of moving a source.
public struct MovedSource: Hashable, Sendable {
    /// Items that the catalog knew of it, and that it knows at the new place now.
    public var items = 0
    /// Previews that went along, of all sizes.
    public var previews = 0
    /// Items with previews of which not all could be brought along: the next run makes these.
    public var incomplete = 0
}

// A source whose folder is at another place.
extension PreviewPipeline {
    /// How many files are looked for at the new place.
    private static var sampleSize: Int { 64 }

    /// Lets a registered source follow its folder, which somebody renamed, moved, or mounted elsewhere: what the catalog
    /// knows of its items, and their previews. Listeners are told `moved` for each, as is
    /// ``PipelineConfiguration/onMoved``. ``UserLibrary/moveSource(_:to:besides:)`` is to be called next, which registers
    /// the source at its new place, and lets notes follow of what the catalog does not know.
    ///
    /// The new place is looked at by the next run, which lists every folder and works on what differs. Who is stopped on
    /// the way loses nothing: called again, it goes on where it stood. Takes some milliseconds for each item with previews.
    /// - Parameters:
    ///   - source: the source, as it is registered.
    ///   - new: where its folder is now, also on another storage.
    ///   - others: the user's other sources. Those that lie in the old folder stay what they are.
    ///   - force: whether a folder is taken that holds almost nothing of what is known. Default: no.
    /// - Returns: what came along.
    /// - Throws: `invalidArgument` when the new place is the old one, lies in it or around it, or is another source;
    ///   `notFound`, `notAFile`, `offline` … when no folder is to be seen there, or none that holds what is known; `busy`
    ///   when a run is at work on either place, `cancelled`, and what is wrong with the catalog or the cache: a preview that
    ///   cannot be written at its new place stays at the old one.
    public func move(
        _ source: RegisteredSource, to new: SourceURI, besides others: [RegisteredSource], force: Bool = false
    ) async throws(PluginError) -> MovedSource {
        let old = try SourceURI(source.uri)
        try Self.check(old, new, besides: others)
        let storage = try await storages.storage(
            for: new,
            BackendSettings(
                followsLinks: source.options.followsLinks ?? false,
                crossesFileSystems: source.options.crossesFileSystems ?? false))
        let root = try await storage.stat(.root)
        guard root.kind == .folder else {
            throw PluginError(
                .notAFile, "'\(PlaceName.of(new))' is no folder; name the one where the files are now")
        }
        var result = MovedSource()
        guard let catalog = try desk.catalog() else { return result }
        let locks = try locks(of: [old, new])
        defer { withExtendedLifetime(locks) {} }
        let inner = others.compactMap { try? SourceURI($0.uri) }.filter { $0 != old && $0.path(below: old) != nil }
        let parts = try await desk.thread.run { () throws(PluginError) -> [Part] in
            try Part.all(of: old, besides: inner, in: catalog)
        }
        // What was begun was looked at then; what is left of it may be what is not there.
        let isBegun = try await desk.thread.run { () throws(PluginError) in
            try catalog.begunMove(from: old.text) == new.text
        }
        let hasSameTimes = try await look(for: parts, of: source.name, at: new, storage, force: force || isBegun)
        try await desk.thread.run { () throws(PluginError) in try catalog.beginMove(from: old.text, to: new.text) }
        var moved: [Relocation] = []
        for part in parts {
            let relocation = try await desk.thread.run { () throws(PluginError) -> Relocation? in
                let place = try SourceURI(new.appending(part.below))
                let index = IndexedRun(catalog: catalog, thread: self.desk.thread, plan: nil, book: nil)
                let (target, path) = try index.place(of: place)
                return try catalog.relocation(
                    of: part.record, below: part.base, keeping: part.others, to: target, at: path)
            }
            guard let relocation else { continue }
            try await noteMountPoints(of: part, relocation, storage, in: catalog)
            let place = hasSameTimes ? nil : NewPlace(storage)
            moved.append(try await move(relocation, of: part, in: catalog, to: new, place, &result))
        }
        let ends = moved
        try await desk.thread.run { () throws(PluginError) -> Void in
            try catalog.moveLook(from: old.text, to: new.text, now: Int64(time(nil)))
            for relocation in ends { try catalog.end(relocation) }
            try catalog.endMove(from: old.text)
        }
        return result
    }

    /// A part of the catalog's sources that is to be moved: the source itself, a folder of a larger one, or one that lies
    /// in it and was walked by itself.
    private struct Part: Sendable {
        var record: SourceRecord
        /// The folder of it that is moved.
        var base: ItemPath
        /// Where that lies in what is moved as a whole.
        var below: ItemPath
        /// Folders of the record that stay.
        var others: [ItemPath]

        static func all(
            of old: SourceURI, besides inner: [SourceURI], in catalog: Catalog
        ) throws(PluginError) -> [Part] {
            var parts: [Part] = []
            for record in try catalog.sources() {
                guard let root = try? SourceURI(record.uri),
                    !inner.contains(where: { root.path(below: $0) != nil })
                else { continue }
                let others = inner.compactMap { $0.path(below: root) }
                if let base = old.path(below: root) {
                    parts.append(Part(record: record, base: base, below: .root, others: others))
                } else if let below = root.path(below: old) {
                    parts.append(Part(record: record, base: .root, below: below, others: others))
                }
            }
            return parts
        }
    }

    private static func check(
        _ old: SourceURI, _ new: SourceURI, besides others: [RegisteredSource]
    ) throws(PluginError) {
        let name = PlaceName.of(new)
        guard new != old else { throw PluginError(.invalidArgument, "'\(name)' is where the source is already") }
        if let other = others.first(where: { $0.uri == new.text && $0.uri != old.text }) {
            throw PluginError(
                .exists, "'\(name)' is registered already, as '\(DisplayText.of(other.name))'")
        }
        guard new.path(below: old) == nil, old.path(below: new) == nil else {
            throw PluginError(
                .invalidArgument,
                "'\(name)' lies in the folder of the source, or around it: 'vitrine source add' makes it a source of its own"
            )
        }
    }

    /// Looks for some of the known files at the new place.
    /// - Parameter force: whether it is taken whatever is there.
    /// - Returns: whether most of those that are there have the times and versions that are known.
    /// - Throws: `notFound` when less than a tenth of them is there.
    private func look(
        for parts: [Part], of name: String, at new: SourceURI, _ storage: Storage, force: Bool
    ) async throws(PluginError) -> Bool {
        guard let catalog = try desk.catalog() else { return true }
        var (looked, found, other) = (0, 0, 0)
        for part in parts {
            let room = Self.sampleSize - looked
            let sample = try await desk.thread.run { () throws(PluginError) -> [(path: ItemPath, entry: Entry)] in
                try catalog.sample(below: part.base, of: part.record, besides: part.others, limit: room)
            }
            for (path, entry) in sample {
                guard let path = path.placed(below: part.below) else { continue }
                looked += 1
                do throws(PluginError) {
                    let there = try await storage.stat(path)
                    let isAlike = entry.size == nil || there.size == nil || there.size == entry.size
                    guard there.kind == .file, isAlike else { continue }
                    found += 1
                    if there.modified != entry.modified || there.etag != entry.etag { other += 1 }
                } catch {
                    if error.code == .offline || error.code == .cancelled { throw error }
                }
            }
        }
        guard !force, looked > 0, found < max(1, looked / 10) else {
            // Some may have been changed since; a storage that rounds times does so with nearly all of them.
            return other <= found / 2
        }
        let files = looked == 1 ? "the known file" : "\(looked) known files"
        throw PluginError(
            .notFound,
            "'\(PlaceName.of(new))' holds \(found == 0 ? "none" : "only \(found)") of \(files) of "
                + "'\(DisplayText.of(name))' that were looked for: name the folder that has what the source had, or say "
                + "--force")
    }

    /// Writes down where disks are mounted at the new place: one that is unplugged before anybody looks there is absent, not
    /// empty. Asked of are the folder itself, and those in it where disks were.
    private func noteMountPoints(
        of part: Part, _ relocation: Relocation, _ storage: Storage, in catalog: Catalog
    ) async throws(PluginError) {
        guard let local = storage.localRoot else { return }
        let inner = try await desk.thread.run { () throws(PluginError) in
            try catalog.mountPoints().filter { $0.source == part.record.uri && $0.folder != part.base }.map(\.folder)
        }
        for folder in [part.base] + inner where !part.others.contains(where: { folder.below($0) != nil }) {
            guard let there = folder.below(part.base)?.placed(below: part.below) else { continue }
            let path = there.isRoot ? local : local + [UInt8(ascii: "/")] + there.bytes
            let isMounted = try? await storage.watch.run("looking at '\(DisplayText.of(there.bytes))'") {
                await AsideThread.run { FileSystemRoot.isMountPoint(path) }
            }
            guard isMounted == true else { continue }
            try await desk.thread.run { () throws(PluginError) in
                let target = try catalog.folder(relocation.place(of: folder), in: relocation.target)
                try catalog.note(isMountPoint: true, of: target.id)
            }
        }
    }

    /// Moves what is left, some hundred items at a time.
    /// - Parameter place: where files may have other times; `nil` where they have those that are known.
    /// - Returns: the move, to be ended.
    private func move(
        _ start: Relocation, of part: Part, in catalog: Catalog, to new: SourceURI, _ place: NewPlace?,
        _ result: inout MovedSource
    ) async throws(PluginError) -> Relocation {
        let (old, target) = (try SourceURI(start.source.uri), try SourceURI(start.target.uri))
        var (relocation, place) = (start, place)
        while true {
            if Task.isCancelled {
                throw PluginError(.cancelled, "stopped while items were moved; the same command goes on with it")
            }
            let before = relocation
            let items = try await desk.thread.run { () throws(PluginError) in try catalog.nextItems(of: before) }
            if items.isEmpty { break }
            var entries: [ItemID: Entry] = [:]
            for item in items where place != nil {
                guard let path = item.path.below(part.base)?.placed(below: part.below) else { continue }
                entries[item.id] = try await place?.entry(of: item, at: path)
            }
            let known = entries
            let step = try await desk.thread.run { () throws(PluginError) in
                try self.step(before, items, known, from: old, to: target, source: new, in: catalog)
            }
            relocation = step.relocation
            result.items += step.items
            result.previews += step.previews
            result.incomplete += step.incomplete
        }
        return relocation
    }

    /// What was done with some items.
    private struct RelocationStep: Sendable {
        var relocation: Relocation
        var items = 0
        var previews = 0
        var incomplete = 0
    }

    /// Brings the next items to their new places, in this order: stopped in between, it can be done again.
    /// - Parameter entries: those that have other times there, as they are listed.
    private func step(
        _ before: Relocation, _ items: [LeavingItem], _ entries: [ItemID: Entry], from old: SourceURI,
        to target: SourceURI, source: SourceURI, in catalog: Catalog
    ) throws(PluginError) -> RelocationStep {
        var step = RelocationStep(relocation: before, items: items.count)
        var arrivals: [ArrivingItem] = []
        var subjects: [(from: Subject, to: Subject)] = []
        for item in items {
            let from = Subject(uri: old.appending(item.path), modified: item.modified, size: item.size)
            let entry = entries[item.id]
            let modified = entry?.modified ?? item.modified
            let to = Subject(uri: target.appending(item.place), modified: modified, size: item.size)
            let isAlike = packedType(item.path.name, in: old.scheme) == packedType(item.place.name, in: target.scheme)
            let copied = isAlike ? try copies(of: item.previews, from, to: to) : []
            step.previews += copied.count
            let isWhole = copied.count == item.previews.count
            step.incomplete += isWhole ? 0 : 1
            arrivals.append(ArrivingItem(id: item.id, previews: copied, isWhole: isWhole, entry: entry))
            subjects.append((from, to))
        }
        try catalog.move(arrivals, &step.relocation)
        for (item, (from, to)) in zip(items, subjects) {
            noteMove(from: from.uri, to: to.uri, source: source.text)
            // What another kind of storage fails at is for that one to say.
            if old.scheme == target.scheme {
                cache.moveFailure(of: from, to: to)
            } else {
                cache.forgetFailure(of: from)
            }
            for preview in item.previews { cache.remove(preview, of: from.uri) }
        }
        return step
    }
}
