import Foundation
import Synchronization
import TestSupport
import Testing
import VitrineKit
import WorkerWire

@testable import Workers

/// Suites about workers that are forked of a template.
protocol TemplateTests: Sendable {
    var scratch: TemporaryFolder { get }
    /// The renderer whose workers they are.
    var specification: WorkerSpecification { get set }
}

extension TemplateTests {
    func pool() -> WorkerPool { WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 4) }

    /// Has a worker do something, and tells which.
    /// - Parameter started: is called when there is a worker.
    func serve(
        _ command: String, _ pool: WorkerPool, named name: String = UUID().uuidString,
        started: @escaping @Sendable (pid_t) -> Void = { _ in }
    ) async throws -> pid_t {
        let file = try FileHandle(forReadingFrom: scratch.hostile("\(name).hostile", command))
        defer { try? file.close() }
        let job = WorkerJob(
            input: file.fileDescriptor, RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile"))
        let pids = Pids()
        _ = try await pool.serve(specification) { process, startTime in
            pids.add(process.pid)
            started(process.pid)
            return await process.render(job, startTime: startTime)
        }
        return try #require(pids.all.last)
    }

    /// Waits until a process is reaped, for which the pool waits a second only: a busy machine may take longer.
    func isGone(_ pid: pid_t) async throws {
        try await Condition.met("process \(pid) is reaped") { kill(pid, 0) != 0 && errno == ESRCH }
    }

    /// Waits until a template is being started.
    func starting(_ specification: WorkerSpecification, of pool: WorkerPool) async throws -> TemplateStart {
        var start: TemplateStart?
        try await Condition.met("a template is started") {
            if case .starting(let begun)? = await pool.templates[specification.template] { start = begun }
            return start != nil
        }
        return try #require(start)
    }

    func template(_ pool: WorkerPool) async throws -> WorkerTemplate {
        guard case .ready(let template, _)? = await pool.templates[specification.template] else {
            throw PluginError(.notFound, "the pool has no template")
        }
        return template
    }
}

/// The processes that were given work.
private final class Pids: Sendable {
    private let pids = Mutex<[pid_t]>([])
    var all: [pid_t] { pids.withLock { $0 } }
    func add(_ pid: pid_t) { pids.withLock { $0.append(pid) } }
}
