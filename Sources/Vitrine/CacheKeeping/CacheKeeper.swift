import Dispatch
import Glibc
import PreviewCache
import Synchronization
import VitrineKit

/// Keeps the cache within its quota while previews are stored.
///
/// All processes share one account. Near the quota a collection begins in the background; a preview for which there is
/// no room waits for it, so that the quota holds at every moment, to a thousandth.
final class CacheKeeper: Sendable {
    private let cache: PreviewCache
    private let quota: CacheQuota
    private let onRemoved: (@Sendable (RemovedEntry) -> Void)?
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "vitrine.cache", qos: .utility)

    private struct State {
        var step: Task<Void, Never>?
        var removed = CacheTally()
        var hasReserved = false
    }

    /// In percent of the quota: from here on a collection is begun.
    private static let high: Int64 = 98
    /// And so much is left by it, so that the next one is a while off.
    private static let low: Int64 = 90
    /// How often a preview waits for a collection; others may take the room that one made.
    private static let patience = 8

    init(_ cache: PreviewCache, _ quota: CacheQuota, onRemoved: (@Sendable (RemovedEntry) -> Void)?) {
        self.cache = cache
        self.quota = quota
        self.onRemoved = onRemoved
    }

    /// What had to make room so far.
    var removed: CacheTally { state.withLock { $0.removed } }

    /// Reserves room for a preview where nothing has to be waited for, as for nearly all.
    /// - Parameter count: bytes of the picture.
    /// - Returns: bytes to hand to `store`; `nil` when there is more to it: then ``reserve(_:waitsForCount:)`` is the way.
    func reserveAtOnce(_ count: Int) -> Int64? {
        guard let limit = quota.bytes else { return 0 }
        let bytes = cache.room(forPicture: count)
        guard bytes <= limit, case .granted(let total) = cache.reserve(bytes, within: limit) else { return nil }
        granted(total, limit)
        return bytes
    }

    /// Begins a collection where the quota is nearly used up.
    private func granted(_ total: Int64, _ limit: Int64) {
        state.withLock { $0.hasReserved = true }
        if total > Self.part(Self.high, of: limit) { _ = step(leaving: Self.part(Self.low, of: limit)) }
    }

    /// Reserves room for a preview.
    /// - Parameters:
    ///   - count: bytes of the picture.
    ///   - waitsForCount: whether to wait while the cache is counted for the first time.
    /// - Returns: bytes to hand to `store`; 0 when there is no quota, or no account of it.
    /// - Throws: `noSpace` when there is no room and none can be made.
    func reserve(_ count: Int, waitsForCount: Bool) async throws(PluginError) -> Int64 {
        guard let limit = quota.bytes else { return 0 }
        let bytes = cache.room(forPicture: count)
        guard bytes <= limit else { throw Self.noRoom(limit) }
        var wasCounted = false
        for _ in 0..<Self.patience {
            switch cache.reserve(bytes, within: limit) {
            case .granted(let total):
                granted(total, limit)
                return bytes
            case .full:
                await wait(for: step(leaving: min(Self.part(Self.low, of: limit), limit - bytes)))
            case .uncounted:
                state.withLock { $0.hasReserved = true }
                // What was counted and is not known cannot be written down, on a full disk for example: there is no account.
                guard waitsForCount, !wasCounted else { return 0 }
                wasCounted = true
                await wait(for: step(leaving: Self.part(Self.low, of: limit)))
            case .unavailable: return 0
            }
            if Task.isCancelled { throw PluginError(.cancelled, "the work was cancelled") }
        }
        throw Self.noRoom(limit)
    }

    /// Whether ``reserve(_:waitsForCount:)`` threw an error, and no full disk.
    func isOfQuota(_ error: PluginError) -> Bool { quota.bytes.map { Self.noRoom($0) == error } ?? false }

    /// Whether a preview could not be stored because the disk of the cache is full.
    func isOfFullDisk(_ error: PluginError) -> Bool { error.code == .noSpace && !isOfQuota(error) }

    /// Lets a run take room ahead for as long as `body` takes, so that entries are stored with fewer looks at the account.
    func takingAhead(_ body: () async -> Void) async {
        guard quota.bytes != nil else { return await body() }
        cache.beginRun()
        await body()
        cache.endRun()
    }

    /// Counts again, unless that was done within the last day. What was never counted is, once something is stored.
    func beginRun() {
        guard let limit = quota.bytes, let last = cache.lastCount, abs(last - Int64(time(nil))) > 86_400 else { return }
        _ = step(leaving: limit)
    }

    /// Waits for what is under way. If something was stored, a count that nobody waited for, and what exceeds the quota,
    /// is seen to first.
    func finish() async {
        if let limit = quota.bytes, state.withLock({ $0.hasReserved }), cache.knownUsage.map({ $0 > limit }) ?? true {
            _ = step(leaving: Self.part(Self.low, of: limit))
        }
        await state.withLock { $0.step }?.value
    }

    /// Waits until a collection has ended, or this task is cancelled.
    private func wait(for step: Task<Void, Never>) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            await step.value
            end.finish()
        }
        for await _ in ends {}
    }

    /// The collection that is under way, or a new one.
    private func step(leaving target: Int64) -> Task<Void, Never> {
        state.withLock { state in
            if let step = state.step { return step }
            let step = Task { await self.collect(target) }
            state.step = step
            return step
        }
    }

    private func collect(_ target: Int64) async {
        // By age only who says so deletes: a clock that is wrong for once must not cost everything.
        var options = CollectionOptions(quota: CacheQuota(bytes: quota.bytes, age: nil))
        options.scope = .quota
        options.room = quota.bytes.map { max(0, $0 - target) } ?? 0
        let (cache, onRemoved, wanted) = (cache, onRemoved, options)
        // What is counted is what there is.
        cache.giveBackAhead()
        let report = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: cache.collect(wanted, onRemoved: onRemoved)) }
        }
        // What was taken meanwhile remembers a cache that was full.
        cache.giveBackAhead()
        state.withLock { state in
            state.step = nil
            state.removed.add(report.total)
        }
    }

    private static func part(_ percent: Int64, of limit: Int64) -> Int64 { limit / 100 * percent }

    private static func noRoom(_ limit: Int64) -> PluginError {
        PluginError(
            .noSpace,
            "the preview does not fit into the cache's quota of \(limit >> 20) MiB; raise 'size' in [cache] of the "
                + "settings")
    }
}
