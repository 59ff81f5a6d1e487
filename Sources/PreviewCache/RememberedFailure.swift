public import VitrineKit

/// A failure that would come again: nobody needs to try until the item or the renderer changes.
public struct RememberedFailure: Hashable, Sendable {
    /// What kind of failure it was.
    public var code: PluginError.Code
    /// The sentence for people; its first thousand bytes.
    public var message: String
    /// The renderer that met it, with its version, as it was given.
    public var renderer: String
    /// What the renderer was allowed to use then, as it was given.
    public var limits: String
    /// In how many runs it was met, one after the other.
    public var count: Int

    /// Whether nobody should try again. What overran its time may do better when the machine is less busy, so that it
    /// takes two runs; everything else is the same each time.
    public var isFinal: Bool { count > 1 || code != .timeout }

    /// Creates a failure.
    public init(code: PluginError.Code, message: String, renderer: String, limits: String = "", count: Int = 1) {
        self.limits = limits
        self.count = count
        self.code = code
        self.message = message
        self.renderer = renderer
    }
}
