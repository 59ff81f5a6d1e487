import Synchronization
import Testing
import VitrineKit

@testable import DesktopService

/// The order of what is told, with work that the test ends.
@Suite struct ThumbnailerTests {
    /// What was told to whom.
    private final class Told: Sendable {
        private let list = Mutex<[(Thumbnailer.Signal, String)]>([])

        func add(_ signal: Thumbnailer.Signal, _ client: String) { list.withLock { $0.append((signal, client)) } }
        func signals(to client: String) -> [Thumbnailer.Signal] {
            list.withLock { $0.filter { $0.1 == client }.map(\.0) }
        }
    }

    private let told = Told()
    private let use = ServiceUse()

    private func thumbnailer(
        jobs: Int, _ make: @escaping @Sendable (RequestQueue.Job) async throws(PluginError) -> Void
    ) -> Thumbnailer {
        let work = Thumbnailer.Work(make: make, rest: {})
        return Thumbnailer(types: ["image/png"], jobs: jobs, use: use, work: work) { [told] in told.add($0, $1) }
    }

    private static func uris(_ count: Int) -> [String] { (0..<count).map { "file:///\($0)" } }

    /// Calls as the bus does.
    @discardableResult
    private func queue(
        _ uris: [String], on thumbnailer: Thumbnailer, from client: String = ":1", replacing replaced: UInt32 = 0
    ) throws -> UInt32 {
        let arguments = BusArguments([.texts(uris), .texts([]), .text(""), .text(""), .number(replaced)])
        guard case .values(let values, let then) = thumbnailer.answer("Queue", arguments, from: client),
            case .number(let handle)? = values.first
        else {
            Issue.record("it is not queued")
            return 0
        }
        then?()
        return handle
    }

    /// Waits until nothing is to do.
    private func quiet() async {
        while use.idleTime == nil { await Task.yield() }
    }

    @Test(arguments: [1, 4]) func `of each file is told once, and nothing after the end`(jobs: Int) async throws {
        let thumbnailer = thumbnailer(jobs: jobs) { (job) throws(PluginError) in
            if job.uri.hasSuffix("3") { throw PluginError(.corrupt, "it is damaged") }
        }
        for round in 0..<100 {
            let client = ":\(round)"
            let handle = try queue(Self.uris(8), on: thumbnailer, from: client)
            await quiet()
            let signals = told.signals(to: client)
            #expect(signals.count == 10 && signals.first == .started(handle) && signals.last == .finished(handle))
            #expect(signals.count { if case .ready = $0 { true } else { false } } == 7)
            let failure = Thumbnailer.Signal.failed(
                handle, uris: ["file:///3"], .invalidFormat, message: "it is damaged")
            #expect(signals.contains(failure))
        }
    }

    /// Work that goes on until it is cancelled, for files named so.
    private func stubborn() -> Thumbnailer {
        thumbnailer(jobs: 1) { (job) throws(PluginError) in
            guard job.uri.hasSuffix("stubborn") else { return }
            while !Task.isCancelled { await Task.yield() }
            throw PluginError(.cancelled, "it was cancelled")
        }
    }

    @Test func `who gives a request up frees what works on it, and only the own ones can be given up`() async throws {
        let thumbnailer = stubborn()
        let handle = try queue(["file:///stubborn", "file:///b"], on: thumbnailer)
        _ = thumbnailer.answer("Dequeue", BusArguments([.number(handle)]), from: ":2")
        #expect(told.signals(to: ":1") == [.started(handle)])
        let next = try queue(["file:///c"], on: thumbnailer, replacing: handle)
        await quiet()
        let expected: [Thumbnailer.Signal] = [
            .started(handle), .finished(handle), .started(next), .ready(next, uri: "file:///c"), .finished(next),
        ]
        #expect(told.signals(to: ":1") == expected && told.signals(to: ":2") == [])
    }

    @Test func `whoever waits when it ends is told so`() async throws {
        let thumbnailer = stubborn()
        let handle = try queue(["file:///stubborn", "file:///b"], on: thumbnailer)
        thumbnailer.stop()
        await quiet()
        let signals = told.signals(to: ":1")
        try #require(signals.count == 3)
        #expect(signals.last == .finished(handle))
        guard case .failed(handle, let uris, .shuttingDown, _) = signals[1] else {
            Issue.record("\(signals)")
            return
        }
        #expect(Set(uris) == ["file:///stubborn", "file:///b"])
        let late = BusArguments([.texts(["file:///c"]), .texts([]), .text(""), .text(""), .number(0)])
        guard case .tooMuch = thumbnailer.answer("Queue", late, from: ":1") else {
            Issue.record("it still takes something")
            return
        }
    }

    @Test func `only files of this machine are taken`() async throws {
        let thumbnailer = thumbnailer(jobs: 2) { _ throws(PluginError) in }
        try queue(["sftp://host/a", "file://host/a", "a", ""], on: thumbnailer)
        await quiet()
        let codes = told.signals(to: ":1").compactMap { if case .failed(_, _, let code, _) = $0 { code } else { nil } }
        #expect(codes == [.unsupported, .unsupported, .unsupported, .unsupported])
    }
}
