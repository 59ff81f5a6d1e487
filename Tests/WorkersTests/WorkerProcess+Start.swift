import Containment
import VitrineKit

@testable import Workers

extension WorkerProcess {
    /// Starts a worker that belongs to no pool, and waits until it is warm.
    static func start(
        program: String, _ specification: WorkerSpecification, deadline: Duration
    ) async throws(PluginError) -> WorkerProcess {
        let link = try Link.spawn(program: program, privateFolder: specification.profile.privateFolder)
        return try await begin(link, specification, deadline)
    }
}
