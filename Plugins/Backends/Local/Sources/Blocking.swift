import Dispatch
import VitrineKit

/// Runs system calls that may block away from Swift's own threads, of which there are only as many as cores.
///
/// Each call has a serial queue of its own, which gets a thread at once. The calls of a concurrent queue share as many
/// threads as there are cores, and one more each second that all of these are stuck: one dead mount would hold up all
/// others. How many calls are under way is for the caller to limit; 255 threads are the most that Dispatch starts.
///
/// A task that prefers an executor is away from Swift's own threads already: the engine made it for this call.
enum Blocking {
    static func run<T: Sendable>(
        _ work: @escaping @Sendable () throws(PluginError) -> T
    ) async throws(PluginError) -> T {
        guard !Task.isCancelled else { throw PluginError(.cancelled, "reading files was stopped") }
        if withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor != nil }) { return try work() }
        let result: Result<T, PluginError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "vitrine.local-file").async {
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
