/// How a worker stands after its warm-up.
public struct WorkerReadiness: Hashable, Sendable {
    /// Its layers of containment.
    public var layers: [LayerLine]

    /// Creates a readiness.
    public init(layers: [LayerLine]) { self.layers = layers }
}
