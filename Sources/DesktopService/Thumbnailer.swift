import PreviewCache
import Synchronization
import Timing
import Vitrine
import VitrineKit

/// Makes the previews that programs ask for (`org.freedesktop.thumbnails.Thumbnailer1`, the thumbnail specification's D-Bus
/// interface).
///
/// Files are made in the order of ``RequestQueue``, as many at a time as the pipeline renders. Files on this machine alone are
/// taken: what a file manager reaches by other schemes it has mounted itself.
final class Thumbnailer: BusObject {
    static let name = "org.freedesktop.thumbnails.Thumbnailer1"
    static let path = "/org/freedesktop/thumbnails/Thumbnailer1"
    static let description = """
        <interface name="org.freedesktop.thumbnails.Thumbnailer1">
        <method name="Queue"><arg type="as" direction="in"/><arg type="as" direction="in"/><arg type="s" direction="in"/>\
        <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="u" direction="out"/></method>
        <method name="Dequeue"><arg type="u" direction="in"/></method>
        <method name="GetSupported"><arg type="as" direction="out"/><arg type="as" direction="out"/></method>
        <method name="GetSchedulers"><arg type="as" direction="out"/></method>
        <method name="GetFlavors"><arg type="as" direction="out"/></method>
        <signal name="Started"><arg type="u"/></signal><signal name="Finished"><arg type="u"/></signal>
        <signal name="Ready"><arg type="u"/><arg type="as"/></signal>
        <signal name="Error"><arg type="u"/><arg type="as"/><arg type="i"/><arg type="s"/></signal>
        </interface>
        """

    /// What is told of a request.
    enum Signal: Equatable, Sendable {
        case started(UInt32)
        case ready(UInt32, uri: String)
        case failed(UInt32, uris: [String], Failure, message: String)
        case finished(UInt32)
    }

    /// Why there is no preview, by Tumbler's numbers, which its clients know.
    enum Failure: Int32, Sendable {
        case unsupported = 0, connection, invalidFormat, isThumbnail, saveFailed, unsupportedFlavor, noContent
        case shuttingDown, other
    }

    private struct State {
        var queue = RequestQueue()
        var runners = 0
        /// When there was something to do the last time.
        var lastUse = Moment.now
    }

    private let pipeline: PreviewPipeline
    private let types: [String]
    private let mostRunners: Int
    private let state = Mutex(State())
    private let tell: @Sendable (Signal) -> Void

    /// - Parameters:
    ///   - pipeline: makes the previews.
    ///   - tell: called for each signal, on any thread.
    init(_ pipeline: PreviewPipeline, tell: @escaping @Sendable (Signal) -> Void) {
        (self.pipeline, self.tell) = (pipeline, tell)
        mostRunners = pipeline.jobs
        types = pipeline.renderedTypes
    }

    /// Whether something is a file of this machine, by its URI.
    static func takes(_ uri: String) -> Bool { uri.hasPrefix("file:///") }

    /// How long nothing was asked for; `nil` while there is something to do.
    var idleTime: Duration? { state.withLock { $0.queue.isEmpty ? Moment.now - $0.lastUse : nil } }

    // MARK: Calls

    func answer(_ method: String, _ arguments: BusArguments) -> BusAnswer? {
        switch method {
        case "Queue":
            guard let uris = arguments.texts(0), let flavor = arguments.text(2), let scheduler = arguments.text(3),
                let replaced = arguments.number(4)
            else { return nil }
            return queue(uris, flavor, isForeground: scheduler != "background", replacing: replaced)
        case "Dequeue":
            guard let handle = arguments.number(0) else { return nil }
            dequeue(handle)
            return BusAnswer()
        case "GetSupported":
            return BusAnswer(values: [.texts(Array(repeating: "file", count: types.count)), .texts(types)])
        case "GetSchedulers": return BusAnswer(values: [.texts(["default", "foreground", "background"])])
        case "GetFlavors": return BusAnswer(values: [.texts(Self.flavors.map(\.name))])
        default: return nil
        }
    }

