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

    private func render(_ command: String, in pool: WorkerPool) async -> Result<WorkerResult, PluginError> {
        let path = "/tmp/vitrine-hostile-input-\(UUID().uuidString)"
        guard FileManager.default.createFile(atPath: path, contents: Data("VITRINE-HOSTILE\n\(command)\n".utf8)) else {
            return .failure(PluginError(.io, "cannot write '\(path)'"))
        }
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        unlink(path)
        defer { close(fd) }
        var specification = Self.specification
        if ["hang", "stubborn", "sleep"].contains(command) { specification.seconds = 1 }
        let job = WorkerJob(input: fd, RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile"))
        do throws(PluginError) { return .success(try await pool.render(job, by: specification)) } catch {
            return .failure(error)
        }
    }

    /// An answer that claims a picture which is not there.
    private static func forged(number: UInt32, offset: Int, length: Int) -> String {
        let picture = RenderAnswer.Picture(offset: offset, length: length, size: PixelSize(width: 64, height: 48))
        let answer = RenderAnswer(number: number, pictures: [picture], facts: Facts(), renderTime: 0, encodeTime: 0)
        return WorkerMessage.rendered(answer).encoded().map { String(format: "%02x", $0) }.joined()
    }

    private static let specification = WorkerSpecification(
        id: "hostile", library: Products.library("HostileRenderer"), pluginFolder: Products.folder.path,
        profile: .strictest, seconds: 120, addressSpace: 512 << 20, documentsPerWorker: 100)
}
