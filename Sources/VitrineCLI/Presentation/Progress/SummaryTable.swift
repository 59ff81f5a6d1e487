import Vitrine
import VitrineKit

/// What a run did, as the few lines that it ends with.
struct SummaryTable {
    let summary: RunSummary
    /// That did it.
    let pipeline: PreviewPipeline
    /// Failures that are told one by one.
    static let shownFailures = 20
    /// Failures of earlier runs that are told one by one: with more of them nobody would see what is new.
    static let shownRemembered = 3
    /// Files that were named and get no preview that are told one by one: of many the shell has found the names.
    static let shownSkipped = 5

    /// The table and the closing sentence, for standard output.
    var lines: [String] {
        let width = Table.width
        return table + ([closing] + (traffic.map { [$0] } ?? [])).flatMap { $0.broken(to: width) }
    }

    /// Counts by kind of file.
    private var table: [String] {
        guard !summary.byKind.isEmpty else { return [] }
        let planned = summary.total.planned > 0
        var rows = [["", planned ? "to make" : "made", "valid", "failed", "time"]]
        for (kind, counts) in summary.byKind.sorted(by: { ($0.value.all, $1.key) > ($1.value.all, $0.key) }) {
            rows.append([kind] + cells(counts, planned))
        }
        if summary.byKind.count > 1 { rows.append(["All"] + cells(summary.total, planned)) }
        return Table.lines(rows, figures: 1, gap: 3) + [""]
    }

    private func cells(_ counts: RunSummary.Counts, _ planned: Bool) -> [String] {
        let number = planned ? counts.planned : counts.made
        // Where no worker was asked there is no time to tell.
        let time = counts.time == .zero ? "–" : Quantity.duration(counts.time)
        return ["\(number)", "\(counts.valid)", "\(counts.failed)", time]
    }

    /// What was read of storages elsewhere, in a sentence; `nil` when nothing was.
    private var traffic: String? {
        summary.traffic.requests + Int(clamping: summary.traffic.cached) == 0
            ? nil : "Read \(ReadTraffic.text(summary.traffic, of: nil))."
    }

    private var closing: String {
        let total = summary.total
        var parts: [String] = []
        if summary.wasInterrupted || summary.stopped != nil {
            parts.append("Stopped after \(total.all + summary.skipped) of \(summary.found) files:")
        }
        var counts = total.planned > 0 ? ["\(total.planned) to make"] : ["\(total.made) made"]
        counts += ["\(total.valid) valid", "\(total.failed) failed", "\(summary.skipped) skipped"]
        parts.append(counts.joined(separator: ", "))
        parts.append("in \(Quantity.seconds(summary.seconds))")
        let rate = summary.seconds > 0 ? Double(total.made) / summary.seconds : 0
        if total.made > 1 { parts.append("(\(Quantity.bytes(summary.bytes)), \(Quantity.decimal(rate, 0)) files/s)") }
        return parts.joined(separator: " ")
    }

    /// Why sources were not done, for standard error: whoever named one has to hear it, however quiet a run is.
    var sourceLines: [String] {
        let sources = summary.failedSources.map(reason)
        return sources + (stop.map { [$0] } ?? [])
    }

    /// Why the run ended early; `nil` when it did not.
    var stop: String? {
        summary.stopped.map { "nothing more can be kept, and the run was stopped: \(DisplayText.of($0.message))" }
    }

    /// The reasons, for standard error: first those that are new.
    var failureLines: [String] {
        let new = summary.failures.filter { !$0.remembered }
        var lines = sourceLines + new.prefix(Self.shownFailures).map(reason)
        let more = summary.total.failed - summary.remembered - min(new.count, Self.shownFailures)
        if more > 0 { lines.append("… and \(more) more; 'vitrine failures' names all that do not pass by themselves") }
        if summary.remembered > Self.shownRemembered {
            lines.append(
                "\(summary.remembered) failures are known from earlier runs; 'vitrine failures' names them, --force tries "
                    + "again")
        } else {
            lines += summary.failures.filter(\.remembered).map {
                "\(reason($0)) (known from an earlier run; --force tries again)"
            }
        }
        return lines
    }

    /// Why files that somebody named get no preview, for standard error; those that were met in folders are only counted.
    var skippedLines: [String] {
        let more = summary.skippedByName.count - Self.shownSkipped
        return summary.skippedByName.prefix(Self.shownSkipped).map(reason)
            + (more > 0 ? ["… and \(more) more that get no preview; --progress json says why"] : [])
    }

    /// Why there is no preview, and with which options there would be one.
    private func reason(_ failure: RunSummary.Failure) -> String {
        ItemName.reason(failure.uri, failure.error) + PasswordOptions.hint(of: failure.error, pipeline, isBatch: true)
    }
}

extension RunSummary.Counts {
    var all: Int { made + valid + failed + planned }
}
