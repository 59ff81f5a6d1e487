import Catalog
import Synchronization
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

@Suite(.timeLimit(.minutes(10))) struct TwinTableTests {
    /// How many work at once.
    private final class Working: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        func begin() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
        func end() { counts.withLock { $0.now -= 1 } }
        var most: Int { counts.withLock { $0.most } }
    }

    private let key = TwinTable.Key(size: 1, head: 1)

    private func twin(_ number: Int64) throws -> Twin {
        Twin(
            id: ItemID(rawValue: number), source: "file:///a", path: try ItemPath("\(number)"), modified: nil,
            content: FolderDigest(low: 0, high: UInt64(number)), type: nil, renderer: nil)
    }

    @Test func `of two that wait one goes on, and each finds what was made before`() async throws {
        let table = TwinTable()
        #expect(await table.enter(key) == [])
        let (entered, enters) = AsyncStream<[Twin]>.makeStream()
        let tasks = (0..<2).map { _ in Task { _ = enters.yield(await table.enter(key)) } }
        try await Condition.met("both wait") { table.waiting(for: key) == 2 }
        #expect(await table.enter(TwinTable.Key(size: 1, head: 2)) == [], "another key is free")
        var next = entered.makeAsyncIterator()
        let made = try [twin(1), twin(2)]
        table.leave(key, made: made[0])
        #expect(await next.next() == [made[0]])
        // Woken with the first one, it waits again.
        try await Condition.met("the other one waits") { table.waiting(for: key) == 1 }
        table.leave(key, made: made[1])
        #expect(await next.next() == [made[1], made[0]])
        table.leave(key, made: nil)
        for task in tasks { await task.value }
        #expect(await table.enter(key) == [made[1], made[0]])
    }

    @Test func `many at once work one after the other, and none is forgotten`() async {
        let table = TwinTable()
        let (working, key) = (Working(), key)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2000 {
                group.addTask {
                    _ = await table.enter(key)
                    working.begin()
                    await Task.yield()
                    working.end()
                    table.leave(key, made: nil)
                }
            }
        }
        #expect(working.most == 1)
        #expect(table.waiting(for: key) == 0)
    }

    @Test func `who is cancelled while it waits gets its turn, and gives it on`() async throws {
        let table = TwinTable()
        _ = await table.enter(key)
        let waiting = Task {
            _ = await table.enter(key)
            table.leave(key, made: nil)
        }
        try await Condition.met("it waits") { table.waiting(for: key) == 1 }
        waiting.cancel()
        table.leave(key, made: nil)
        await waiting.value
        #expect(await table.enter(key) == [])
    }

    @Test func `the older half of the keys is forgotten when there are too many`() async throws {
        let table = TwinTable()
        func key(_ number: Int) -> TwinTable.Key { TwinTable.Key(size: Int64(number), head: 0) }
        let last = 2 * TwinTable.limit
        for number in 0...last {
            _ = await table.enter(key(number))
            table.leave(key(number), made: try twin(Int64(number)))
        }
        for (number, isKnown) in [(0, false), (TwinTable.limit - 1, false), (TwinTable.limit, true), (last, true)] {
            #expect(await table.enter(key(number)) == (isKnown ? [try twin(Int64(number))] : []), "\(number)")
            table.leave(key(number), made: nil)
        }
    }
}
