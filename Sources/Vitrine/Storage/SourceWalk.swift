import IgnoreRules
import VitrineKit

/// Goes through a source, folder by folder, and says what it meets.
///
/// Memory is bounded by the depth of the tree and the pages under way: a folder's subfolders are remembered, its
/// files are not.
struct SourceWalk: Sendable {
    /// What was met.
    enum Step: Sendable {
        /// A regular file.
        case item(Item)
        /// Something that no preview is made of, and why.
        case skipped(uri: String, source: String, PluginError)
        /// A folder that could not be listed to its end.
        case failed(uri: String, source: String, PluginError)
    }

    let storage: Storage
    /// What is left out.
    var filter = WalkFilter()
    /// Whether folders on other volumes are entered.
    var crossesFileSystems: Bool
    /// URIs that are passed over: sources of the same run that lie in this one, and have their own turn.
    var others: Set<String> = []

    /// Walks depth first.
    /// - Parameters:
    ///   - folder: where to begin.
    ///   - visit: called for each step, one after the other; the walk waits for it. It returns whether to go on.
    func run(from folder: ItemPath = .root, _ visit: (Step) async -> Bool) async {
        let volume = crossesFileSystems ? nil : (try? await storage.stat(folder))?.volume
        if let reason = filter.objection(toRootOf: storage, folder) {
            _ = await visit(.skipped(uri: storage.source.appending(folder), source: storage.source.text, reason))
            return
        }
        var pending = [(path: folder, rules: filter.rules)]
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
        _ visit: (Step) async -> Bool
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
    private func step(_ entry: Entry, _ path: ItemPath, _ volume: UInt64?, _ rules: IgnoreRules) -> Step? {
        func skip(_ code: PluginError.Code, _ why: String) -> Step {
            .skipped(uri: storage.source.appending(path), source: storage.source.text, PluginError(code, why))
        }
        if let reason = filter.objection(to: entry, at: path, of: storage, rules) {
            return skip(reason.code, reason.message)
        }
        switch entry.kind {
        case .file: return .item(Item(storage: storage, path: path, entry: entry))
        case .folder:
            if let volume, let other = entry.volume, other != volume {
                return skip(.unsupported, "it lies on another file system; --cross-file-systems enters it")
            }
            return nil
        case .link: return skip(.notAFile, "it is a symbolic link; --follow-links follows it")
        case .special: return skip(.notAFile, "it is a pipe, socket or device")
        @unknown default: return skip(.notAFile, "it is something that this version does not know")
        }
    }
}
