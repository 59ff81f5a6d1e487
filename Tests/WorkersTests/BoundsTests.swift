import CPlatform
import Containment
import Foundation
import TestSupport
import Testing
import Timing
import VitrineKit
import WorkerWire

@testable import Workers

/// What the host sees of a worker from outside, and what it does about it.
@Suite struct BoundsTests {
    let scratch: TemporaryFolder
    var specification = WorkerSpecification(
        id: "hostile", library: Products.library("HostileRenderer"), pluginFolder: Products.folder.path,
        profile: .strictest, seconds: 120, addressSpace: 8 << 30, residentMemory: 192 << 20)

    init() throws { scratch = try TemporaryFolder() }

    /// With a second for each item, and no bound of memory.
    private var brief: WorkerSpecification { with(specification) { ($0.seconds, $0.residentMemory) = (1, .max) } }

    private func failure(_ command: String, boxes: [Int] = [128], _ pool: WorkerPool) async throws -> PluginError? {
        let file = try FileHandle(forReadingFrom: scratch.hostile("\(UUID()).hostile", command))
        let job = WorkerJob(
            input: file.fileDescriptor, RenderWish(boxes: boxes, mimeType: "application/x-vitrine-hostile"))
        do throws(PluginError) {
            _ = try await pool.render(job, by: specification)
            return nil
        } catch { return error }
    }

