public import Vitrine
public import VitrineKit

/// Answers file managers that ask for previews over the session bus, as the thumbnail specification describes.
public final class DesktopService: Sendable {
    /// Why a service ended.
    public enum Ending: Equatable, Sendable {
        /// Its task was cancelled.
        case cancelled
        /// Nobody asked for anything for as long as was said.
        case idle
        /// The bus is gone, or another program took its name over; a sentence about it.
        case lost(String)
    }

    private let use = ServiceUse()
    private let thumbnailer: Thumbnailer
    private let bus: SessionBus
    private let endings: AsyncStream<Ending>
    private let end: AsyncStream<Ending>.Continuation

    /// Begins to answer, until ``run(idle:willEnd:)`` ends, or the service is given up. Blocks while the bus is asked, ten seconds for
    /// each of two names at most.
    /// - Parameters:
    ///   - pipeline: makes the previews. It is not ended with the service.
    ///   - replaces: whether a program that answers already is asked to give its name up. Default: no.
    /// - Throws: `offline` without a session bus, `exists` when another program answers and does not give its name up.
    public init(_ pipeline: PreviewPipeline, replaces: Bool = false) throws(PluginError) {
        let (endings, end) = AsyncStream.makeStream(of: Ending.self)
        (self.endings, self.end) = (endings, end)
        let bus = try SessionBus { reason in end.yield(.lost(reason)) }
        self.bus = bus
        let work = Thumbnailer.Work(
            make: { (job) throws(PluginError) in
                _ = try await pipeline.preview(
                    of: job.uri, size: job.size, priority: job.isForeground ? .interactive : .batch)
            }, rest: { await pipeline.keepCache() })
        thumbnailer = Thumbnailer(types: pipeline.renderedTypes, jobs: pipeline.jobs, use: use, work: work) {
            [weak bus] signal, client in
            let (name, values) = signal.message
            bus?.emit(name, of: Thumbnailer.self, values, to: client)
        }
        try bus.serve([thumbnailer, ThumbnailCache(pipeline, use: use)], replaces: replaces)
    }

    deinit { bus.stop() }

    /// Answers until the task is cancelled, or nothing is asked for any more. Then whatever was asked for by then is made; else whoever
    /// waits is told that nothing more comes. A service runs once.
    /// - Parameters:
    ///   - idle: how long nobody has to ask for anything. Default: for ever.
    ///   - willEnd: called before the names are given up. Default: nothing.
    public func run(idle: Duration? = nil, willEnd: @Sendable () -> Void = {}) async -> Ending {
        let clock = idle.map { idle in
            Task { [use, end] in
                while !Task.isCancelled {
                    let past = use.idleTime ?? .zero
                    if past >= idle {
                        end.yield(.idle)
                        return
                    }
                    try? await Task.sleep(for: max(.milliseconds(10), idle - past))
                }
            }
        }
        defer { clock?.cancel() }
        var ending = Ending.cancelled
        for await reason in endings {
            ending = reason
            break
        }
        willEnd()
        // Calls that come from now on start another service; those that are here already are answered.
        bus.release([Thumbnailer.name, ThumbnailCache.name])
        if ending == .idle {
            await bus.answerWhatCame()
            while !Task.isCancelled, use.idleTime == nil { try? await Task.sleep(for: .milliseconds(20)) }
        }
        thumbnailer.stop()
        bus.stop()
        return Task.isCancelled ? .cancelled : ending
    }
}
