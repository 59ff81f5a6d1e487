import CPlatform
import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import Workers

/// How templates come and go, and what is forked of them.
@Suite(.timeLimit(.minutes(10))) struct WorkerTemplateTests: TemplateTests {
    let scratch: TemporaryFolder
    var specification = WorkerSpecification.hostile

    init() throws { scratch = try TemporaryFolder() }

    @Test func `workers of a renderer are forked of one template and are children of the host`() async throws {
        let pool = pool()
        let (held, isHeld) = AsyncStream<pid_t>.makeStream()
        // Works until its file is as large as that.
        async let first = serve("hold 1000", pool, named: "held") { isHeld.yield($0) }
        let busy = try #require(await held.first { _ in true })
        let second = try await serve("ok", pool)
        let template = try await template(pool)
        #expect(Set([busy, second, template.pid]).count == 3)
        for pid in [busy, second, template.pid] {
            #expect(vp_is_child(pid) != 0)
            // Another user's are not shown; standard input, output and error, and the socket. An item's are closed.
            guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd") else { continue }
            #expect(
                Set(["0", "1", "2", "3"]).isSubset(of: open) && open.count <= (pid == template.pid ? 4 : 6), "\(open)")
        }
        #expect(truncate(scratch.path + "/held.hostile", 1000) == 0)
        #expect(try await first == busy)
        #expect(await pool.startedCount == 2)
        await pool.end()
        for pid in [busy, second, template.pid] { try await isGone(pid) }
    }

    @Test func `a start that everybody gave up is ended, and the next one is another`() async throws {
        let pool = pool()
        let given = Task { try await serve("ok", pool) }
        given.cancel()
        await #expect(throws: (any Error).self) { _ = try await given.value }
        _ = try await serve("ok", pool)
        _ = try await template(pool)
        await pool.end()
    }

    @Test func `templates that warm up end with the pool`() async throws {
        var tests = self
        try scratch.write("plugin/hangs", Data())
        #expect(chmod(scratch.path, 0o755) == 0)
        tests.specification.pluginFolder = scratch.path + "/plugin"
        let (pool, copy) = (pool(), tests)
        let waiting = Task { try await copy.serve("ok", pool) }
        let pid = try await starting(tests.specification, of: pool).link.pid
        await pool.end()
        try await isGone(pid)
        await #expect(throws: PluginError.self) { _ = try await waiting.value }
        #expect(await pool.startedCount == 0)
    }

    @Test func `templates whose workers crash again and again make way for others`() async throws {
        let pool = pool()
        _ = try await serve("ok", pool)
        let before = try await template(pool)
        // Each is tried twice.
        for _ in 0..<5 { await #expect(throws: PluginError.self) { _ = try await serve("crash", pool) } }
        #expect(try await template(pool) !== before)
        await pool.end()
    }

    @Test func `a template that is ended while it forks leaves no process that nobody reaps`() async throws {
        for round in 0..<40 {
            let pool = pool()
            _ = try await serve("ok", pool)
            let (template, specification) = (try await template(pool), specification)
            let forking = Task {
                try await WorkerProcess.begin(
                    try await template.fork(deadline: .seconds(120)), specification, .seconds(120))
            }
            // At another moment of the fork each time.
            let end = ContinuousClock.now + .microseconds(50 * round)
            while ContinuousClock.now < end {}
            template.end()
            if case .success(let worker) = await forking.result { worker.end() }
            await pool.end()
            // Forked workers are of its group.
            try await Condition.met("no process of the group is left") {
                var unused = siginfo_t()
                return waitid(P_PGID, id_t(template.pid), &unused, WEXITED | WNOHANG | WNOWAIT) != 0
            }
        }
    }

    @Test func `a pool that ends while a template forks waits for the process`() async throws {
        for round in 0..<30 {
            // Keeps no worker, so that the next item needs another one.
            let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 0)
            _ = try await serve("ok", pool)
            let group = id_t(try await template(pool).pid)
            let serving = Task { try await serve("ok", pool) }
            // At another moment of the fork each time.
            let moment = ContinuousClock.now + .microseconds(100 * round)
            while ContinuousClock.now < moment {}
            let began = ContinuousClock.now
            await pool.end()
            // On a busy machine it gives up after a second.
            if ContinuousClock.now - began < .seconds(1) {
                var unused = siginfo_t()
                #expect(waitid(P_PGID, group, &unused, WEXITED | WNOHANG | WNOWAIT) != 0)
            }
            _ = await serving.result
        }
    }

    @Test func `a forked worker is contained as one that was started is`() async throws {
        let pool = pool()
        let forked = try await pool.readiness(of: specification)
        _ = try await template(pool)
        let started = try await WorkerProcess.start(
            program: Products.program("vitrine-worker"), specification, deadline: .seconds(300))
        #expect(forked == started.containment)
        started.end()
        await pool.end()
    }

    @Test func `a worker that is lost is replaced by another one of the template`() async throws {
        let pool = pool()
        let first = try await serve("ok", pool)
        let before = try await template(pool)
        await #expect(throws: PluginError.self) { _ = try await serve("crash", pool) }
        let second = try await serve("ok", pool)
        #expect(first != second)
        #expect(try await template(pool) === before)
        await pool.end()
    }

    @Test func `a template that is gone is missed by nobody`() async throws {
        let pool = pool()
        _ = try await serve("ok", pool)
        let lost = try await template(pool)
        #expect(kill(lost.pid, SIGKILL) == 0)
        // Its worker goes on; the next one is started without it, and those after that are forked again.
        _ = try await serve("ok", pool)
        await #expect(throws: PluginError.self) { _ = try await serve("crash", pool) }
        _ = try await serve("ok", pool)
        await #expect(throws: PluginError.self) { _ = try await serve("crash", pool) }
        _ = try await serve("ok", pool)
        #expect(try await template(pool) !== lost)
        await pool.end()
    }

    @Test(arguments: ["threads", "shares", "opens"])
    func `a library that makes what forks cannot have or would share is not forked`(_ habit: String) async throws {
        var tests = self
        try scratch.write("plugin/\(habit)", Data())
        #expect(chmod(scratch.path, 0o755) == 0)
        tests.specification.pluginFolder = scratch.path + "/plugin"
        let pool = pool()
        async let first = tests.serve("ok", pool)
        async let second = tests.serve("ok", pool)
        _ = try await [first, second]
        guard case .impossible? = await pool.templates[tests.specification.template] else {
            Issue.record("it has a template")
            return
        }
        await pool.end()
    }

    @Test func `what became a worker instead of a template serves who waits for it, whatever may wait for work`()
        async throws
    {
        var tests = self
        try scratch.write("plugin/threads", Data())
        #expect(chmod(scratch.path, 0o755) == 0)
        tests.specification.pluginFolder = scratch.path + "/plugin"
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 0)
        let pid = try await tests.serve("ok", pool)
        #expect(await pool.startedCount == 1)
        try await isGone(pid)
        await pool.end()
    }

    @Test func `a template ends when its renderer is not used any more`() async throws {
        let pool = WorkerPool(
            program: Products.program("vitrine-worker"), maximumIdle: 4, idleTime: .milliseconds(50))
        _ = try await serve("ok", pool)
        try await Condition.met("the template is retired") { await !pool.hasTemplates }
        let ended = try #require(await pool.retiredTemplates.first)
        try await isGone(ended.pid)
        await pool.end()
    }
}
