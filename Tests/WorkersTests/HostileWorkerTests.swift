import Containment
import Foundation
import TestSupport
import Testing
import VitrineKit
import WorkerWire
import Workers

/// The hostile renderer in a real worker: what a file can do that took a library over, and what comes of it.
@Suite struct HostileWorkerTests {
    /// A command and the code of the error that the host must see; `nil` for a picture.
    static let outcomes: [(String, PluginError.Code?)] = [
        ("ok", nil), ("error corrupt no such table", .corrupt), ("error crashed really", .invalidAnswer),
        ("crash", .crashed), ("abort", .crashed), ("exit", .crashed), ("exit 1", .crashed), ("recurse", .crashed),
        ("hang", .timeout), ("stubborn", .timeout), ("sleep", .timeout),
        ("allocate", .limitExceeded), ("leak", nil), ("huge-bitmap", nil), ("huge-bitmap 32767", .limitExceeded),
        ("fork", .unsupported), ("socket", .unsupported), ("read /etc/passwd", .unsupported),
        ("read /proc/self/environ", .unsupported), ("write /tmp/vitrine-hostile", .unsupported),
        ("write /dev/shm/vitrine-hostile", .unsupported), ("signal", .unsupported), ("execute", .unsupported),
        ("garbage", .invalidAnswer), ("flood", .invalidAnswer), ("hangup", .crashed), ("facts", nil),
        ("lie \(forged(number: 1, offset: 0, length: 1 << 30))", .invalidAnswer),
        ("lie \(forged(number: 1, offset: 1 << 32, length: 64))", .invalidAnswer),
        ("lie \(forged(number: 7, offset: 0, length: 64))", .invalidAnswer), ("noise", nil),
        ("hand \(forged(number: 1, offset: 0, length: 64))", .invalidAnswer),
        // A message of no bytes looks like the end of the worker.
        ("lie", .crashed),
        ("no-such-command", .unsupported),
    ]

    @Test(arguments: outcomes)
    func `a hostile file costs itself only`(command: String, expected: PluginError.Code?) async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 2)
        let result = await render(command, in: pool)
        switch result {
        case .success(let rendered):
            #expect(expected == nil, "it made a picture")
            #expect(rendered.facts.title != "ESCAPED")
            #expect(rendered.pictures.count == 1)
        case .failure(let error): #expect(error.code == expected, "\(error.message)")
        }
        // The next file is served as if nothing had happened.
        let next = try await render("ok", in: pool).get()
        #expect(next.pictures.first?.size == PixelSize(width: 64, height: 48))
        await pool.end()
        for path in ["/tmp/vitrine-hostile", "/dev/shm/vitrine-hostile"] {
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `a reason that is not a renderer's to give is told with its words`() async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 2)
        let result = await render("error crashed really", in: pool)
        await pool.end()
        #expect(throws: PluginError.self) { try result.get() }
        guard case .failure(let error) = result else { return }
        #expect(error.message.contains("'crashed': ") && error.message.contains("really"), "\(error.message)")
    }

    @Test func `what a worker says unasked costs the next item nothing`() async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 2)
        for _ in 0..<3 {
            // Taken for the answer; the worker's own follows it, when nobody waits for one any more.
            _ = try await render("lie \(Self.forged(number: 1, offset: 0, length: 64))", in: pool).get()
            let next = try await render("ok", in: pool).get()
            #expect(next.pictures.first?.png.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        }
        await pool.end()
    }

    @Test func `descriptors that a worker hands over are not kept`() async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 2)
        let path = "/tmp/vitrine-hostile-input-\(UUID().uuidString)"
        // A file that nothing else opens.
        let command = "VITRINE-HOSTILE\nhand \(Self.forged(number: 1, offset: 0, length: 64))\n"
        try #require(FileManager.default.createFile(atPath: path, contents: Data(command.utf8)))
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(fd) }
        let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(fd)")
        unlink(path)
        let job = WorkerJob(input: fd, RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile"))
        await #expect(throws: PluginError.self) { try await pool.render(job, by: Self.specification) }
        await pool.end()
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))?.hasPrefix(file)
                == true
        }
        #expect(open == ["\(fd)"])
    }

    @Test func `what nobody asked for is not taken`() async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 2)
        var facts = Facts(title: "of the file")
        facts.text = "of another file"
        facts.place = Place(latitude: 1, longitude: 2, altitude: nil)
        let command = "lie \(Self.forged(number: 1, offset: 0, length: 64, facts))"
        #expect(try await render(command, in: pool).get().facts == Facts(title: "of the file"))
        var wish = RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile")
        wish.wantsText = true
        #expect(try await render(command, wish, in: pool).get().facts.text == facts.text)
        wish.wantsPlace = true
        #expect(try await render(command, wish, in: pool).get().facts == facts)
        await pool.end()
    }

    /// Root's workers leave the network without a user namespace, and no session is root's.
    @Test(.enabled(if: geteuid() != 0))
    func `a worker cannot use up the threads that a session may have`() async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 0)
        var specification = Self.specification
        specification.profile = try ContainmentProfile(threads: true)
        specification.addressSpace = 4 << 30
        let isApart = try await pool.readiness(of: specification)[.namespaces] == .active
        let rendered = try await render("threads 6000", in: pool, specification).get()
        await pool.end()
        let words = try #require(rendered.facts.title).split(separator: " ")
        let count = try #require(words.first.flatMap { Int($0) })
        #expect(count > 100)
        // Without a namespace all programs of the user would count.
        #expect(count < 4096 || !isApart)
    }

    private func render(
        _ command: String,
        _ wish: RenderWish = RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile"), in pool: WorkerPool,
        _ specification: WorkerSpecification = HostileWorkerTests.specification
    ) async -> Result<WorkerResult, PluginError> {
        let path = "/tmp/vitrine-hostile-input-\(UUID().uuidString)"
        guard FileManager.default.createFile(atPath: path, contents: Data("VITRINE-HOSTILE\n\(command)\n".utf8)) else {
            return .failure(PluginError(.io, "cannot write '\(path)'"))
        }
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        unlink(path)
        defer { close(fd) }
        var specification = specification
        if ["hang", "stubborn", "sleep"].contains(command) { specification.seconds = 1 }
        let job = WorkerJob(input: fd, wish)
        do throws(PluginError) { return .success(try await pool.render(job, by: specification)) } catch {
            return .failure(error)
        }
    }

    /// An answer that claims a picture which is not there.
    private static func forged(number: UInt32, offset: Int, length: Int, _ facts: Facts = Facts()) -> String {
        let picture = RenderAnswer.Picture(offset: offset, length: length, size: PixelSize(width: 64, height: 48))
        let answer = RenderAnswer(number: number, pictures: [picture], facts: facts, renderTime: 0, encodeTime: 0)
        return WorkerMessage.rendered(answer).encoded().map { String(format: "%02x", $0) }.joined()
    }

    private static let specification = WorkerSpecification(
        id: "hostile", library: Products.library("HostileRenderer"), pluginFolder: Products.folder.path,
        profile: .strictest, seconds: 120, addressSpace: 512 << 20, documentsPerWorker: 100)
}
