import Synchronization
import Testing
import VitrineKit
import VitrineTesting

@testable import Vitrine

@Suite(.timeLimit(.minutes(10))) struct WatchQueueTests {
    /// Remembers what it was told.
    private final class Rests: Sendable {
        private let told = Mutex<[Set<Int>]>([])
        func add(_ sources: Set<Int>) { told.withLock { $0.append(sources) } }
        var all: [Set<Int>] { told.withLock { $0 } }
    }

    private let storage: Storage

    init() throws { storage = Storage(source: try SourceURI("test:///top"), backend: Nothing(), seconds: 3600) }

    private struct Nothing: StorageBackend {
        init() {}
        init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {}
        func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
            AsyncThrowing(error: PluginError(.notFound, "nothing is here"))
        }
        func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
            throw PluginError(.notFound, "nothing is here")
        }
        func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
            throw PluginError(.notFound, "nothing is here")
        }

        struct AsyncThrowing: AsyncSequence, AsyncIteratorProtocol, Sendable {
            typealias Element = [Entry]
            typealias Failure = PluginError
            var error: PluginError
            func next(isolation: isolated (any Actor)?) async throws(PluginError) -> [Entry]? { throw error }
            func makeAsyncIterator() -> Self { self }
        }
    }

    private func work(_ name: String, at seconds: Int64, recent: Bool = false, source: Int = 0) throws
        -> WatchQueue.Work
    {
        let entry = Entry(name: Array(name.utf8), kind: .file, size: seconds, modified: Timestamp(seconds: seconds))
        return WatchQueue.Work(
            item: Item(storage: storage, path: try ItemPath(name), entry: entry), isRecent: recent, source: source)
    }

    private func names(_ queue: WatchQueue, _ count: Int) async -> [String] {
        var names: [String] = []
        for _ in 0..<count {
            guard let work = await queue.next() else { break }
            names.append(String(decoding: work.item.path.bytes, as: UTF8.self))
            await queue.done(work)
        }
        return names
    }

    @Test func whatIsRecentComesFirstAndTheNewestOfItBeforeTheOlder() async throws {
        let queue = WatchQueue(window: 8) { _ in }
        for (name, seconds, recent) in [
            ("a", 5, false), ("b", 9, false), ("c", 1, true), ("d", 2, true), ("e", 7, false),
        ] {
            await queue.push(try work(name, at: Int64(seconds), recent: recent))
        }
        #expect(await names(queue, 5) == ["d", "c", "b", "e", "a"])
    }

    @Test func anItemIsInItOnceAsItWasSeenLast() async throws {
        let queue = WatchQueue(window: 8) { _ in }
        #expect(await queue.push(try work("a", at: 1)))
        #expect(await !queue.push(try work("a", at: 2)))
        #expect(await queue.push(try work("a", at: 3, recent: true)))
        await queue.push(try work("b", at: 9))
        let first = try #require(await queue.next())
        #expect(first.item.entry.size == 3 && first.isRecent)
        await queue.done(first)
        #expect(await names(queue, 1) == ["b"])
        #expect(await queue.isIdle)
    }

    @Test func whatChangesWhileItIsWorkedOnComesAgainAndOnlyThen() async throws {
        let queue = WatchQueue(window: 8) { _ in }
        await queue.push(try work("a", at: 1))
        let first = try #require(await queue.next())
        await queue.push(try work("a", at: 1))
        await queue.push(try work("b", at: 1))
        #expect(await names(queue, 1) == ["b"])
        await queue.push(try work("a", at: 2))
        await queue.done(first)
        let second = try #require(await queue.next())
        #expect(second.item.entry.size == 2)
        await queue.push(try work("a", at: 2))
        await queue.done(second)
        #expect(await queue.isIdle)
    }

    @Test func whatIsRecentDoesNotWaitForAWindowFullOfOthers() async throws {
        let queue = WatchQueue(window: 2) { _ in }
        for name in ["a", "b", "c"] { await queue.push(try work(name, at: 1)) }
        _ = await queue.next()
        _ = await queue.next()
        await queue.push(try work("d", at: 1, recent: true))
        #expect(await names(queue, 1) == ["d"])
    }

    @Test func whatIsGoneIsNotWorkedOn() async throws {
        let queue = WatchQueue(window: 8) { _ in }
        let gone = try work("a", at: 2)
        await queue.push(gone)
        await queue.push(try work("b", at: 1))
        await queue.drop(gone.item.uri)
        #expect(await names(queue, 1) == ["b"])
        #expect(await queue.isIdle)
    }

    @Test func sourcesOfWhatDidNotFitAreToldOnceAllIsDone() async throws {
        let rests = Rests()
        let queue = WatchQueue(window: 8, capacity: 2) { rests.add($0) }
        #expect(await queue.push(try work("a", at: 1)))
        #expect(await queue.push(try work("b", at: 2)))
        #expect(await !queue.push(try work("c", at: 3, source: 4)))
        #expect(await names(queue, 2) == ["b", "a"])
        #expect(rests.all == [[4]])
    }

    @Test func whoWaitsForAnItemGetsItAndNothingAfterTheEnd() async throws {
        let queue = WatchQueue(window: 8) { _ in }
        let waiting = Task { await queue.next() }
        await queue.push(try work("a", at: 1))
        #expect(await waiting.value?.item.path == (try ItemPath("a")))
        let last = Task { await queue.next() }
        await queue.finish()
        #expect(await last.value == nil)
    }

    @Test func aHeapGivesItsElementsInOrder() {
        var heap = Heap<Int> { $0 < $1 }
        var random = SeededNumbers(seed: 1)
        let numbers = (0..<500).map { _ in Int.random(in: 0..<100, using: &random) }
        for number in numbers { heap.push(number) }
        var sorted: [Int] = []
        while let number = heap.pop() { sorted.append(number) }
        #expect(sorted == numbers.sorted())
    }

    @Test func aStormOfChangesLeavesNoPlacesBehind() async throws {
        let queue = WatchQueue(window: 8) { _ in }
        await queue.push(try work("first", at: 1))
        for number in 0..<20_000 {
            await queue.push(try work("b", at: Int64(number), recent: true))
            await queue.drop(Self.top + "b")
        }
        await queue.push(try work("last", at: 2))
        #expect(await queue.placeCount < 2000)
        #expect(await names(queue, 2) == ["last", "first"])
    }

    @Test func itKnowsOfWhichSourcesSomethingIsLeft() async throws {
        let queue = WatchQueue(window: 8) { _ in }
        await queue.push(try work("a", at: 9))
        await queue.push(try work("b", at: 5, source: 1))
        await queue.push(try work("c", at: 1, source: 2))
        await queue.drop(Self.top + "c")
        #expect(await held(queue) == [0, 1])
        let first = try #require(await queue.next())
        #expect(await held(queue).contains(0))
        await queue.push(try work("a", at: 10))
        await queue.done(first)
        #expect(await held(queue).contains(0))
        #expect(await names(queue, 2) == ["a", "b"])
        #expect(await held(queue) == [])
    }

    private func held(_ queue: WatchQueue) async -> Set<Int> {
        var held: Set<Int> = []
        for source in 0..<3 where await queue.holds(source) { held.insert(source) }
        return held
    }

    private static let top = "test:///top/"
}
