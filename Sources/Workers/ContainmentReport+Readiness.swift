import Containment
import WorkerWire

extension ContainmentReport {
    /// Takes a worker's word for how it is contained. It was given before the worker saw any file, so only code that
    /// is installed here had a part in it; layers that are not known are left out.
    init(_ readiness: WorkerReadiness) {
        self.init(
            readiness.layers.compactMap { line in
                guard let layer = Containment.Layer(rawValue: line.name) else { return nil }
                switch line.state {
                case .active: return LayerReport(layer, .active)
                case .absent: return LayerReport(layer, .absent(line.reason))
                case .broken: return LayerReport(layer, .broken(line.reason))
                }
            })
    }
}