    private static let flavors: [(name: String, size: PreviewSize)] = [
        ("normal", .normal), ("large", .large), ("x-large", .xLarge), ("xx-large", .xxLarge),
    ]

    private func queue(
        _ uris: [String], _ flavor: String, isForeground: Bool, replacing replaced: UInt32
    ) -> BusAnswer {
        if replaced != 0 { dequeue(replaced) }
        let size = flavor.isEmpty ? .normal : Self.flavors.first { $0.name == flavor }?.size
        let handle = state.withLock { state in
            state.lastUse = .now
            return state.queue.add(size == nil ? [] : uris, size ?? .normal, isForeground: isForeground)
        }
        return BusAnswer(values: [.number(handle)]) { [self] in
            tell(.started(handle))
            if size == nil {
                let known = Self.flavors.map(\.name).joined(separator: ", ")
                tell(
                    .failed(
                        handle, uris: uris, .unsupportedFlavor,
                        message: "there is no flavor '\(DisplayText.of(flavor))': \(known) are"))
            }
            begin(handle)
        }
    }

    private func begin(_ handle: UInt32) {
        let (isBegun, added) = state.withLock { state in
            guard state.queue.begin(handle) else { return (false, 0) }
            let added = mostRunners - state.runners
            state.runners = mostRunners
            return (true, added)
        }
        if !isBegun { tell(.finished(handle)) }
        for _ in 0..<added { Task { await run() } }
    }

    private func dequeue(_ handle: UInt32) {
        let wasThere = state.withLock { state in
            state.lastUse = .now
            return state.queue.remove(handle)
        }
        if wasThere { tell(.finished(handle)) }
    }

    // MARK: Work

    /// Makes one preview after the other, until there is none left to make.
    private func run() async {
        while let job = next() {
            let signal = await make(job)
            let (isWanted, isLast) = state.withLock { state in
                state.lastUse = .now
                return state.queue.ended(job)
            }
            if isWanted { tell(signal) }
            if isLast { tell(.finished(job.handle)) }
        }
    }

    private func next() -> RequestQueue.Job? {
        state.withLock { state in
            let job = state.queue.next()
            if job == nil { state.runners -= 1 }
            return job
        }
    }

    private func make(_ job: RequestQueue.Job) async -> Signal {
        do throws(PluginError) {
            guard Self.takes(job.uri) else {
                throw PluginError(
                    .unsupported, "only files of this machine are taken, not '\(DisplayText.of(job.uri))'")
            }
            _ = try await pipeline.preview(
                of: job.uri, size: job.size, priority: job.isForeground ? .interactive : .batch)
            return .ready(job.handle, uri: job.uri)
        } catch {
            return .failed(job.handle, uris: [job.uri], Failure(error.code), message: error.message)
        }
    }
}

extension Thumbnailer.Failure {
    /// The number that is nearest to a reason.
    init(_ code: PluginError.Code) {
        switch code {
        case .unsupported, .pluginUnavailable, .notAFile: self = .unsupported
        case .offline, .unauthorized, .throttled: self = .connection
        case .corrupt, .encrypted, .locked, .wrongPassword, .limitExceeded, .crashed, .timeout: self = .invalidFormat
        case .isThumbnail: self = .isThumbnail
        case .noSpace: self = .saveFailed
        case .empty, .notFound: self = .noContent
        case .cancelled: self = .shuttingDown
        default: self = .other
        }
    }
}

extension Thumbnailer.Signal {
    /// Its name and what it says, as D-Bus has them.
    var message: (name: String, values: [BusValue]) {
        switch self {
        case .started(let handle): ("Started", [.number(handle)])
        case .ready(let handle, let uri): ("Ready", [.number(handle), .texts([uri])])
        case .failed(let handle, let uris, let failure, let message):
            ("Error", [.number(handle), .texts(uris), .signed(failure.rawValue), .text(message)])
        case .finished(let handle): ("Finished", [.number(handle)])
        }
    }
}
