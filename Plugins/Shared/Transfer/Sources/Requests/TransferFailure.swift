public import VitrineKit

/// Why one try of a request failed, with what is needed to decide whether it is tried again.
public struct TransferFailure: Error, Sendable {
    /// What the caller of the backend is told.
    public var error: PluginError
    /// Whether another try may succeed.
    public var isPassing: Bool
    /// Whether the source itself seems to be at fault, rather than this request.
    public var isOfSource: Bool
    /// What the server asks to wait.
    public var retryAfter: Duration?

    /// Creates a failure.
    public init(_ error: PluginError, isPassing: Bool = false, isOfSource: Bool = false, retryAfter: Duration? = nil) {
        self.error = error
        self.isPassing = isPassing
        self.isOfSource = isOfSource
        self.retryAfter = retryAfter
    }

    static func cancelled(_ purpose: String) -> TransferFailure {
        TransferFailure(PluginError(.cancelled, "\(purpose): somebody asked to stop"))
    }
}
