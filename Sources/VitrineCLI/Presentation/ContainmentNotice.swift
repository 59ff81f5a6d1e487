import Containment
import Vitrine
import VitrineKit

/// Says aloud, once for a run, how its workers were contained less than they could be.
enum ContainmentNotice {
    /// - Parameter pipeline: one that has done its work.
    static func show(_ pipeline: PreviewPipeline) async {
        let layers = await pipeline.lackingContainment
        if !layers.isEmpty {
            let names = layers.map { DisplayText.of($0.description) }.joined(separator: "; ")
            Console.error(
                "vitrine: workers were contained less than they could be: \(names) ('vitrine doctor' says more)")
        }
        if await !pipeline.watchesMemory {
            Console.error(
                "vitrine: /proc does not show the memory of workers, so that only their address space was bounded "
                    + "('vitrine doctor' says more)")
        }
    }
}
