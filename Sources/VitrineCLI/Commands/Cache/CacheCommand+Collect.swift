import Catalog
import PreviewCache
import Vitrine
import VitrineKit

// `vitrine cache gc`
extension CacheCommand {
    static func collect(
        _ cache: PreviewCache, _ quota: CacheQuota, _ arguments: ParsedArguments
    ) throws(PluginError) -> CInt {
        var options = CollectionOptions(quota: quota)
        options.isDryRun = arguments.has("--dry-run")
        var isBusy = false
        do throws(PluginError) {
            if let catalog = try CommandContext.catalogIfAny() {
                let vanished = VanishedItems(catalog, cache)
                // On a full disk, or while others write, what is gone for good goes the next time; what may come back stays.
                do throws(PluginError) { if !options.isDryRun, !catalog.isReadOnly { try vanished.remove() } } catch {
                    isBusy = error.code == .busy
                    Console.error("vitrine cache: what is gone for good was not looked for: \(error.message)")
                }
                try vanished.spare(in: &options)
            }
        } catch { Console.error("vitrine cache: the catalog was not asked: \(error.message)") }
        let lost = LostPreviews()
        let report = cache.collect(options) { lost.add($0) }
        if !options.isDryRun { tell(lost, isBusy: isBusy) }
        if JSONOption.isGiven(arguments) {
            try JSONText.show(Collection(report, isDryRun: options.isDryRun))
        } else {
            let verb = options.isDryRun ? "Would delete" : "Deleted"
            Console.print("\(verb) \(words(report.total))")
            for reason in RemovedEntry.Reason.allCases {
                guard let tally = report.removed[reason] else { continue }
                Console.print("  \(words(tally)) \(clause(reason))")
            }
            if report.abandoned > 0 { Console.print("Deleted \(Quantity.count(report.abandoned, "unfinished file"))") }
            let limit = quota.bytes.map { " of \(Quantity.limit($0))" } ?? ""
            Console.print("Vitrine's previews: \(words(report.kept))\(limit)")
            if report.foreign.count > 0 { Console.print("Other programs': \(words(report.foreign))") }
        }
        return tell(report)
    }

    /// Says on standard error what could not be done.
    static func tell(_ report: CollectionReport) -> CInt {
        if report.links > 0 {
            let links =
                report.links == 1
                ? "1 symbolic link in the cache was" : "\(report.links) symbolic links in the cache were"
            Console.error("\(links) left alone")
        }
        guard let failure = report.firstFailure else { return ExitCode.done }
        Console.error("vitrine cache: \(report.failures) entries could not be deleted: \(failure.message)")
        return ExitCode.failed
    }

    /// Tells the catalog, if there is one, what it shall not count on any more.
    /// - Parameter isBusy: whether those who write to it were waited for in vain already.
    static func tell(_ lost: LostPreviews, isBusy: Bool = false) {
        do throws(PluginError) {
            guard let catalog = try CommandContext.catalogIfAny() else { return }
            if isBusy { try catalog.wait(atMost: 1000) }
            try lost.tell(catalog)
        } catch {
            Console.error("vitrine cache: the catalog was not told: \(error.message)")
        }
    }

    private static func clause(_ reason: RemovedEntry.Reason) -> String {
        switch reason {
        case .orphaned: "whose file is gone"
        case .stale: "whose file has changed"
        case .unused: "that nobody used for too long"
        case .outdated: "about failures of earlier versions"
        case .evicted: "to meet the quota, the longest unused first"
        case .damaged: "that were damaged"
        case .cleared: "as you wished"
        }
    }

    /// What was done, for programs.
    struct Collection: Encodable {
        var dryRun: Bool
        var removed: [String: Tally]
        var total: Tally
        var kept: Tally
        var foreign: Tally
        var abandoned: Int
        var links: Int
        var failures: Int
        /// Bytes that had been read from servers or unpacked; `nil` where they were left.
        var content: Int64?

        init(_ report: CollectionReport, isDryRun: Bool, content: Int64? = nil) {
            self.content = content
            dryRun = isDryRun
            removed = Dictionary(
                report.removed.map { ($0.key.rawValue, Tally($0.value)) }, uniquingKeysWith: { first, _ in first })
            total = Tally(report.total)
            kept = Tally(report.kept)
            foreign = Tally(report.foreign)
            abandoned = report.abandoned
            links = report.links
            failures = report.failures
        }
    }
}
