import Containment
import Foundation
import Synchronization
import TestSupport
import Testing
import VitrineKit
import WorkerWire

@testable import Workers

/// How the pool keeps, replaces and ends its workers.
@Suite struct WorkerPoolTests: HostileJobs {
    let scratch: TemporaryFolder
    var specification = WorkerSpecification.hostile

    init() throws {
        scratch = try TemporaryFolder()
        specification.documentsPerWorker = 100
    }

    @Test func `a warm worker serves the next item`() async throws {
        let pool = pool()
        _ = try await render("ok", pool).get()
        #expect(await pool.idleCount == 1)
        _ = try await render("ok", pool).get()
        #expect(await pool.idleCount == 1)
        #expect(await pool.startedCount == 1)
        await pool.end()
        #expect(await pool.idleCount == 0)
    }

    @Test func `what has a password is drawn by a worker that serves nobody else`() async throws {
        let pool = pool()
        _ = try await render("ok", pool).get()
        let file = try FileHandle(forReadingFrom: scratch.hostile("locked.hostile", "ok"))
        var job = WorkerJob(
            input: file.fileDescriptor, RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile"))
        job.password = Password(Array("secret".utf8))
        _ = try await pool.render(job, by: specification)
        #expect(await pool.startedCount == 2)
        _ = try await render("ok", pool).get()
        #expect(await pool.startedCount == 2)
        #expect(await pool.idleCount == 1)
        await pool.end()
    }

    @Test func `what has a password takes the place of a worker that waits where none can be forked`() async throws {
        var tests = self
        tests.specification.profile = try ContainmentProfile(privateFolder: true)
        let pool = pool()
        _ = try await tests.render("ok", pool).get()
        #expect(await pool.idleCount == 1)
        let idleOnes = Counts()
        _ = try await pool.serve(tests.specification, alone: true) { _, _ in
            idleOnes.add(await pool.idleCount)
            return .answered(true)
        }
        #expect(idleOnes.all == [0])
        await pool.end()
    }

    @Test func `one crash after an answer that was nonsense is not two`() async throws {
        let pool = pool()
        for _ in 0..<2 { _ = try await render("ok", pool).get() }
        let pids = Counts()
        let nonsense = PluginError(.invalidAnswer, "nonsense")
        let answer = try await pool.serve(specification) { process, _ -> WorkerProcess.Outcome<Int> in
            pids.add(Int(process.pid))
            switch pids.all.count {
            case 1: return .nonsense(nonsense)
            case 2:
                process.end()
                return .lost("signal 11")
            default: return .answered(7)
            }
        }
        #expect(answer == 7)
        #expect(Set(pids.all).count == 3)
        // Two are two, and a second nonsense is believed.
        for (ends, code) in [([1, 1], PluginError.Code.crashed), ([1, 0], .invalidAnswer), ([0, 1, 1], .crashed)] {
            for _ in 0..<2 { _ = try await render("ok", pool).get() }
            let asked = Counts()
            let error = await #expect(throws: PluginError.self) {
                _ = try await pool.serve(specification) { process, _ -> WorkerProcess.Outcome<Int> in
                    asked.add(Int(process.pid))
                    guard ends[min(asked.all.count, ends.count) - 1] == 1 else { return .nonsense(nonsense) }
                    process.end()
                    return .lost("signal 11")
                }
            }
            #expect(error?.code == code && asked.all.count == ends.count)
        }
        await pool.end()
    }

    @Test func `memory that workers get cannot be changed however it is opened`() async throws {
        let member = try MemberMemory(size: 3) { (fd) throws(PluginError) in
            guard write(fd, "abc", 3) == 3 else { throw PluginError(errno: errno, "cannot write") }
        }
        let parts = try await WorkerPool.memory(of: [Array("a".utf8), Array("bc".utf8)], named: "test")
        defer { close(parts) }
        for memory in [member.fd, parts] {
            #expect(write(memory, "x", 1) == -1)
            // For reading and writing, as root and the owner may open it.
            let again = open("/proc/self/fd/\(memory)", O_RDWR | O_CLOEXEC)
            defer { if again >= 0 { close(again) } }
            #expect(pwrite(again, "x", 1, 0) == -1)
            #expect(ftruncate(again, 0) == -1)
            var bytes = [UInt8](repeating: 0, count: 4)
            #expect(read(memory, &bytes, 4) == 3 && bytes == Array("abc\0".utf8))
        }
    }

    @Test func `one decode makes every size`() async throws {
        let pool = pool()
        let result = try await render("huge-bitmap 2000", boxes: [128, 256, 512, 1024], pool).get()
        #expect(result.pictures.map(\.size.width) == [128, 256, 512, 1024])
        #expect(result.pictures.allSatisfy { $0.png.starts(with: [0x89, 0x50, 0x4E, 0x47]) })
        // The memory that the worker has already is used again, or replaced by larger one.
        let more = try await render("huge-bitmap 3000", boxes: [2048], pool).get()
        #expect(more.pictures.map(\.size.width) == [2048])
        let less = try await render("ok", boxes: [128], pool).get()
        #expect(less.pictures.map(\.size) == [PixelSize(width: 64, height: 48)])
        await pool.end()
    }

