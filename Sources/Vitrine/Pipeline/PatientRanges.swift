import RangeReading
import VitrineKit
import Workers

/// Ranges of an item that lies elsewhere; as long as one is on its way, other items use the core.
struct PatientRanges: RangeProvider {
    let ranges: RangedFile
    let scheduler: Scheduler

    func bring(_ offset: Int64, _ count: Int64) async throws(PluginError) -> Range<Int64> {
        try await scheduler.whileAway { () async throws(PluginError) in try await ranges.bring(offset, count) }
    }
}
