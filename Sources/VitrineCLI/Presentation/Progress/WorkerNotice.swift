import Containment
import Vitrine
import VitrineKit

/// Says aloud, once for a run, how its workers were contained less than they could be, and which could not be started.
enum WorkerNotice {
    /// - Parameters:
    ///   - pipeline: one that has done its work.
    ///   - namesPlugins: whether plugins that could not be started are named, which was not done yet. Default: yes.
    static func show(_ pipeline: PreviewPipeline, namesPlugins: Bool = true) async {
        for notice in namesPlugins ? pipeline.brokenPlugins : [] { Console.error("vitrine: \(DisplayText.of(notice))") }
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
