import TestSupport
import Testing
import Workers

@testable import Vitrine

@Suite(.timeLimit(.minutes(10))) struct CoalescerTests {
    private actor Counter {
        private(set) var count = 0
        func add() { count += 1 }
    }

    @Test func `the same work at the same time is done once`() async throws {
        let coalescer = WorkCoalescer<String, Int>()
        let runs = Counter()
        let gate = AsyncStream.makeStream(of: Void.self)
        async let first = coalescer.value(for: "a", whenCancelled: -1) { _ in
            await runs.add()
            for await _ in gate.stream { break }
            return 7
        }
        try await Condition.met("one waits") { coalescer.waiting(for: "a") == 1 }
        async let second = coalescer.value(for: "a", whenCancelled: -1) { _ in
            await runs.add()
            return 8
        }
        try await Condition.met("another one waits") { coalescer.waiting(for: "a") == 2 }
        gate.continuation.yield()
        #expect(await (first, second) == (7, 7))
        #expect(await runs.count == 1)
        #expect(await coalescer.value(for: "a", whenCancelled: -1) { _ in 9 } == 9)
    }

    @Test func `work is cancelled when all who wait for it are`() async throws {
        let coalescer = WorkCoalescer<String, Bool>()
        let tasks = (0..<2).map { _ in
            Task {
                await coalescer.value(for: "a", whenCancelled: false) { _ in
                    (try? await Condition.met("the work is cancelled") { Task.isCancelled }) != nil
                }
            }
        }
        try await Condition.met("another one waits") { coalescer.waiting(for: "a") == 2 }
        tasks[0].cancel()
        // The first leaves at once; the work goes on for the other one.
        #expect(await tasks[0].value == false)
        #expect(coalescer.waiting(for: "a") == 1)
        tasks[1].cancel()
        #expect(await tasks[1].value)
    }

    @Test func `who is cancelled before asking begins nothing`() async throws {
        let coalescer = WorkCoalescer<String, Int>()
        let gate = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in gate.stream { break }
            return await coalescer.value(for: "a", whenCancelled: -1) { _ in 9 }
        }
        task.cancel()
        #expect(await task.value == -1)
        #expect(coalescer.waiting(for: "a") == 0)
    }

    @Test func `who waits for work of a run and is cancelled leaves at once`() async throws {
        let coalescer = WorkCoalescer<String, Int>()
        let gate = AsyncStream.makeStream(of: Void.self)
        let threads = BlockingThread.borrow(1)
        let run = Task(executorPreference: threads[0]) {
            await coalescer.value(for: "a", on: threads[0], whenCancelled: -1) { _ in
                for await _ in gate.stream { break }
                return 7
            }
        }
        try await Condition.met("the run works") { coalescer.waiting(for: "a") == 1 }
        let requests = (0..<2).map { _ in
            Task { await coalescer.value(for: "a", .interactive, whenCancelled: -1) { _ in 9 } }
        }
        try await Condition.met("both wait for it") { coalescer.waiting(for: "a") == 3 }
        requests[0].cancel()
        #expect(await requests[0].value == -1)
        #expect(coalescer.waiting(for: "a") == 2)
        gate.continuation.yield()
        #expect(await (run.value, requests[1].value) == (7, 7))
        BlockingThread.giveBack(threads)
    }

    @Test func `work of a run is shared with who asks for it meanwhile`() async throws {
        let coalescer = WorkCoalescer<String, Int>()
        let gate = AsyncStream.makeStream(of: Void.self)
        let threads = BlockingThread.borrow(1)
        let run = Task(executorPreference: threads[0]) {
            await coalescer.value(for: "a", on: threads[0], whenCancelled: -1) { _ in
                for await _ in gate.stream { break }
                return BlockingThread.isCurrent ? 7 : 8
            }
        }
        try await Condition.met("the run works") { coalescer.waiting(for: "a") == 1 }
        let request = Task { await coalescer.value(for: "a", .interactive, whenCancelled: -1) { _ in 9 } }
        try await Condition.met("somebody waits for it") { coalescer.waiting(for: "a") == 2 }
        gate.continuation.yield()
        #expect(await (run.value, request.value) == (7, 7))
        #expect(coalescer.waiting(for: "a") == 0)
        BlockingThread.giveBack(threads)
    }

    @Test func `work of a run that is cancelled is begun anew by who waits for it`() async throws {
        let coalescer = WorkCoalescer<String, Int>()
        let threads = BlockingThread.borrow(1)
        let run = Task(executorPreference: threads[0]) {
            await coalescer.value(for: "a", on: threads[0], whenCancelled: -1) { _ in
                (try? await Condition.met("the work is cancelled") { Task.isCancelled }) == nil ? 1 : 2
            }
        }
        try await Condition.met("the run works") { coalescer.waiting(for: "a") == 1 }
        let request = Task { await coalescer.value(for: "a", .interactive, whenCancelled: -1) { _ in 9 } }
        try await Condition.met("somebody waits for it") { coalescer.waiting(for: "a") == 2 }
        run.cancel()
        #expect(await (run.value, request.value) == (2, 9))
        BlockingThread.giveBack(threads)
    }
}

@Suite(.timeLimit(.minutes(10))) struct ItemQueueTests {
    @Test func `all that goes in comes out, in order, and no more than fits waits`() async {
        let queue = ItemQueue<Int>(capacity: 4)
        async let producer: Void = {
            for number in 0..<5000 { _ = await queue.push(number) }
            queue.finish()
        }()
        var expected = 0
        while let number = await queue.next() {
            #expect(number == expected)
            expected += 1
        }
        await producer
        #expect(expected == 5000)
    }

    @Test func `many take from it, each element once, and all are told when nothing is left`() async {
        let queue = ItemQueue<Int>(capacity: 4)
        let sum = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<7 {
                group.addTask {
                    var sum = 0
                    while let number = await queue.next() { sum += number }
                    return sum
                }
            }
            for number in 1...1000 { _ = await queue.push(number) }
            queue.finish()
            return await group.reduce(0, +)
        }
        #expect(sum == 500_500)
    }

    @Test func `what was taken from it is soon forgotten`() async {
        final class Thing: Sendable {}
        let queue = ItemQueue<Thing>(capacity: 2)
        weak var first: Thing?
        do {
            let thing = Thing()
            first = thing
            for thing in [thing, Thing()] { _ = await queue.push(thing) }
        }
        for _ in 0..<2 {
            _ = await queue.next()
            _ = await queue.push(Thing())
        }
        #expect(first == nil)
    }

    @Test func `a producer that waits is told when nothing more is wanted`() async {
        let queue = ItemQueue<Int>(capacity: 1)
        #expect(await queue.push(1))
        let producer = Task { await queue.push(2) }
        queue.finish(discarding: true)
        #expect(await !producer.value)
        #expect(await queue.next() == nil)
    }
}
