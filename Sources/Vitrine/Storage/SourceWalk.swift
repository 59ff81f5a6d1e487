import IgnoreRules
import VitrineKit

/// Goes through a source, folder by folder, and says what it meets.
///
/// Memory is bounded by the depth of the tree and the pages under way: a folder's subfolders are remembered, its
/// files are not.
struct SourceWalk: Sendable {
    let storage: Storage
    /// What is left out.
    var filter = WalkFilter()
    /// Whether folders on other volumes are entered.
    var crossesFileSystems: Bool
    /// URIs that are passed over: sources of the same run that lie in this one, and have their own turn.
    var others: Set<String> = []

    /// Walks depth first.
    /// - Parameter visit: called for each step, one after the other; the walk waits for it. It returns whether to go on.
    func run(_ visit: (WalkStep) async -> Bool) async {
        let volume = crossesFileSystems ? nil : (try? await storage.stat(.root))?.volume
        if let reason = filter.objection(toRootOf: storage) {
            _ = await visit(.skipped(uri: storage.source.appending(.root), source: storage.source.text, reason))
            return
        }
        var pending = [(path: ItemPath.root, rules: filter.rules)]
        while let (folder, above) = pending.popLast() {
            if Task.isCancelled { return }
            var found: [ItemPath] = []
            var rules = above.entering(folder)
            do throws(PluginError) {
                guard try await list(folder, volume, &rules, &found, visit) else { return }
            } catch {
                guard await visit(.failed(uri: storage.source.appending(folder), source: storage.source.text, error))
                else { return }
            }
            // The last one pushed is walked first: names come in order.
            pending += found.sorted { $1.bytes.lexicographicallyPrecedes($0.bytes) }.map { ($0, rules) }
        }
    }

    /// Lists a folder.
    /// - Parameter rules: those of the folder above; then its own.
    private func list(
        _ folder: ItemPath, _ volume: UInt64?, _ rules: inout IgnoreRules, _ found: inout [ItemPath],
        _ visit: (WalkStep) async -> Bool
    ) async throws(PluginError) -> Bool {
        func visitEntries<S: AsyncSequence<[Entry], PluginError>>(_ pages: S) async throws(PluginError) -> Bool {
            var listing = ForesightedListing(pages.makeAsyncIterator())
            if filter.wantsMarkers { try await listing.look() }
            switch try await filter.opening(folder, of: storage, rules, listing.seen) {
            case .entered(let own): rules = own
            case .passedOver(let reason):
                return await visit(
                    .skipped(uri: storage.source.appending(folder), source: storage.source.text, reason))
            }
            while let page = try await listing.next() {
                for entry in page {
                    let path = try folder.appending(entry.name)
                    if !others.isEmpty, others.contains(storage.source.appending(path)) { continue }
                    guard let step = step(entry, path, volume, rules) else {
                        found.append(path)
                        continue
                    }
                    guard await visit(step) else { return false }
                }
            }
            return true
        }
        return try await visitEntries(storage.list(folder))
    }

    /// What an entry means; `nil` for a folder to enter.
    private func step(_ entry: Entry, _ path: ItemPath, _ volume: UInt64?, _ rules: IgnoreRules) -> WalkStep? {
        if let reason = objection(to: entry, at: path, volume, rules) {
            return .skipped(uri: storage.source.appending(path), source: storage.source.text, reason)
        }
        return entry.kind == .folder ? nil : .item(Item(storage: storage, path: path, entry: entry))
    }

    /// Why something is neither a file to work on nor a folder to enter; `nil` when it is.
    /// - Parameters:
    ///   - entry: what it is.
    ///   - path: where it lies.
    ///   - volume: the only volume that is entered; `nil` for any.
    ///   - rules: those of the folder that holds it.
    func objection(to entry: Entry, at path: ItemPath, _ volume: UInt64?, _ rules: IgnoreRules) -> PluginError? {
        if let reason = filter.objection(to: entry, at: path, of: storage, rules) { return reason }
        switch entry.kind {
        case .file: return nil
        case .folder:
            guard let volume, let other = entry.volume, other != volume else { return nil }
            return PluginError(.unsupported, "it lies on another file system; --cross-file-systems enters it")
        case .link where storage.source.scheme == ArchiveAddress.scheme:
            return PluginError(.notAFile, "it is a link in an archive, which is not followed")
        case .link: return PluginError(.notAFile, "it is a symbolic link; --follow-links follows it")
        case .special: return PluginError(.notAFile, "it is a pipe, socket or device")
        }
    }
}
