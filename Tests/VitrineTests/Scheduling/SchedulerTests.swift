import Dispatch
import Synchronization
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

@Suite(.timeLimit(.minutes(10))) struct SchedulerTests {
    private let free = Scheduler.Lane(name: "free", limit: 0)
    private let narrow = Scheduler.Lane(name: "narrow", limit: 1)

    /// Notes what ran and lets the test decide when something ends.
    private actor Journal {
        private(set) var started: [String] = []
        private var waiting: [String: CheckedContinuation<Void, Never>] = [:]
        private var released: Set<String> = []

        func run(_ name: String) async {
            started.append(name)
            if released.contains(name) { return }
            await withCheckedContinuation { waiting[name] = $0 }
        }

        func release(_ name: String) {
            released.insert(name)
            waiting.removeValue(forKey: name)?.resume()
        }

        func hasStarted(_ count: Int) -> Bool { started.count >= count }
    }

    private func until(_ condition: () async -> Bool) async throws {
        try await Condition.met("the scheduler is where the test wants it", condition)
    }

    @Test func `interactive work overtakes what is recent, and that overtakes batch work`() async throws {
        let scheduler = Scheduler(permits: 1)
        let journal = Journal()
        func submit(_ name: String, _ priority: WorkPriority) -> Task<Void, any Error> {
            Task { try await scheduler.run(Urgency(priority), in: free) { await journal.run(name) } }
        }
        let first = submit("first", .batch)
        try await until { await journal.hasStarted(1) }
        var tasks: [Task<Void, any Error>] = []
        for (index, (name, priority)) in [
            ("batch 1", WorkPriority.batch), ("batch 2", .batch), ("saved 1", .recent), ("look 1", .interactive),
            ("look 2", .interactive), ("saved 2", .recent),
        ].enumerated() {
            tasks.append(submit(name, priority))
            try await until { scheduler.waitingCount == index + 1 }
        }
        for name in ["first", "batch 1", "batch 2", "saved 1", "saved 2", "look 1", "look 2"] {
            await journal.release(name)
        }
        for task in [first] + tasks { try await task.value }
        #expect(await journal.started == ["first", "look 2", "look 1", "saved 1", "saved 2", "batch 1", "batch 2"])
    }

    @Test func `work that waits for a server lends its permit, and gets one back before what is new`() async throws {
        let scheduler = Scheduler(permits: 1)
        let journal = Journal()
        func submit(_ name: String) -> Task<Void, any Error> {
            Task { try await scheduler.run(Urgency(.batch), in: free) { await journal.run(name) } }
        }
        let away = Task {
            try await scheduler.run(Urgency(.batch), in: narrow) { () async throws(PluginError) in
                try await scheduler.whileAway { () async throws(PluginError) in await journal.run("away") }
                await journal.run("back")
            }
        }
        try await until { await journal.hasStarted(1) }
        let other = submit("other")
        try await until { await journal.hasStarted(2) }
        // Its lane is still taken.
        let sameLane = Task { try await scheduler.run(Urgency(.batch), in: narrow) { await journal.run("same lane") } }
        try await until { scheduler.waitingCount == 1 }
        await journal.release("away")
        try await until { scheduler.returningCount == 1 }
        for name in ["other", "back", "same lane"] { await journal.release(name) }
        for task in [away, other, sameLane] { try await task.value }
        #expect(await journal.started == ["away", "other", "back", "same lane"])
    }

    @Test func `batch work that somebody asks to see becomes urgent while it waits`() async throws {
        let scheduler = Scheduler(permits: 1)
        let journal = Journal()
        let urgency = Urgency(.batch)
        let first = Task { try await scheduler.run(Urgency(.batch), in: free) { await journal.run("first") } }
        try await until { await journal.hasStarted(1) }
        let second = Task { try await scheduler.run(Urgency(.batch), in: free) { await journal.run("second") } }
        try await until { scheduler.waitingCount == 1 }
        let third = Task { try await scheduler.run(urgency, in: free) { await journal.run("third") } }
        try await until { scheduler.waitingCount == 2 }
        urgency.raise(to: .interactive)
        for name in ["first", "second", "third"] { await journal.release(name) }
        for task in [first, second, third] { try await task.value }
        #expect(await journal.started == ["first", "third", "second"])
    }

    @Test func `a full lane holds up nobody else`() async throws {
        let scheduler = Scheduler(permits: 3)
        let journal = Journal()
        func submit(_ name: String, _ lane: Scheduler.Lane) -> Task<Void, any Error> {
            Task { try await scheduler.run(Urgency(.batch), in: lane) { await journal.run(name) } }
        }
        let one = submit("narrow 1", narrow)
        try await until { await journal.hasStarted(1) }
        let two = submit("narrow 2", narrow)
        try await until { scheduler.waitingCount == 1 }
        let three = submit("free", free)
        try await until { await journal.hasStarted(2) }
        #expect(await journal.started == ["narrow 1", "free"])
        for name in ["narrow 1", "narrow 2", "free"] { await journal.release(name) }
        for task in [one, two, three] { try await task.value }
        #expect(await journal.started == ["narrow 1", "free", "narrow 2"])
    }

    @Test func `who is cancelled while waiting leaves the queue`() async throws {
        let scheduler = Scheduler(permits: 1)
        let journal = Journal()
        let first = Task { try await scheduler.run(Urgency(.batch), in: free) { await journal.run("first") } }
        try await until { await journal.hasStarted(1) }
        let second = Task { try await scheduler.run(Urgency(.batch), in: free) { await journal.run("second") } }
        try await until { scheduler.waitingCount == 1 }
        second.cancel()
        await #expect(throws: PluginError.self) { try await second.value }
        await journal.release("first")
        try await first.value
        #expect(await journal.started == ["first"])
        // The permit came back.
        await journal.release("third")
        try await scheduler.run(Urgency(.batch), in: free) { await journal.run("third") }
    }

    /// Counts how often a task that prefers it is handed over to it.
    private final class CountingExecutor: TaskExecutor {
        private let queue = DispatchQueue(label: "vitrine.test")
        private let enqueued = Atomic(0)

        var count: Int { enqueued.load(ordering: .relaxed) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            enqueued.add(1, ordering: .relaxed)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func `work whose turn it is at once stays where it is`() async throws {
        let (scheduler, executor) = (Scheduler(permits: 1), CountingExecutor())
        let changes = try await Task(executorPreference: executor) {
            let before = executor.count
            try await scheduler.run(Urgency(.batch), in: free) {}
            return executor.count - before
        }.value
        #expect(changes == 0)
    }

    @Test func `a permit comes back from work that fails`() async throws {
        let scheduler = Scheduler(permits: 1)
        for _ in 0..<3 {
            await #expect(throws: PluginError.self) {
                try await scheduler.run(Urgency(.batch), in: free) { () async throws(PluginError) in
                    throw PluginError(.corrupt, "no")
                }
            }
        }
        #expect(scheduler.waitingCount == 0)
    }

    @Test func `a lane that widens begins with one place, and gets more when work waits beside a free permit`()
        async throws
    {
        let scheduler = Scheduler(permits: 4)
        let journal = Journal()
        let lane = Scheduler.Lane(name: "wide", limit: 0, widens: true)
        func submit(_ name: String, _ priority: WorkPriority = .batch) -> Task<Void, any Error> {
            Task { try await scheduler.run(Urgency(priority), in: lane) { await journal.run(name) } }
        }
        scheduler.learn(startTime: .seconds(3600), of: lane)
        var tasks = [submit("a")]
        try await until { await journal.hasStarted(1) }
        tasks.append(submit("b"))
        try await until { scheduler.waitingCount == 1 }
        // Somebody who looks does not wait for that, and another lane has places of its own.
        tasks.append(submit("look", .interactive))
        try await until { await journal.hasStarted(2) }
        tasks.append(Task { try await scheduler.run(Urgency(.batch), in: free) { await journal.run("other") } })
        try await until { await journal.hasStarted(3) }
        #expect(await journal.started == ["a", "look", "other"])
        await journal.release("look")
        try await tasks[2].value
        #expect(scheduler.waitingCount == 1)
        for name in ["a", "b", "other"] { await journal.release(name) }
        for task in tasks { try await task.value }

        // Nothing ends, and yet the lane becomes wider: the first one may hang.
        let quick = Scheduler.Lane(name: "quick", limit: 0, widens: true)
        scheduler.learn(startTime: .milliseconds(1), of: quick)
        let more = ["d", "e", "f"].map { name in
            Task { try await scheduler.run(Urgency(.batch), in: quick) { await journal.run(name) } }
        }
        try await until { await journal.hasStarted(7) }
        for name in ["d", "e", "f"] { await journal.release(name) }
        for task in more { try await task.value }
    }
}
