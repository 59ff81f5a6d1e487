import Catalog
import Glibc
import PreviewCache
import VitrineKit

/// Brings the catalog up to date with one source, and says what is to be done.
struct SourceIndexing {
    let index: IndexedRun
    let hub: ProgressHub
    /// Where what is gone waits to be told.
    let departures: Departures
    /// What remembers why items have no preview.
    let cache: PreviewCache
    /// Whether the user registered the source, so that the state of a part of a larger one counts, too.
    var isRegistered = false

    /// Walks a source.
    /// - Parameters:
    ///   - walk: what is visited.
    ///   - force: whether items are worked on that need it not.
    ///   - ledger: is told what differs.
    ///   - visit: takes the steps.
    /// - Throws: why the source cannot be read. When it is the catalog that cannot, the ledger is told.
    func run(
        _ walk: SourceWalk, force: Bool, _ ledger: RunLedger, _ visit: IndexedWalk.Visitor
    ) async throws(PluginError) {
        let (source, base): (SourceRecord, ItemPath)
        do throws(PluginError) { (source, base) = try index.place(of: walk.storage.source) } catch {
            await ledger.refused(error, isWhole: false)
            return
        }
        let now = Int64(time(nil))
        var indexed = IndexedWalk(walk, index.catalog, source, base: base, plan: index.plan, now: now)
        indexed.force = force
        let (hub, cache, departures, name) = (hub, cache, departures, walk.storage.source)
        indexed.removed = { path in
            guard let path = path.below(base) else { return }
            let uri = name.appending(path)
            // Should it come back, it is tried again.
            cache.forgetFailure(of: uri)
            guard departures.left(uri, name.text, at: .now) == .tell else { return }
            hub.send(.removed(uri: uri, source: name.text))
        }
        var failure: PluginError?
        do throws(PluginError) { try await indexed.run(visit) } catch { failure = error }
        await ledger.found(indexed.summary, in: source.id)
        await index.book?.touch(indexed.touched)
        if let failure, index.catalog.threw(failure) {
            await ledger.refused(failure, isWhole: false)
            return
        }
        if let failure { throw failure }
        // What is true of a part says nothing about the whole.
        if base.isRoot || isRegistered {
            let (state, reason) = end(indexed, isStopped: ledger.isStopped)
            try? index.catalog.note(state, reason: reason, at: name.text, now: now)
        }
    }

    private func end(_ walk: IndexedWalk, isStopped: Bool) -> (SourceRecord.State, String?) {
        if Task.isCancelled || isStopped { return (.interrupted, nil) }
        guard let (folder, error) = walk.failure else { return (.complete, nil) }
        return folder.isRoot ? (.absent, error.message) : (.partial, "'\(folder)': \(error.message)")
    }
}
