import Synchronization
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Storages that do not answer, and those that answer late.
@Suite(.timeLimit(.minutes(10))) struct CallWatchTests {
    /// Calls that wait until the test answers them.
    private final class Held: Sendable {
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

        func call() async {
            await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
        }

        func answer() {
            let all = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for continuation in all { continuation.resume() }
        }

        var count: Int { waiting.withLock(\.count) }

        /// Waits until so many calls are held: on a busy machine who asks is told that the time is over before the call
        /// has begun.
        func holds(_ count: Int) async throws {
            try await Condition.met("\(count) calls are held") { self.count >= count }
        }
    }

    /// A storage that leaves things out of its listings, of which it may never tell.
    private struct Omitting: OmittingBackend {
        var count = 0
        var held: Held?

        init(count: Int, held: Held? = nil) { (self.count, self.held) = (count, held) }
        init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {}
        func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
            NoPages()
        }
        struct NoPages: AsyncSequence, AsyncIteratorProtocol, Sendable {
            typealias Element = [Entry]
            typealias Failure = PluginError
            func next(isolation: isolated (any Actor)?) async throws(PluginError) -> [Entry]? { nil }
            mutating func next() async throws(PluginError) -> [Entry]? { nil }
            func makeAsyncIterator() -> NoPages { self }
        }
        func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
            throw PluginError(.notFound, "nothing is here")
        }
        func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
            throw PluginError(.notFound, "nothing is here")
        }

        var omissions: [PluginError] {
            get async {
                await held?.call()
                return (0..<count).map { PluginError(.unsupported, "\($0) is left out") }
            }
        }
    }

    @Test func whatWasLeftOutIsToldInTimeAndInSoManySentences() async throws {
        let source = try SourceURI("test:///top")
        for (count, told) in [(0, 0), (256, 256), (10_000, 257)] {
            let storage = Storage(source: source, backend: Omitting(count: count), seconds: 3600)
            #expect(await storage.omissions.count == told)
        }
        let held = Held()
        let late = Storage(source: source, backend: Omitting(count: 1, held: held), seconds: 0.05)
        #expect(await late.omissions.map(\.code) == [.offline])
        held.answer()
    }

    private static func watch(seconds: Double) throws -> CallWatch {
        CallWatch(try SourceURI("test:///top"), seconds: seconds)
    }

    /// Asks for something; a call that is held has nothing to say but 1.
    private static func ask(_ watch: CallWatch, _ held: Held? = nil) async -> Result<Int, PluginError> {
        do throws(PluginError) {
            let number = try await watch.run("opening 'a'") { () async throws(PluginError) -> Int in
                await held?.call()
                return 1
            }
            return .success(number)
        } catch {
            return .failure(error)
        }
    }

    private static func fail(_ watch: CallWatch, with error: PluginError) async -> PluginError? {
        do throws(PluginError) {
            try await watch.run("opening 'a'") { () async throws(PluginError) -> Void in throw error }
            return nil
        } catch {
            return error
        }
    }

    @Test func whatComesBackIsHandedOn() async throws {
        let watch = try Self.watch(seconds: 3600)
        #expect(await Self.ask(watch) == .success(1))
        let error = PluginError(.notFound, "there is nothing")
        #expect(await Self.fail(watch, with: error) == error)
    }

    @Test func whoWaitsIsToldWhenTheTimeIsOver() async throws {
        let watch = try Self.watch(seconds: 0.05)
        let held = Held()
        guard case .failure(let error) = await Self.ask(watch, held) else {
            Issue.record("a call that nobody answered came back")
            return
        }
        #expect(error.code == .offline && !error.isPermanent)
        #expect(error.message.contains("'test:///top' did not answer within 0.05 s, opening 'a'"), "\(error.message)")
        try await held.holds(1)
        held.answer()
    }

    @Test func cancellingDoesNotWaitForTheStorage() async throws {
        let watch = try Self.watch(seconds: 3600)
        let held = Held()
        let task = Task { await Self.ask(watch, held) }
        try await held.holds(1)
        task.cancel()
        guard case .failure(let error) = await task.value else {
            Issue.record("a call that was cancelled came back")
            return
        }
        #expect(error.code == .cancelled)
        held.answer()
    }

    @Test func aStorageThatLeavesManyCallsUnansweredIsLeftAloneUntilItAnswers() async throws {
        let watch = try Self.watch(seconds: 0.02)
        let held = Held()
        for _ in 0..<CallWatch.unansweredLimit { _ = await Self.ask(watch, held) }
        try await held.holds(CallWatch.unansweredLimit)
        #expect(held.count == CallWatch.unansweredLimit)
        guard case .failure(let error) = await Self.ask(watch, held) else {
            Issue.record("it was asked all the same")
            return
        }
        #expect(error.code == .offline && error.message.contains("not asked any more"), "\(error.message)")
        #expect(held.count == CallWatch.unansweredLimit, "it was asked all the same")
        held.answer()
        // The answers come back one after the other.
        try await Condition.met("it is asked again") { await Self.ask(watch) == .success(1) }
    }
}
