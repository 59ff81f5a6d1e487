public import Accounts
import Catalog
import Dispatch
public import Library
public import VitrineKit

/// What came of forgetting a source.
public struct ForgottenSource: Hashable, Sendable {
    /// Items that the catalog knew of it.
    public var items = 0
    /// Previews that were deleted, of all sizes.
    public var previews = 0
    /// Remembered failures that were deleted.
    public var failures = 0
    /// Bytes that the cache holds less.
    public var bytes: Int64 = 0
    /// Whether its items belong to another source that holds it, so that everything stays.
    public var isCovered = false
    /// What did not work, in whole sentences. The rest was done.
    public var notices: [String] = []
}

// Sources that a user registered.
extension PreviewPipeline {
    /// Forgets a source that is no source any more: its items leave the catalog, which is told with `removed` for each,
    /// and its previews and remembered failures are deleted at once, with what was read of its files and unpacked of its archives.
    /// Other programs' thumbnails stay, and so do the previews of another registered source: of one that holds this one, or that
    /// lies in it.
    /// - Parameters:
    ///   - source: the source.
    ///   - others: the user's other sources.
    ///   - keepsPreviews: whether previews and failures stay in the cache. Default: no.
    /// - Returns: what went. It takes about a second for 100,000 entries of the cache, and longer for as many items.
    /// - Throws: `busy` when a run is at work on the source; nothing was done then.
    public func forget(
        source: SourceURI, besides others: [RegisteredSource], keepsPreviews: Bool = false
    ) async throws(PluginError) -> ForgottenSource {
        let locks = try locks(of: [source])
        defer { withExtendedLifetime(locks) {} }
        let others = others.compactMap { try? SourceURI($0.uri) }.filter { $0 != source }
        return await forgetAlone(source, besides: others, keepsPreviews: keepsPreviews)
    }

    /// Forgets a source from which the caller keeps runs away.
    /// - Parameter ignoresQueries: whether previews go whatever the query in their URI. Default: no.
    private func forgetAlone(
        _ source: SourceURI, besides others: [SourceURI], keepsPreviews: Bool, ignoresQueries: Bool = false
    ) async -> ForgottenSource {
        var result = ForgottenSource()
        result.isCovered = others.contains { source.path(below: $0) != nil }
        let inner = others.filter { $0.path(below: source) != nil }
        do throws(PluginError) {
            if let catalog = try desk.catalog() {
                try catalog.forgetLook(at: source.text)
                try catalog.endMove(from: source.text)
                if !result.isCovered { result.items = try forget(source, keeping: inner, in: catalog) }
            }
        } catch {
            result.notices.append("the catalog still knows the source's files: \(error.message)")
        }
        if keepsPreviews || result.isCovered { return result }
        let cache = cache
        // What lies in its archives goes along, unless they are sources by themselves, or lie in one.
        let places = [source.text] + source.archivePlaces
        let archives = others.filter { $0.scheme == ArchiveAddress.scheme }
        let kept = inner.flatMap { [$0.text] + $0.archivePlaces } + archives.map(\.text)
        let (report, failures) = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                var failures = 0
                let report = cache.clear(below: places, besides: kept, ignoresQueries: ignoresQueries) {
                    failures += $0.isFailure ? 1 : 0
                }
                continuation.resume(returning: (report, failures))
            }
        }
        result.previews = report.total.count - failures
        result.failures = failures
        result.bytes = report.total.occupied
        if let error = report.firstFailure {
            result.notices.append("\(report.failures) entries of the cache were not deleted: \(error.message)")
        }
        // Read again where another source wants it.
        do throws(PluginError) { try blocks.forget(below: places) } catch { result.notices.append(error.message) }
        return result
    }

    /// Forgets what was learned with a log-in: the listings of all sources that it serves, those of archives that lie
    /// there included, and what was read of the server's files. Previews stay, unless they are to go too.
    /// - Parameters:
    ///   - account: as it was.
    ///   - keepsPreviews: whether previews and failures stay in the cache. Default: yes.
    ///   - end: deletes the account's secrets. Called once runs are kept away, before anything is forgotten. Default: nothing.
    /// - Returns: what went.
    /// - Throws: `busy` when a run is at work on something that the account serves, and what `end` throws; nothing was
    ///   forgotten then.
    public func logOut(
        _ account: Account, keepsPreviews: Bool = true, end: () throws(PluginError) -> Void = {}
    ) async throws(PluginError) -> ForgottenSource {
        let sources = [account.address] + served(by: account)
        let locks = try locks(of: sources)
        defer { withExtendedLifetime(locks) {} }
        try end()
        var result = ForgottenSource()
        for source in sources {
            // An account serves its address with every query.
            let more = await forgetAlone(source, besides: [], keepsPreviews: keepsPreviews, ignoresQueries: true)
            result.items += more.items
            result.previews += more.previews
            result.failures += more.failures
            result.bytes += more.bytes
            result.notices += more.notices
        }
        do throws(PluginError) { try blocks.forget(serverOf: account.address) } catch {
            result.notices.append(error.message)
        }
        return result
    }

    /// The sources of the catalog that an account let in, besides those that its address alone tells: with a query, or in
    /// an archive.
    private func served(by account: Account) -> [SourceURI] {
        let records = (try? desk.catalog()?.sources()) ?? []
        return records.compactMap { try? SourceURI($0.uri) }.filter { source in
            let place = (try? ArchiveAddress(source))?.archive ?? source
            return account.serves(place) && source.path(below: account.address) == nil
        }
    }

    /// Keeps runs away from sources.
    func locks(of sources: [SourceURI]) throws(PluginError) -> [RunLock] {
        guard let catalog = try? desk.catalog() else { return [] }
        let names = Set(sources.flatMap { (try? IndexedRun.names(of: $0, in: catalog)) ?? [] })
        var locks: [RunLock] = []
        for name in names.sorted() {
            switch try RunLock.take(beside: catalog.path, source: name) {
            case .taken(let lock): locks.append(lock)
            case .busy(let holder):
                let who = holder.map { " (process \($0.process))" } ?? ""
                throw PluginError(
                    .busy, "a run\(who) is at work on '\(DisplayText.of(name))'; let it end, or stop it, and try again")
            }
        }
        return locks
    }

    private func forget(
        _ uri: SourceURI, keeping inner: [SourceURI], in catalog: Catalog
    ) throws(PluginError) -> Int {
        var count = 0
        for record in try catalog.sources() {
            guard let root = try? SourceURI(record.uri) else { continue }
            // The catalog's source is this one, holds it, or lies in it.
            guard let base = uri.path(below: root) ?? (root.path(below: uri) == nil ? nil : .root) else { continue }
            if inner.contains(where: { root.path(below: $0) != nil }) { continue }
            try catalog.forget(record, below: base, keeping: inner.compactMap { $0.path(below: root) }) { items in
                count += items.count
                for item in items { hub.send(.removed(uri: root.appending(item.path), source: uri.text)) }
            }
        }
        return count
    }
}
