import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(10))) struct BlockingThreadTests {
    private actor Counter {
        private(set) var threads: Set<Bool> = []
        func note() { threads.insert(BlockingThread.isCurrent) }
    }

    private final class Gate: Sendable {
        private let state = Atomic(false)
        var isOpen: Bool { state.load(ordering: .acquiring) }
        func open() { state.store(true, ordering: .releasing) }
    }

    @Test func `a task stays on its thread, through actors, tasks and continuations`() async {
        #expect(!BlockingThread.isCurrent)
        let threads = BlockingThread.borrow(1)
        let counter = Counter()
        await Task(executorPreference: threads[0]) {
            #expect(BlockingThread.isCurrent)
            await counter.note()
            #expect(BlockingThread.isCurrent)
            await withCheckedContinuation { continuation in Task { continuation.resume() } }
            #expect(BlockingThread.isCurrent)
        }.value
        #expect(await counter.threads == [true])
        BlockingThread.giveBack(threads)
    }

    @Test func `a thread is not for those whose actors it runs`() async {
        let threads = BlockingThread.borrow(2)
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for thread in threads {
                group.addTask(executorPreference: thread) { for _ in 0..<500 { await counter.note() } }
            }
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        await counter.note()
                        // Whose thread it is now, chance decides.
                        #expect(!BlockingThread.isCurrent)
                    }
                }
            }
        }
        BlockingThread.giveBack(threads)
    }

    @Test func `threads that block hold up no others`() async {
        let threads = BlockingThread.borrow(9)
        let gate = Gate()
        let end = ContinuousClock.now + .seconds(180)
        await withTaskGroup(of: Void.self) { group in
            for thread in threads.dropLast() {
                group.addTask(executorPreference: thread) {
                    while !gate.isOpen, .now < end { sched_yield() }
                    #expect(gate.isOpen)
                }
            }
            group.addTask(executorPreference: threads[8]) {
                await Task.yield()
                gate.open()
            }
        }
        #expect(gate.isOpen)
        BlockingThread.giveBack(threads)
    }

    @Test func `threads are used again`() async {
        let first = BlockingThread.borrow(2)
        BlockingThread.giveBack(first)
        let second = BlockingThread.borrow(2)
        #expect(first.count == 2 && second.count == 2 && first[0] !== first[1])
        BlockingThread.giveBack(second)
    }

    @Test func `a thread ends when nothing comes for a while, and another one takes what comes then`() async throws {
        let thread = BlockingThread(patience: .milliseconds(5))
        for _ in 0..<3 {
            let folder = try await Task(executorPreference: thread) {
                #expect(BlockingThread.isCurrent)
                return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            }.value
            try await Condition.met("the system has the thread no more") {
                !FileManager.default.fileExists(atPath: "/proc/" + folder)
            }
            #expect(!thread.isRunning)
        }
    }
}
