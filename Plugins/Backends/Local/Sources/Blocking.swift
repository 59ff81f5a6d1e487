import Dispatch
import VitrineKit

/// Runs system calls that may block away from Swift's own threads, of which there are only as many as cores.
enum Blocking {
    private static let queue = DispatchQueue(label: "vitrine.local-files", attributes: .concurrent)

    static func run<T: Sendable>(
        _ work: @escaping @Sendable () throws(PluginError) -> T
    ) async throws(PluginError) -> T {
        guard !Task.isCancelled else { throw PluginError(.cancelled, "reading files was stopped") }
        let result: Result<T, PluginError> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(PluginError) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
