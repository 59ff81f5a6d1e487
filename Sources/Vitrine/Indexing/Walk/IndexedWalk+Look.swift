import Catalog
import IgnoreRules
import VitrineKit

extension IndexedWalk {
    /// Looks at some folders, one level each, and at folders below them that are new or that other rules are in effect
    /// in. All other folders are left as they are known.
    ///
    /// Of a folder that is not known the nearest known one above it is looked at, and finds it.
    /// - Parameters:
    ///   - folders: as paths of the storage.
    ///   - visit: takes the steps.
    /// - Throws: as ``run(_:)``.
    mutating func look(at folders: Set<ItemPath>, _ visit: Visitor) async throws(PluginError) {
        if walk.filter.objection(toRootOf: storage) != nil { return }
        kept = try catalog.knownFolders(inner.paths.compactMap { $0.placed(below: base) }, in: source)
        var root = try catalog.folder(base, in: source)
        if let lost = try await lostMount(root) { throw lost }
        root.volume = try await storage.stat(.root).volume
        let volume = walk.crossesFileSystems ? nil : root.volume
        // Taken from the end: a folder comes before those below it.
        var asked = folders.sorted { $1.bytes.lexicographicallyPrecedes($0.bytes) }
        var seen: Set<ItemPath> = []
        var known: [ItemPath: IgnoreRules] = [:]
        var below: [Place] = []
        while !asked.isEmpty || !below.isEmpty {
            if Task.isCancelled { return }
            var batch: [Place] = []
            while batch.count < Storage.snapshotLimit {
                if let place = below.popLast() {
                    batch.append(place)
                } else if let path = asked.popLast() {
                    guard let place = try await place(of: path, root, &known, visit) else { continue }
                    if seen.insert(place.path).inserted { batch.append(place) }
                } else {
                    break
                }
            }
            await entering(batch.map(\.path))
            let answers = await storage.looks(
                at: batch.map { place in
                    SnapshotRequest(
                        folder: place.path, known: place.folder.rules == rulesDigest(place) ? place.folder.digest : nil)
                })
            pending = []
            guard try await take(batch, answers, volume, visit) else { return }
            below += pending.filter { $0.folder.digest == nil || $0.folder.rules != rulesDigest($0) }
            pending = []
            // What these say of their folders may be different now.
            if known.count > Self.rulesLimit { known = [:] }
            for place in batch { known[place.path] = nil }
        }
    }

    /// Of how many folders the rules are remembered.
    private static var rulesLimit: Int { 1024 }

    /// A folder as the catalog knows it, or the nearest one above it that it knows.
    /// - Returns: `nil` for what is left out.
    private mutating func place(
        of path: ItemPath, _ root: FolderRecord, _ known: inout [ItemPath: IgnoreRules], _ visit: Visitor
    ) async throws(PluginError) -> Place? {
        var place = Place(folder: root, path: .root, above: walk.filter.rules)
        for name in path.bytes.split(separator: UInt8(ascii: "/")) {
            if known[place.path] == nil { known[place.path] = await rules(of: place, visit) }
            guard let rules = known[place.path] else { return nil }
            let child = try place.path.appending(name)
            if isOther(child) { return nil }
            guard let folder = try catalog.knownFolder(Array(name), in: place.folder) else { return place }
            // It only leads to another source.
            if folder.isPassage { return nil }
            place = Place(folder: folder, path: child, above: rules)
        }
        return place
    }
}
