import Catalog
import Glibc
import PreviewCache
import Synchronization
import Timing
import VitrineKit

/// Writes down in the catalog what a run does, some items at a time.
///
/// What was not written when the program is killed is found in the cache by the next run.
actor RunBook {
    private let catalog: Catalog
    private let thread: CatalogThread
    /// Whether the run asks for passwords: whoever did not know one may know it in the next run.
    private let asksPasswords: Bool
    private let plan: PlanID
    private let inbox = Mutex(Inbox())
    private var touched: Set<FolderID> = []
    /// Ends of copies that came before that of what they are copies of.
    private var copies: [Settlement] = []
    /// What is wrong with the catalog; from then on nothing is written.
    private(set) var failure: PluginError?

    /// What is to be written, and when that was done last.
    private struct Inbox {
        var waiting: [Settlement] = []
        var last = Moment.now
    }

    private static let batch = 256
    private static let pause = Duration.milliseconds(500)

    /// It runs where the catalog is asked.
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.actors.asUnownedSerialExecutor() }

    init(_ catalog: Catalog, on thread: CatalogThread, plan: PlanID, asksPasswords: Bool = false) {
        self.catalog = catalog
        self.asksPasswords = asksPasswords
        self.thread = thread
        self.plan = plan
    }

    /// What is wrong with the catalog, for who can wait until it is better: where its disk is full, or others write to it, it
    /// is written again from now on. What could not be written is found in the cache by the next look.
    func takeFailure() -> PluginError? {
        defer { if let code = failure?.code, Self.passing.contains(code) { failure = nil } }
        return failure
    }

    /// What a catalog fails for that is sound, and may be written to in a moment.
    static let passing: Set<PluginError.Code> = [.noSpace, .busy]

    /// Takes the end of the work on an item, if it is one that counts. Whoever comes last before they are written waits
    /// until they are; the others change no thread for it.
    nonisolated func add(_ report: ItemReport, _ item: Item) async {
        guard let settlement = settlement(report, item) else { return }
        let isFull = inbox.withLock { inbox in
            inbox.waiting.append(settlement)
            return inbox.waiting.count >= Self.batch || inbox.last.duration(to: .now) > Self.pause
        }
        if isFull { await flush() }
    }

    /// These folders may have all of their items settled.
    func touch(_ folders: Set<FolderID>) { touched.formUnion(folders) }

    /// Writes what is left, and which folders are settled.
    func finish() {
        flush(isLast: true)
        guard failure == nil else { return }
        do throws(PluginError) { try catalog.settle(folders: touched, plan: plan) } catch { failure = error }
        touched = []
    }

    /// Writes what is left.
    /// - Parameter isLast: whether nothing that copies could wait for is still to come. Default: no.
    func flush(isLast: Bool = false) {
        let waiting = inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox.waiting
        }
        let settlements = copies + waiting
        copies = []
        guard failure == nil, !settlements.isEmpty else { return }
        do throws(PluginError) {
            copies = try catalog.settle(settlements, waitingForTwins: !isLast)
        } catch { failure = error }
    }

    private nonisolated func settlement(_ report: ItemReport, _ item: Item) -> Settlement? {
        guard let record = item.record else { return nil }
        let state: ItemState
        var previews: [PreviewRecord] = []
        var failure: PluginError?
        var (isNews, isGuess) = (false, false)
        switch report.outcome {
        case .made(let made):
            (state, isNews) = (.made, true)
            previews = made.compactMap(PreviewRecord.init)
        case .valid(let valid):
            state = .made
            previews = valid.compactMap(PreviewRecord.init)
            isGuess = report.type == nil && !item.mayHaveChanged
        case .skipped(let error):
            // What stands in the way of other programs may be gone in the next run.
            guard error.code != .pluginUnavailable else { return nil }
            state = .skipped
        case .failed(let error, let isRemembered):
            // One that may go better in the next run is tried again then.
            guard isRemembered || (error.isPermanent && error.code != .timeout) else { return nil }
            if error.code == .encrypted, asksPasswords { return nil }
            (state, failure) = (.failed, error)
        case .planned: return nil
        }
        var settlement = Settlement(
            item: record, size: item.entry.size, modified: item.entry.modified, state: state, plan: plan,
            renderer: report.renderer.map {
                RendererRecord(name: $0.id, version: $0.version, title: $0.title)
            })
        settlement.type = report.type?.mimeType ?? report.entryType
        settlement.facts = report.facts
        settlement.failure = failure
        settlement.previews = previews
        settlement.isNews = isNews
        settlement.isGuess = isGuess
        settlement.wasMoved = item.wasMoved
        settlement.keepsText = report.wasNotRead
        settlement.bringsText = report.wasRead
        // Looked at again by the next run.
        if report.lacksText { settlement.plan = .none }
        settlement.fingerprint = report.fingerprint
        settlement.twin = report.twin
        return settlement
    }
}

extension PreviewRecord {
    /// A preview in the cache; `nil` when its name is none that the cache gives.
    init?(_ preview: Preview) {
        let path = preview.path.utf8
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
        guard let key = CacheWitness.key(name) else { return nil }
        self.init(size: preview.size.pixels, key: key)
        // Of the standard one that is empty, and not put together for every item.
        if preview.variant != .standard { variant = preview.variant.description }
    }
}
