import Containment
import WorkerWire

extension WorkerReadiness {
    /// Puts a report into the form that goes to the host.
    init(_ report: ContainmentReport) {
        self.init(
            layers: report.layers.map { report in
                switch report.state {
                case .active: LayerLine(name: report.layer.rawValue, state: .active, reason: "")
                case .absent(let reason): LayerLine(name: report.layer.rawValue, state: .absent, reason: reason)
                case .broken(let reason): LayerLine(name: report.layer.rawValue, state: .broken, reason: reason)
                }
            })
    }
}
