import PreviewCache
import Synchronization
import VitrineKit

/// Makes the previews that programs ask for (`org.freedesktop.thumbnails.Thumbnailer1`, the thumbnail specification's D-Bus
/// interface).
///
/// Files are made in the order of ``RequestQueue``, as many at a time as there are jobs. Those on this machine alone are taken: what a
/// file manager reaches by other schemes it has mounted itself. Who asks is told of each file, and nobody else.
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

    /// What is done with files.
    struct Work: Sendable {
        /// Makes a preview.
        var make: @Sendable (RequestQueue.Job) async throws(PluginError) -> Void
        /// Called now and then, and when there is nothing left to do.
        var rest: @Sendable () async -> Void
    }

    private struct State {
        var queue = RequestQueue()
        var runners = 0
        /// What is being made, by the jobs' numbers.
        var tasks: [UInt64: Task<Signal, Never>] = [:]
        var made = 0
        var isStopped = false
    }

    private let types: [String]
    private let mostRunners: Int
    private let use: ServiceUse
    private let work: Work
    private let state = Mutex(State())
    private let tell: @Sendable (Signal, _ client: String) -> Void

    /// After so many files there is a rest.
    private static let stretch = 100

    /// - Parameters:
    ///   - types: of files that are taken.
    ///   - jobs: how many are made at a time, at least 1.
    ///   - use: is told when there is something to do.
    ///   - work: what is done with files.
    ///   - tell: called for each signal, in their order, on any thread; must not wait, nor call back.
    init(
        types: [String], jobs: Int, use: ServiceUse, work: Work,
        tell: @escaping @Sendable (Signal, _ client: String) -> Void
    ) {
        (self.types, self.use, self.work, self.tell) = (types, use, work, tell)
        mostRunners = max(1, jobs)
    }

    /// Whether something is a file of this machine, by its URI.
    static func takes(_ uri: String) -> Bool { uri.hasPrefix("file:///") }

    // MARK: Calls

    func answer(_ method: String, _ arguments: BusArguments, from client: String) -> BusAnswer? {
        use.touch()
        switch method {
        case "Queue":
            guard let uris = arguments.texts(0), let flavor = arguments.text(2), let scheduler = arguments.text(3),
                let replaced = arguments.number(4)
            else { return nil }
            if replaced != 0 { dequeue(replaced, of: client) }
            return queue(uris, flavor, isForeground: scheduler != "background", client)
        case "Dequeue":
            guard let handle = arguments.number(0) else { return nil }
            dequeue(handle, of: client)
            return .values([])
        case "GetSupported": return .values([.texts(Array(repeating: "file", count: types.count)), .texts(types)])
        case "GetSchedulers": return .values([.texts(["default", "foreground", "background"])])
        case "GetFlavors": return .values([.texts(PreviewSize.standard.compactMap(\.standardName))])
        default: return nil
        }
    }

    private func queue(_ uris: [String], _ flavor: String, isForeground: Bool, _ client: String) -> BusAnswer {
        let size = flavor.isEmpty ? .normal : PreviewSize.standard.first { $0.standardName == flavor }
        let added = state.withLock { state in
            state.isStopped
                ? nil
                : state.queue.add(size == nil ? [] : uris, size ?? .normal, isForeground: isForeground, client: client)
        }
        guard let handle = added else { return .tooMuch("too many files wait for their previews; ask again later") }
        use.begin()
        return .values([.number(handle)]) { [self] in
            tell(.started(handle), client)
            if size == nil {
                let known = PreviewSize.standard.compactMap(\.standardName).joined(separator: ", ")
                let message = "there is no flavor '\(DisplayText.of(flavor))': \(known) are"
                tell(.failed(handle, uris: uris, .unsupportedFlavor, message: message), client)
            }
            begin(handle, client)
        }
    }

    private func begin(_ handle: UInt32, _ client: String) {
        let added = state.withLock { state in
            guard state.queue.begin(handle) else {
                if !state.isStopped { finished(handle, client) }
                return 0
            }
            let added = mostRunners - state.runners
            state.runners = mostRunners
            return added
        }
        for _ in 0..<added { Task { await run() } }
    }

    /// Gives a request up, and what is being made for it.
    private func dequeue(_ handle: UInt32, of client: String) {
        let tasks = state.withLock { state in
            guard let jobs = state.queue.remove(handle, of: client) else { return [Task<Signal, Never>]() }
            finished(handle, client)
            return jobs.compactMap { state.tasks[$0] }
        }
        for task in tasks { task.cancel() }
    }

    private func finished(_ handle: UInt32, _ client: String) {
        tell(.finished(handle), client)
        use.end()
    }

    /// Gives everything up, and tells whoever waits.
    func stop() {
        let tasks = state.withLock { state in
            state.isStopped = true
            for (handle, client, uris) in state.queue.removeAll() {
                tell(.failed(handle, uris: uris, .shuttingDown, message: "the thumbnailer ends"), client)
                finished(handle, client)
            }
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    // MARK: Work

    /// Makes one preview after the other, until there is none left to make.
    private func run() async {
        while let (job, task) = next() {
            let signal = await task.value
            let isRest = state.withLock { state in
                state.tasks[job.number] = nil
                state.made += 1
                // Told in here, so that nothing of a request comes after its end.
                if let (client, isLast) = state.queue.ended(job) {
                    tell(signal, client)
                    if isLast { finished(job.handle, client) }
                }
                return state.made % Self.stretch == 0 || state.queue.isEmpty
            }
            if isRest { await work.rest() }
        }
    }

    private func next() -> (RequestQueue.Job, Task<Signal, Never>)? {
        state.withLock { state in
            guard let job = state.queue.next() else {
                state.runners -= 1
                return nil
            }
            let task = Task { [work] in await Self.signal(of: job, work) }
            state.tasks[job.number] = task
            return (job, task)
        }
    }

    private static func signal(of job: RequestQueue.Job, _ work: Work) async -> Signal {
        do throws(PluginError) {
            guard takes(job.uri) else {
                throw PluginError(
                    .unsupported, "only files of this machine are taken, not '\(DisplayText.of(job.uri))'")
            }
            try await work.make(job)
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
        case .empty: self = .noContent
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
