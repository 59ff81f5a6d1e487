import Containment
import Testing
import WorkerWire

@testable import Workers

/// The lists of a pool's workers, with processes that do nothing.
@Suite struct WorkerShelfTests {
    private let specification = WorkerSpecification(
        id: "idle", library: "", pluginFolder: "", profile: .strictest, seconds: 120, addressSpace: 512 << 20)

    private func process() throws -> WorkerProcess {
        let link = try WorkerProcess.Link.spawn(program: "/bin/cat", privateFolder: false)
        return WorkerProcess(specification, readiness: WorkerReadiness(layers: []), link: link)
    }

    private func started(_ shelf: WorkerShelf) throws -> WorkerProcess {
        let process = try process()
        #expect(shelf.starts(process.link))
        shelf.started(process)
        return process
    }

    @Test func `the end sees every worker, whoever has it`() async throws {
        let shelf = WorkerShelf(maximumIdle: 1)
        let starting = try process()
        #expect(shelf.starts(starting.link))
        let (fresh, taken, idle, surplus, retired) = try (
            started(shelf), started(shelf), started(shelf), started(shelf), started(shelf)
        )
        shelf.give(taken)
        #expect(shelf.takeIdle(specification) { _ in true } === taken)
        shelf.give(surplus)
        shelf.give(idle)
        shelf.retire(retired)
        // Of a template each is a user, from when it is taken until it is ended.
        #expect(shelf.idleCount == 1 && shelf.specifications.count == 3)
        let left = shelf.close()
        for link in left { await link.ended(within: .seconds(300)) }
        for process in [starting, fresh, taken, idle, surplus, retired] {
            #expect(process.isGone || left.contains { $0 === process.link })
            #expect(!process.link.isRunning)
        }
        // What comes later is ended at once.
        let late = try process()
        #expect(!shelf.starts(late.link) && !late.link.isRunning)
        await late.ended(within: .seconds(300))
        shelf.started(taken)
        shelf.give(taken)
        #expect(shelf.idleCount == 0 && shelf.specifications.isEmpty)
    }

    @Test func `what somebody waits for stays beyond the bound until it is taken`() async throws {
        let shelf = WorkerShelf(maximumIdle: 0)
        let (promised, other) = try (started(shelf), started(shelf))
        shelf.give(promised, isPromised: true)
        shelf.give(other)
        #expect(!other.link.isRunning)
        #expect(shelf.takeIdle(specification) { _ in true } === promised)
        for link in shelf.close() { await link.ended(within: .seconds(300)) }
    }
}
