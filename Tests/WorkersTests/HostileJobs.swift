import Containment
import Foundation
import TestSupport
import VitrineKit
import WorkerWire

@testable import Workers

/// Tests that have the hostile renderer do something in a worker of a pool.
protocol HostileJobs {
    /// Where its files lie.
    var scratch: TemporaryFolder { get }
    /// What its workers may.
    var specification: WorkerSpecification { get }
}

extension WorkerSpecification {
    /// The renderer that misbehaves on command.
    static var hostile: WorkerSpecification {
        WorkerSpecification(
            id: "hostile", library: Products.library("HostileRenderer"), pluginFolder: Products.folder.path,
            profile: .strictest, seconds: 120, addressSpace: 512 << 20)
    }
}

extension HostileJobs {
    func pool(idle: Int = 2, idleTime: Duration = .seconds(30)) -> WorkerPool {
        WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: idle, idleTime: idleTime)
    }

    func render(
        _ command: String, boxes: [Int] = [128], _ pool: WorkerPool
    ) async -> Result<WorkerResult, PluginError> {
        do {
            let file = try FileHandle(forReadingFrom: scratch.hostile("\(UUID()).hostile", command))
            defer { try? file.close() }
            let job = WorkerJob(
                input: file.fileDescriptor, RenderWish(boxes: boxes, mimeType: "application/x-vitrine-hostile"))
            do throws(PluginError) { return .success(try await pool.render(job, by: specification)) } catch {
                return .failure(error)
            }
        } catch { return .failure(PluginError(.io, "\(error)")) }
    }
}
