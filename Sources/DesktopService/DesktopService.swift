import Dispatch
import Synchronization
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

    private let thumbnailer: Thumbnailer
    private let bus: SessionBus
    private let endings: AsyncStream<Ending>
    private let end: AsyncStream<Ending>.Continuation

    /// Begins to answer.
    /// - Parameters:
    ///   - pipeline: makes the previews. It is not ended with the service.
    ///   - replaces: whether a program that answers already is asked to give its name up. Default: no.
    /// - Throws: `offline` without a session bus, `exists` when another program answers and does not give its name up.
    public init(_ pipeline: PreviewPipeline, replaces: Bool = false) throws(PluginError) {
        let (endings, end) = AsyncStream.makeStream(of: Ending.self)
        (self.endings, self.end) = (endings, end)
        let bus = try SessionBus { reason in end.yield(.lost(reason)) }
        self.bus = bus
        thumbnailer = Thumbnailer(pipeline) { [weak bus] signal in
            let (name, values) = signal.message
            bus?.emit(name, of: Thumbnailer.self, values)
        }
        try bus.serve([thumbnailer, ThumbnailCache(pipeline)], replaces: replaces)
    }

    /// Answers until the task is cancelled, or nothing is asked for any more. Whatever was asked for by then is made, but when the
    /// task is cancelled.
    /// - Parameter idle: how long nobody has to ask for anything. Default: for ever.
    public func run(idle: Duration? = nil) async -> Ending {
        let clock = idle.map { idle in
            Task { [thumbnailer, end] in
                while !Task.isCancelled {
                    let past = thumbnailer.idleTime ?? .zero
                    if past >= idle { end.yield(.idle) }
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
        // Calls that come from now on start another service; those that are here already are answered.
        bus.release([Thumbnailer.name, ThumbnailCache.name])
        while !Task.isCancelled, ending == .idle, thumbnailer.idleTime == nil {
            try? await Task.sleep(for: .milliseconds(20))
        }
        bus.stop()
        return Task.isCancelled ? .cancelled : ending
    }
}
