import CPlatform
import Containment
import Foundation
import Synchronization
import TestSupport
import Testing
import VitrineKit

@testable import Workers

/// Workers that are forked of a template.
@Suite(.timeLimit(.minutes(10))) struct WorkerTemplateTests {
    let scratch: TemporaryFolder
    var specification: WorkerSpecification

    init() throws {
        scratch = try TemporaryFolder()
        specification = WorkerSpecification(
            id: "hostile", library: Products.library("HostileRenderer"), pluginFolder: Products.folder.path,
            profile: .strictest, seconds: 120, addressSpace: 512 << 20)
    }

    private func pool() -> WorkerPool { WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 4) }

    /// Has a worker do something, and tells which.
    /// - Parameter started: is called when there is a worker.
    private func serve(
        _ command: String, _ pool: WorkerPool, named name: String = UUID().uuidString,
        started: @escaping @Sendable (pid_t) -> Void = { _ in }
    ) async throws -> pid_t {
        let file = try FileHandle(forReadingFrom: scratch.hostile("\(name).hostile", command))
        defer { try? file.close() }
        let job = WorkerJob(input: file.fileDescriptor, boxes: [128], mimeType: "application/x-vitrine-hostile")
        let pids = Pids()
        _ = try await pool.serve(specification) { process, startTime in
            pids.add(process.pid)
            started(process.pid)
            return await process.render(job, startTime: startTime)
        }
        return try #require(pids.all.last)
    }

    /// Waits until a process is reaped, for which the pool waits a second only: a busy machine may take longer.
    private func isGone(_ pid: pid_t) async throws {
        try await Condition.met("process \(pid) is reaped") { kill(pid, 0) != 0 && errno == ESRCH }
    }

    /// Waits until a template is being started.
    private func starting(_ specification: WorkerSpecification, of pool: WorkerPool) async throws -> TemplateStart {
        var start: TemplateStart?
        try await Condition.met("a template is started") {
            if case .starting(let begun)? = await pool.templates[specification.template] { start = begun }
            return start != nil
        }
        return try #require(start)
    }

    private func template(_ pool: WorkerPool) async throws -> WorkerTemplate {
        guard case .ready(let template, _)? = await pool.templates[specification.template] else {
            throw PluginError(.notFound, "the pool has no template")
        }
        return template
    }

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

    /// The renderer of these tests twice, each with a library of its own.
    /// - Parameter habit: what the second one does while it warms up. Default: nothing.
    private func companions(_ habit: String? = nil) throws -> (WorkerTemplateTests, WorkerTemplateTests) {
        var (first, second) = (self, self)
        if let habit {
            try scratch.write("plugin/\(habit)", Data())
            second.specification.pluginFolder = scratch.path + "/plugin"
        }
        let library = scratch.path + "/libOther.so"
        try FileManager.default.copyItem(atPath: specification.library, toPath: library)
        #expect(chmod(scratch.path, 0o755) == 0 && chmod(library, 0o755) == 0)
        (second.specification.id, second.specification.library) = ("other", library)
        let plain = (first.specification, second.specification)
        first.specification.shareTemplate(with: [plain.1])
        second.specification.shareTemplate(with: [plain.0])
        return (first, second)
    }

    @Test func `renderers that share a template have workers of their own`() async throws {
        let (first, second) = try companions()
        let pool = pool()
        let one = try await first.serve("ok", pool)
        let template = try await first.template(pool)
        let other = try await second.serve("ok", pool)
        #expect(try await second.template(pool) === template && one != other)
        let templates = await pool.templates.count
        #expect(templates == 1)
        let ids = pool.shelf.specifications.map(\.id)
        #expect(ids == ["hostile", "other"])
        await pool.end()
    }

    @Test func `a companion that does not load is no concern of the others`() async throws {
        var (first, second) = try companions()
        let missing = scratch.path + "/libMissing.so"
        var plain = second.specification
        plain.library = missing
        first.specification.shareTemplate(with: [plain])
        second.specification.library = missing
        let (pool, copy) = (pool(), second)
        _ = try await first.serve("ok", pool)
        let template = try await first.template(pool)
        let error = await #expect(throws: PluginError.self) { _ = try await copy.serve("ok", pool) }
        #expect(error?.code == .pluginUnavailable && error?.message.contains("libMissing.so") == true)
        _ = try await first.serve("ok", pool)
        #expect(try await first.template(pool) === template)
        await pool.end()
    }

    @Test(arguments: [true, false])
    func `a companion that ends the process while it warms up fails by itself only`(isFirst: Bool) async throws {
        let (sound, broken) = try companions("crashes")
        let pool = pool()
        func fails() async throws {
            let error = await #expect(throws: PluginError.self) { _ = try await broken.serve("ok", pool) }
            #expect(error?.code == .pluginUnavailable && error?.message.contains("plugin 'other'") == true)
        }
        if isFirst { try await fails() }
        _ = try await sound.serve("ok", pool)
        if !isFirst { try await fails() }
        _ = try await sound.serve("ok", pool)
        #expect(await pool.startedCount == 1)
        await pool.end()
    }

    @Test func `a template that a companion kept from starting is tried again after a while`() async throws {
        let (sound, broken) = try companions("crashes")
        let pool = WorkerPool(
            program: Products.program("vitrine-worker"), maximumIdle: 4, idleTime: .milliseconds(20))
        await #expect(throws: PluginError.self) { _ = try await broken.serve("ok", pool) }
        try FileManager.default.removeItem(atPath: scratch.path + "/plugin/crashes")
        try await Condition.met("both have a template again") {
            _ = try await sound.serve("ok", pool)
            if case .ready? = await pool.templates[sound.specification.template] { return true }
            return false
        }
        _ = try await broken.serve("ok", pool)
        await pool.end()
    }

    @Test func `who waits for a template that another renderer was to start does not get the other's error`()
        async throws
    {
        let (sound, broken) = try companions("hangs")
        let pool = pool()
        let failing = Task { try await broken.serve("ok", pool) }
        let start = try await starting(sound.specification, of: pool)
        async let served = sound.serve("ok", pool)
        try await Condition.met("both wait for the template") { start.waiterCount == 2 }
        #expect(kill(start.link.pid, SIGKILL) == 0)
        _ = try await served
        // Started by itself it hangs again.
        failing.cancel()
        await #expect(throws: PluginError.self) { _ = try await failing.value }
        await pool.end()
    }

    @Test func `renderers that may do more have a template of their own`() throws {
        var other = specification
        (other.id, other.library) = ("other", "/nonexistent/libOther.so")
        other.profile = try ContainmentProfile(threads: true)
        var sharing = specification
        sharing.shareTemplate(with: [other])
        #expect(sharing.template == specification.template)
    }

    /// The processes that were given work.
    private final class Pids: Sendable {
        private let pids = Mutex<[pid_t]>([])
        var all: [pid_t] { pids.withLock { $0 } }
        func add(_ pid: pid_t) { pids.withLock { $0.append(pid) } }
    }
}
