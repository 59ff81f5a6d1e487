/// What a list of members says besides them.
public struct ContainerOutline: Hashable, Sendable {
    /// Whether one member is reached through those before it, so that several are better unpacked in one pass.
    public var isSequential: Bool
    /// What ended the list too early; `nil` when it is complete. The members before are good.
    public var failure: PluginError?

    /// Creates an outline.
    public init(isSequential: Bool, failure: PluginError? = nil) {
        self.isSequential = isSequential
        self.failure = failure
    }
}
