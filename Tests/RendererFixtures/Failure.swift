public import VitrineKit

/// Why something fails; `nil` when it does not, or throws what is no `PluginError`.
public func failure<Result>(of body: () throws -> Result) -> PluginError.Code? {
    do {
        _ = try body()
        return nil
    } catch { return (error as? PluginError)?.code }
}
