import PreviewCache
import Vitrine
import VitrineKit

// `vitrine cache verify`
extension CacheCommand {
    /// Entries that are told one by one.
    private static let shownEntries = 100

    static func verify(_ cache: PreviewCache, _ arguments: ParsedArguments) throws(PluginError) -> CInt {
        let isDryRun = arguments.has("--dry-run")
        let lost = LostPreviews()
        let report = cache.verify(isDryRun: isDryRun) { lost.add($0) }
        if !isDryRun { tell(lost) }
        let dropped = report.collection.total.count
        if JSONOption.isGiven(arguments) {
            try JSONText.show(Verification(report, isDryRun: isDryRun))
        } else {
            for entry in report.damaged.prefix(shownEntries) {
                let note = entry.isUseless ? "" : " (made by another program, left alone)"
                Console.print("\(DisplayText.of(entry.path)): \(entry.fault)\(note)")
            }
            let more = report.faults - shownEntries
            if more > 0 { Console.print("… and \(more) more; --json names up to 10000") }
            let verb = isDryRun ? "would be deleted" : "deleted"
            Console.print(
                "Examined \(words(report.examined)): \(report.faults) not as they must be, \(dropped) \(verb)")
        }
        let code = tell(report.collection)
        return isDryRun && dropped > 0 ? ExitCode.failed : code
    }

    private struct Verification: Encodable {
        var dryRun: Bool
        var examined: Tally
        var faults: Int
        var removed: Tally
        var damaged: [Entry]

        struct Entry: Encodable {
            var path: String
            var fault: String
            var useless: Bool
        }

        init(_ report: VerificationReport, isDryRun: Bool) {
            dryRun = isDryRun
            examined = Tally(report.examined)
            faults = report.faults
            removed = Tally(report.collection.total)
            damaged = report.damaged.map { Entry(path: $0.path, fault: $0.fault, useless: $0.isUseless) }
        }
    }
}
