import Transfer
import VitrineKit

/// Work that may block, with its typed failure.
enum AsideWork {
    static func run<T: Sendable>(
        _ work: @escaping @Sendable () throws(PluginError) -> T
    ) async -> Result<T, PluginError> {
        await AsideThread.run {
            do throws(PluginError) { return .success(try work()) } catch { return .failure(error) }
        }
    }
}
