import Timing
import VitrineKit

/// Keeps the counts of one copying, tells each file's end, and all progress not more often than eyes can follow.
actor CopyLedger: TickingLedger {
    nonisolated let destination: String
    private let hub: ProgressHub
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var progress: CopyProgress
    private var summary: CopySummary
    /// Bytes of files that have ended.
    private var settled: Int64 = 0
    /// Bytes of files under way, by their URIs, and when it was last told of each.
    private var running: [String: (bytes: Int64, told: ContinuousClock.Instant)] = [:]
    var ticking = Ticking()
    private var meter: RateMeter

    init(destination: String, hub: ProgressHub) {
        self.destination = destination
        self.hub = hub
        progress = CopyProgress(destination: destination)
        summary = CopySummary(destination: destination)
        began = clock.now
        meter = RateMeter(since: began, over: .seconds(5))
    }

    func start(_ sources: [String]) { hub.send(.copy(.started(destination: destination, sources: sources))) }

    /// Why nothing further is begun; `nil` while all is well.
    var stop: PluginError? { summary.stopped }

    func found(size: Int64?) {
        progress.found += 1
        progress.size = Self.sum(progress.size, size)
        news()
    }

    func foundAll() {
        progress.foundAll = true
        news()
    }

    func madeFolder() { summary.folders += 1 }

    /// A file is on its way: so many bytes of it are there.
    func advanced(_ from: String, to uri: String, bytes: Int64, of size: Int64?) {
        let now = clock.now
        let isNew = running[from] == nil
        let told = running[from]?.told ?? now
        let tells = isNew || now - told >= Ticking.pause
        running[from] = (bytes, tells ? now : told)
        if isNew { progress.current = from }
        if tells {
            hub.send(
                .copy(.file(CopyFileProgress(destination: destination, from: from, uri: uri, bytes: bytes, size: size)))
            )
        }
        news()
    }

    /// A file was dealt with.
    /// - Parameter isFile: whether it was told of with ``found(size:)``. Default: it was.
    func ended(_ report: CopyReport, isFile: Bool = true) {
        running[report.from] = nil
        if case .failed(let error) = report.outcome, error.code == .cancelled { return }
        if isFile { progress.done += 1 }
        switch report.outcome {
        case .copied(let reused):
            summary.copied += 1
            summary.bytes = Self.sum(summary.bytes, report.size)
            summary.reused = Self.sum(summary.reused, reused)
            settled = Self.sum(settled, report.size)
        case .present:
            summary.present += 1
            settled = Self.sum(settled, report.size)
        case .skipped(let error):
            summary.skipped += 1
            if isFile { progress.size = max(0, progress.size - max(0, report.size ?? 0)) }
            if summary.skips.count < CopySummary.limit { summary.skips.append(.init(from: report.from, error: error)) }
        case .failed(let error):
            summary.failed += 1
            if isFile { progress.size = max(0, progress.size - max(0, report.size ?? 0)) }
            if summary.failures.count < CopySummary.limit {
                summary.failures.append(.init(from: report.from, error: error))
            }
            // Whatever comes next would not fit either, but for small files, of which nobody knows which.
            if error.code == .noSpace { summary.stopped = summary.stopped ?? error }
        }
        hub.send(.copy(.item(report)))
        news()
    }

    func finish(interrupted: Bool) -> CopySummary {
        stopTicking()
        running = [:]
        summary.wasInterrupted = interrupted
        summary.left = max(0, progress.found - progress.done)
        summary.seconds = (clock.now - began).inSeconds
        progress.bytes = settled
        hub.send(.copy(.advanced(progress)))
        hub.send(.copy(.finished(summary)))
        return summary
    }

    /// Sizes are what storages say: none is negative, and the largest sum is that of the type.
    private static func sum(_ one: Int64, _ other: Int64?) -> Int64 {
        let (sum, overflow) = one.addingReportingOverflow(max(0, other ?? 0))
        return overflow ? .max : sum
    }

    func tell() {
        progress.bytes = running.values.reduce(settled) { Self.sum($0, $1.bytes) }
        meter.take(progress.bytes, at: clock.now)
        progress.rate = meter.rate
        let left = max(0, progress.size - progress.bytes)
        progress.secondsLeft = progress.foundAll && progress.rate > 0 ? Double(left) / progress.rate : nil
        hub.send(.copy(.advanced(progress)))
    }
}