    @Test func `what has a picture of its own for a smaller size is not scaled down`() async throws {
        let pool = pool()
        let result = try await render("smaller", boxes: [32, 256, 16], pool).get()
        let sizes = [(16, 12), (64, 48), (8, 6)].map { PixelSize(width: $0.0, height: $0.1) }
        #expect(result.pictures.map(\.size) == sizes)
        // But for one that is of another shape.
        let strips = try await render("misshapen", boxes: [32, 256, 16], pool).get()
        let scaled = [(32, 24), (64, 48), (16, 12)].map { PixelSize(width: $0.0, height: $0.1) }
        #expect(strips.pictures.map(\.size) == scaled)
        await pool.end()
    }

    @Test func `a worker is replaced after so many items`() async throws {
        var tests = self
        tests.specification.documentsPerWorker = 2
        let pool = pool()
        _ = try await tests.render("ok", pool).get()
        #expect(await pool.idleCount == 1)
        _ = try await tests.render("ok", pool).get()
        #expect(await pool.idleCount == 0)
        await pool.end()
    }

    @Test func `only so many workers wait for work`() async throws {
        let pool = pool(idle: 1)
        async let first = render("ok", pool)
        async let second = render("ok", pool)
        for result in await [first, second] { _ = try result.get() }
        #expect(await pool.idleCount <= 1)
        await pool.end()
    }

    @Test(.timeLimit(.minutes(10))) func `a worker that waits too long is ended`() async throws {
        let pool = pool(idleTime: .milliseconds(50))
        _ = try await render("ok", pool).get()
        try await Condition.met("the worker is ended") { await pool.idleCount == 0 }
        await pool.end()
    }

    @Test(.timeLimit(.minutes(10))) func `cancelling ends a job that hangs`() async throws {
        let pool = pool()
        let task = Task { await render("hang", pool) }
        // The worker is busy with it once it is neither idle nor to be started.
        try await Condition.met("a worker is started") { await pool.startedCount > 0 }
        task.cancel()
        guard case .failure(let error) = await task.value else {
            Issue.record("it made a picture")
            return
        }
        #expect(error.code == .cancelled)
        await pool.end()
    }

    @Test func `an ended process is reaped and its folder is gone`() async throws {
        let process = try await WorkerProcess.start(
            program: Products.program("vitrine-worker"),
            WorkerSpecification(
                id: "hostile", library: Products.library("HostileRenderer"), pluginFolder: Products.folder.path,
                profile: try ContainmentProfile(privateFolder: true)), deadline: .seconds(300))
        let folder = try #require(process.privateFolder)
        #expect(FileManager.default.fileExists(atPath: folder))
        let pid = process.pid
        process.end()
        await process.ended(within: .seconds(300))
        #expect(kill(pid, 0) != 0)
        #expect(errno == ESRCH)
        #expect(!FileManager.default.fileExists(atPath: folder))
        process.end()
    }

    @Test(.timeLimit(.minutes(10)))
    func `folders of hosts that are gone are removed, whatever number their hosts had`() async throws {
        // Not where pools of other tests, and other runs, sweep at the same moment.
        try scratch.write("kept", Data("x".utf8))
        let parent = scratch.url.appending(path: "folders")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: false)
        func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: parent.path)) }
        let mine = try PrivateFolder(in: parent.path)
        let name = URL(filePath: mine.path).lastPathComponent
        // One of a host whose number somebody else has now.
        let stale = parent.appending(path: "\(getppid())-0")
        try FileManager.default.createDirectory(at: stale.appending(path: "deep/er"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: stale.appending(path: "link"), withDestinationURL: scratch.url)
        // One of a host that lives where its number means nothing here.
        var other: PrivateFolder? = try PrivateFolder(in: parent.path)
        let elsewhere = "\(Int32.max)-1"
        try #require(rename(other?.path ?? "", parent.path + "/" + elsewhere) == 0)
        try FileManager.default.createDirectory(
            at: parent.appending(path: "no-number"), withIntermediateDirectories: false)

        PrivateFolder.removeAbandoned(in: parent.path)
        #expect(try names() == [name, elsewhere, "no-number"])
        #expect(FileManager.default.fileExists(atPath: scratch.path + "/kept"))
        other = nil
        // What other tests start at that moment holds the lock, too, until its program begins.
        try await Condition.met("nobody holds the lock of the folder") {
            PrivateFolder.removeAbandoned(in: parent.path)
            return try !names().contains(elsewhere)
        }
        #expect(try names() == [name, "no-number"])
    }

    @Test func `descriptors are given back over many items`() async throws {
        let pool = pool()
        _ = try await render("ok", pool).get()
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<300 { _ = try await render("ok", pool).get() }
        let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // Other tests run at the same time; a leak would be one for each item.
        #expect(after - before < 150)
        await pool.end()
    }
}

/// Numbers that closures leave.
private final class Counts: Sendable {
    private let numbers = Mutex<[Int]>([])

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
}