    @Test func `a worker that takes memory is ended before the machine runs out of it, and not asked twice`()
        async throws
    {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1)
        let error = try #require(try await failure("allocate", pool))
        #expect(error.code == .limitExceeded)
        #expect(error.message.contains("192 MiB"))
        #expect(error.message.contains("(resident-memory)"))
        #expect(await pool.startedCount == 1)
        #expect(try await failure("ok", pool) == nil)
        await pool.end()
    }

    /// By itself, and as a template of others.
    @Test(arguments: [false, true])
    func `a worker that takes memory before it is warm is ended as well`(byItself: Bool) async throws {
        try scratch.write("plugin/allocates", Data())
        #expect(chmod(scratch.path, 0o755) == 0)
        var tests = self
        tests.specification.pluginFolder = scratch.path + "/plugin"
        if byItself { tests.specification.profile = try ContainmentProfile(privateFolder: true) }
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1)
        let error = try #require(try await tests.failure("ok", pool))
        #expect(error.code == .pluginUnavailable)
        #expect(error.message.contains("needed more than 192 MiB of memory to start (resident-memory)"))
        await pool.end()
    }

    @Test func `previews that need more memory than they may are not begun`() async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1)
        let error = try #require(try await failure("ok", boxes: [16_384, 16_384], pool))
        #expect(error.code == .limitExceeded)
        #expect(error.message.contains("(output)"))
        await pool.end()
    }

    @Test func `memory that the system does not show is told, and bounds nothing`() async throws {
        let memory = vp_open_memory(getpid())
        defer { close(memory) }
        #expect(vp_resident_memory(memory) > 1 << 20)
        let tight = with(specification) { $0.residentMemory = 1 }
        let seen = WorkerWatch(pid: getpid(), memory: memory, folder: nil, tight)
        #expect(seen.look()?.message.contains("(resident-memory)") == true)
        let unseen = WorkerWatch(pid: getpid(), memory: -1, folder: nil, tight)
        #expect(unseen.look() == nil)
        #expect(vp_resident_memory(-1) < 0)
        #expect(vp_open_memory(.max) < 0)
    }

    @Test func `a worker that keeps too much memory of its own is replaced`() throws {
        let memory = vp_open_memory(getpid())
        defer { close(memory) }
        let own = vp_own_memory(memory)
        #expect(1 << 20..<vp_resident_memory(memory) ~= own)
        func isWorn(keeping most: Int64) -> Bool {
            let bounds = with(specification) { ($0.residentMemory, $0.keptMemory) = (.max, most) }
            return WorkerWatch(pid: getpid(), memory: memory, folder: nil, bounds).isWorn(withFolder: false)
        }
        // Other tests of this process take and give back memory meanwhile.
        #expect(isWorn(keeping: own / 8))
        #expect(!isWorn(keeping: own * 16))
        #expect(vp_own_memory(-1) < 0)
    }

    @Test func `processor time of another process is seen from outside`() async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1)
        #expect(try await failure("ok", pool) == nil)
        #expect(await pool.watchesMemory)
        await pool.end()
        let process = try await WorkerProcess.start(
            program: Products.program("vitrine-worker"), specification, deadline: .seconds(300))
        defer { process.end() }
        #expect(process.isMemoryVisible)
        #expect(vp_processor_time(process.pid) > 0)
    }

    @Test func `processor time is seen from outside`() throws {
        var mine = specification
        mine.seconds = 1
        let watch = WorkerWatch(pid: getpid(), memory: -1, folder: nil, with(mine) { $0.residentMemory = .max })
        var found: PluginError?
        while found == nil {
            useProcessor()
            found = watch.look()
        }
        #expect(found?.code == .timeout)
        #expect(found?.message.contains("processor time") == true)
    }

    @Test func `a worker that waits for a core is not late`() throws {
        let easy = with(specification) { $0.residentMemory = .max }
        let watch = WorkerWatch(pid: getpid(), memory: -1, folder: nil, easy)
        // More looks than there are in its time, between any two of which it had the processor for a moment.
        for moment in Self.moments.prefix(easy.seconds * 10 + 10) {
            useProcessor()
            #expect(watch.look(at: moment) == nil)
        }
    }

    @Test func `a look that is taken again counts anew`() throws {
        // No process has this number: it uses nothing.
        let watch = WorkerWatch(pid: 1 << 22, memory: -1, folder: nil, brief)
        #expect(Self.moments.prefix(brief.seconds * 10 + 10).contains { watch.look(at: $0) != nil })
        #expect(Self.moments.prefix(brief.seconds * 10 - 2).allSatisfy { watch.anew().look(at: $0) == nil })
    }

    /// Moments as far apart as looks are, from now on.
    private static var moments: some Sequence<Moment> {
        sequence(first: .now + WorkerWatch.interval) { $0 + WorkerWatch.interval }
    }

    /// Uses the processor until that is seen.
    private func useProcessor() {
        let before = vp_processor_time(getpid())
        while vp_processor_time(getpid()) == before { continue }
    }

    @Test func `a worker that sleeps is late`() async throws {
        let process = try await WorkerProcess.start(
            program: Products.program("vitrine-worker"), specification, deadline: .seconds(300))
        defer { process.end() }
        let watch = WorkerWatch(pid: process.pid, memory: -1, folder: nil, brief)
        // It may be on its way to sleep when it is looked at first.
        let looks = Self.moments.prefix(50).lazy.map { watch.look(at: $0) }
        let (count, found) = try #require(looks.enumerated().first { $0.element != nil })
        #expect(count >= 10)
        #expect(found?.code == .timeout)
        #expect(found?.message == "plugin 'hostile' did not finish within 1 s (seconds)")
    }

    @Test func `a look counts what passed since the last one, and a late one no more than another`() throws {
        // No process has this number, whose processor time is therefore not seen.
        let nobody: pid_t = 1 << 22
        #expect(vp_processor_time(nobody) < 0)
        let watch = WorkerWatch(pid: nobody, memory: -1, folder: nil, brief)
        var now = Moment.now
        func look(after time: Duration) -> PluginError? {
            now += time
            return watch.look(at: now)
        }
        for _ in 0..<9 { #expect(look(after: .seconds(3600)) == nil) }
        for _ in 0..<20 { #expect(look(after: .milliseconds(1)) == nil) }
        #expect(look(after: .milliseconds(90)) != nil)
    }

    @Test func `the time that a worker waits for the host does not count`() async throws {
        /// A server that is slow.
        struct SlowRanges: RangeProvider {
            func bring(_ offset: Int64, _ count: Int64) async throws(PluginError) -> Range<Int64> {
                let end = ContinuousClock.now + WorkerWatch.interval + .milliseconds(10)
                while ContinuousClock.now < end { await Task.yield() }
                return offset..<offset + count
            }
        }
        let (pool, url) = (
            WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1),
            try scratch.hostile("slow.hostile", "steps")
        )
        // More ranges than looks that such a worker may do nothing between.
        #expect(truncate(url.path, 14 * 64 << 10) == 0)
        let file = try FileHandle(forReadingFrom: url)
        var job = WorkerJob(
            input: file.fileDescriptor, RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile"))
        job.ranges = SlowRanges()
        let result = try await pool.render(job, by: with(brief) { $0.ownPatience = 120 })
        #expect(result.readTime > .milliseconds(1400))
        await pool.end()
    }

    @Test(.timeLimit(.minutes(10)))
    func `a worker that asks again and again and reads no answer does not hold up the host`() async throws {
        /// Has everything.
        struct ReadyRanges: RangeProvider {
            func bring(_ offset: Int64, _ count: Int64) async throws(PluginError) -> Range<Int64> {
                offset..<offset + count
            }
        }
        let question = WorkerMessage.needs(number: 1, offset: 0, count: 1).encoded()
        let command = "insist " + question.map { String(format: "%02x", $0) }.joined()
        let file = try FileHandle(forReadingFrom: scratch.hostile("deaf.hostile", command))
        var job = WorkerJob(
            input: file.fileDescriptor, RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile"))
        job.ranges = ReadyRanges()
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1)
        let error = await #expect(throws: PluginError.self) { try await pool.render(job, by: specification) }
        #expect(error?.code == .invalidAnswer, "\(error?.message ?? "")")
        #expect(try await failure("ok", pool) == nil)
        await pool.end()
    }

    @Test func `what never comes to an end is ended by the clock`() async throws {
        #expect(specification.patience == specification.seconds * 6)
        var tests = self
        tests.specification.ownPatience = 1
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1)
        let error = try #require(try await tests.failure("hang", pool))
        #expect(error.code == .timeout)
        let seconds = specification.seconds
        #expect(error.message.contains("did not finish within 1 s, though it did not use \(seconds) s of processor"))
        await pool.end()
    }

    @Test(arguments: [true, false])
    func `what lies in a private folder is seen from outside`(many: Bool) throws {
        for number in 0..<(many ? Int(WorkerWatch.mostFiles) : 3) {
            let file = "folder/\(number % 10)/\(number)"
            try scratch.write(file, Data(repeating: 1, count: many ? 0 : 1 << 20))
        }
        let small = with(specification) {
            $0.privateFolderSize = (many ? 512 : 2) << 20
            $0.residentMemory = .max
        }
        let watch = WorkerWatch(pid: getpid(), memory: -1, folder: scratch.path + "/folder", small)
        #expect(watch.isWorn(withFolder: true))
        let looks = (0..<10).map { _ in watch.look() }
        let error = try #require(looks.last ?? nil)
        #expect(error.code == .limitExceeded)
        #expect(error.message.contains("(private-folder)"))
    }

    @Test func `a worker does not fill the disk with what is in no folder`() throws {
        let easy = with(specification) { $0.residentMemory = .max }
        var watch = WorkerWatch(pid: getpid(), memory: -1, folder: scratch.path, easy)
        #expect(0...WorkerWatch.reserve ~= watch.mustStayFree)
        #expect(watch.look() == nil)
        watch.mustStayFree = .max
        let found = watch.look()
        let error = try #require(found)
        #expect(error.code == .noSpace)
        #expect(!error.isPermanent)
        #expect(error.message.contains(scratch.path))
        var without = WorkerWatch(pid: getpid(), memory: -1, folder: nil, easy)
        without.mustStayFree = .max
        #expect(without.look() == nil)
    }

    @Test func `a worker offers itself to the kernel first, and its life is bounded`() async throws {
        let process = try await WorkerProcess.start(
            program: Products.program("vitrine-worker"), specification, deadline: .seconds(300))
        defer { process.end() }
        let score = try String(contentsOfFile: "/proc/\(process.pid)/oom_score_adj", encoding: .utf8)
        #expect(Int(score.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 >= 800)
        let limits = try String(contentsOfFile: "/proc/\(process.pid)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max cpu time") })
        let words = line.split(separator: " ")
        #expect(words[3] == "\(specification.lifetime)")
        #expect(words[4] == "\(specification.lifetime)")
    }

    private func with(
        _ specification: WorkerSpecification, _ change: (inout WorkerSpecification) -> Void
    ) -> WorkerSpecification {
        var specification = specification
        change(&specification)
        return specification
    }
}
