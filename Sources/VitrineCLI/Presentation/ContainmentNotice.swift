import Containment
import VitrineKit

/// Says aloud, once for a run, which layers of containment its workers lacked.
enum ContainmentNotice {
    /// - Parameter layers: each once, in the order in which they are put up.
    static func show(_ layers: [LayerReport]) {
        guard !layers.isEmpty else { return }
        let names = layers.map { DisplayText.of($0.description) }.joined(separator: "; ")
        Console.error("vitrine: workers were contained less than they could be: \(names) ('vitrine doctor' says more)")
    }
}
