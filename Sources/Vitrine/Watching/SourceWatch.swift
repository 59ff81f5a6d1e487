import Catalog
import Glibc
import PlaceNames
import VitrineKit

/// Keeps one source current: looks at all of it once, then at the folders in which something changes.
///
/// Folders are watched before they are listed, so that nothing is lost in between. What is in a folder that was made a
/// moment ago is found by listing it, and everything that happens later is told.
actor SourceWatch {
    typealias Instant = ContinuousClock.Instant

    let source: WatchedSource
    let number: Int
    let others: Set<String>
    let index: IndexedRun
    let book: RunBook
    let queue: WatchQueue
    let state: WatchProgress
    let locks: WatchLocks
    let run: WatchRun
    let clock = ContinuousClock()

    var inbox = WatchInbox()
    var watch: (any FolderWatch)?
    /// Folders that cannot be watched.
    var unwatched: Set<ItemPath> = []
    var watchedCount = 0
    var settling = Settling()
    var phase = Phase.first
    /// Why the source is not there.
    var absence: PluginError?
    /// Why the look that is under way cannot go on.
    var loss: PluginError?
    /// Why what was done could not be written down.
    var bookFailure: PluginError?
    /// The catalog's sources whose locks are held for this one.
    var locked: Set<String> = []
    var isLooking = false
    /// URIs of items that the look that is under way found at another place.
    var movedAway: Set<String> = []
    /// What was said already.
    var said: Set<String> = []
    /// Items that were seen to be deleted, and whose previews go in a moment.
    var deleted: [(path: ItemPath, at: Instant, time: Int64)] = []
    var removal: Task<Void, Never>?
    /// Tells of items that are gone, a little later.
    var telling: Task<Void, Never>?

    /// It runs where the catalog is asked.
    nonisolated var unownedExecutor: UnownedSerialExecutor { index.thread.actors.asUnownedSerialExecutor() }

    /// What a look is for.
    enum Phase {
        /// To know the source.
        case first
        /// Because a change was told.
        case told
        /// To find out whether something changed.
        case unsure
    }

    /// What is said when the catalog cannot be written to in this moment.
    static func hope(after error: PluginError) -> String {
        error.code == .noSpace
            ? "the watch goes on when there is room again" : "the watch tries that itself in a moment"
    }
    /// Under which key that is said once.
    private static func key(of code: PluginError.Code) -> String { "catalog \(code.rawValue)" }
    /// Between two looks for a source that is not there.
    private static let absencePauses = (first: Duration.seconds(5), last: Duration.seconds(60))
    /// How many single folders are looked at from time to time; with more, it is the whole source.
    static let unwatchedLimit = 1 << 14
    static let saidLimit = 1024
    /// How many deleted items are remembered; previews of others stay for the grace time.
    static let deletedLimit = 1 << 16

    init(
        _ source: WatchedSource, number: Int, others: Set<String>, _ index: IndexedRun, _ book: RunBook,
        _ queue: WatchQueue, _ state: WatchProgress, _ locks: WatchLocks,
        _ run: WatchRun
    ) {
        self.source = source
        self.number = number
        self.others = others
        self.index = index
        self.book = book
        self.queue = queue
        self.state = state
        self.locks = locks
        self.run = run
    }

    var uri: String { source.uri.text }

    // MARK: For the others of the run

    /// Everything is to be looked at once more.
    func lookAgain() async { await inbox.lookAtEverything() }

    /// Whether items wait until nobody writes them any more.
    var isWaiting: Bool { settling.waitingCount > 0 }

    /// Adds this source to what is said of the run.
    func count(in state: inout WatchState) {
        state.folders += watchedCount
        if absence != nil { state.absent += 1 } else { state.polled += watch == nil ? 1 : unwatched.count }
    }

    /// Work on an item came to an end.
    func worked(on item: Item, _ report: ItemReport) async {
        var isFinal = true
        if case .failed(let error, let isRemembered) = report.outcome {
            if error.code == .cancelled { return }
            isFinal = isRemembered || error.isPermanent
        }
        let next = settling.worked(on: item.path, item.entry, isFinal: isFinal, at: clock.now)
        // What passes by itself is tried again, later each time.
        if !isFinal, let folder = item.path.parent { await inbox.look(folder, at: next) }
    }

    // MARK: Watching

    /// Runs until the task is cancelled, or the source turns out to be nothing that can be watched.
    /// - Returns: whether that is the catalog's fault, of which the other sources cannot be watched either.
    func run() async -> Bool {
        var pause = Self.absencePauses.first
        while !Task.isCancelled {
            do throws(PluginError) {
                try await follow { pause = Self.absencePauses.first }
            } catch {
                if error.code == .cancelled { return false }
                let isCatalog = error == bookFailure || index.catalog.threw(error)
                bookFailure = nil
                if isCatalog, error.code == .corrupt {
                    await run.ledger.refused(error)
                    await run.ledger.fail(source: uri, error)
                    return true
                }
                if isCatalog, RunBook.passing.contains(error.code) {
                    // What is deleted by others, or by a collection, makes room; nothing is lost until then.
                    say("\(error.message); \(Self.hope(after: error))", once: Self.key(of: error.code))
                    try? await clock.sleep(for: pause)
                    pause = min(Self.absencePauses.last, pause * 2)
                    continue
                }
                if error.code == .notAFile || error.code == .invalidArgument || error.code == .unsupported {
                    await state.looked(at: number)
                    await run.ledger.fail(source: uri, error)
                    return false
                }
                if absence?.code != error.code {
                    say("'\(PlaceName.of(uri))' is not there and is waited for; its previews stay: \(error.message)")
                }
                absence = error
                note(.absent, error.message)
                await state.looked(at: number)
                try? await clock.sleep(for: pause)
                pause = min(Self.absencePauses.last, pause * 2)
            }
        }
        return false
    }

    /// Watches the source for as long as it is there.
    /// - Parameter found: called when all of it was looked at.
    private func follow(_ found: () -> Void) async throws(PluginError) {
        let storage = try await run.pipeline.storages.renewed(
            source.uri,
            BackendSettings(followsLinks: source.followsLinks, crossesFileSystems: source.crossesFileSystems))
        if phase != .first { phase = .unsure }
        inbox = WatchInbox()
        unwatched = []
        watchedCount = 0
        watch = await beginWatch(storage)
        let listener = watch.map { watch in Task { [inbox] in await Self.listen(to: watch, inbox) } }
        defer {
            listener?.cancel()
            watch = nil
        }
        try await look(at: nil, storage)
        found()
        for code in RunBook.passing { said.remove(Self.key(of: code)) }
        if absence != nil { say("'\(PlaceName.of(uri))' is there again") }
        absence = nil
        phase = .told
        await state.looked(at: number)
        if await state.hasLookedAtAll { await run.ledger.foundAll() }
        await pollLater()
        while !Task.isCancelled {
            let turn = await inbox.next()
            await book.flush()
            settling.sweep(now: clock.now)
            switch turn {
            case .folders(let folders):
                phase = .told
                try await look(at: folders, storage)
            case .everything:
                phase = .unsure
                try await look(at: nil, storage)
            case .poll:
                phase = .unsure
                let isWhole = watch == nil || unwatched.count > Self.unwatchedLimit
                try await look(at: isWhole ? nil : unwatched, storage)
            case .ended(let error): throw error
            }
            await state.sayIfReady()
            if case .folders = turn { continue }
            await pollLater()
        }
    }

    private func beginWatch(_ storage: Storage) async -> (any FolderWatch)? {
        guard let backend = storage.current as? any WatchableBackend else { return nil }
        do throws(PluginError) {
            return try await storage.watch.run("beginning to watch it") { () async throws(PluginError) in
                try await backend.watch()
            }
        } catch {
            if error.code != .cancelled { say(error.message) }
            return nil
        }
    }

    private static func listen(to watch: any FolderWatch, _ inbox: WatchInbox) async {
        while true {
            switch await watch.next() {
            case .folders(let folders): await inbox.changed(folders)
            case .everything: await inbox.lookAtEverything()
            case .ended(let error): return await inbox.finish(error)
            @unknown default: await inbox.lookAtEverything()
            }
        }
    }

    func pollLater() async {
        let isNeeded = watch == nil || !unwatched.isEmpty
        await inbox.poll(at: isNeeded ? clock.now + run.options.pollInterval : nil)
    }

    /// Watches folders that are about to be listed.
    func enter(_ folders: [ItemPath]) async {
        guard let watch else { return }
        for (folder, error) in zip(folders, await watch.add(folders)) {
            if let error, error.code == .limitExceeded {
                if unwatched.count <= Self.unwatchedLimit { unwatched.insert(folder) }
                // One sentence for all folders.
                say(error.message, once: "watches")
            } else {
                unwatched.remove(folder)
                watchedCount += error == nil && phase == .first ? 1 : 0
            }
        }
    }

    // MARK: What is said

    func say(_ sentence: String, once key: String? = nil) {
        if let key, !isNews(key) { return }
        run.pipeline.hub.send(.notice(source: uri, sentence))
    }

    func isNews(_ key: String) -> Bool {
        if said.count >= Self.saidLimit { said = [] }
        return said.insert(key).inserted
    }

    /// Writes down how a look went, if the source is one that counts. If that fails, the next look says it again.
    func note(_ state: SourceRecord.State, _ reason: String?) {
        guard source.name != nil || (try? index.catalog.knownSource(uri)) != nil else { return }
        try? index.catalog.note(state, reason: reason, at: uri, now: Int64(time(nil)))
    }
}
