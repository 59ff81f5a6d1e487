import Doctor
import Glibc
import PreviewCache
import Vitrine
import VitrineKit

// `vitrine cache stats`
extension CacheCommand {
    static func statistics(
        of cache: PreviewCache, _ content: BlockCache, _ quota: CacheQuota, _ arguments: ParsedArguments
    ) throws(PluginError) -> CInt {
        let statistics = cache.statistics()
        let free = FreeSpace(above: cache.folders.previews)
        // GSettings keeps a file in the cache too, and complains on standard error where it cannot.
        let canAsk = access(cache.folders.thumbnails, W_OK) == 0 && free.map { $0.bytes > 1 << 16 } ?? true
        let purge = canAsk ? PurgePolicy.ofGNOME : nil
        if JSONOption.isGiven(arguments) {
            try JSONText.show(Report(cache, Content(content), statistics, quota, purge, free))
        } else {
            page(cache, Content(content), statistics, quota, purge, free)
        }
        return ExitCode.done
    }

    private static func page(
        _ cache: PreviewCache, _ content: Content?, _ statistics: CacheStatistics, _ quota: CacheQuota,
        _ purge: PurgePolicy?, _ free: FreeSpace?
    ) {
        let labels = 12
        Console.print("Thumbnails  \(DisplayText.of(cache.folders.thumbnails))")
        Console.print("Own store   \(DisplayText.of(cache.folders.previews))")
        if let content { Console.print("Content     \(DisplayText.of(content.path))") }
        var rows = [["", "made by", "entries", "on disk"]]
        func add(_ part: CacheStatistics.Part, _ title: String) {
            for (maker, tally) in part.makers.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
                rows.append([title, maker, "\(tally.count)", Quantity.bytes(tally.occupied)])
            }
        }
        for part in statistics.sizes { add(part, part.name) }
        add(statistics.own, "own store")
        for part in statistics.failures { add(part, "failures") }
        rows.append(["all", "Vitrine", "\(statistics.ours.count)", Quantity.bytes(statistics.ours.occupied)])
        Console.print("")
        for line in Table.lines(rows, figures: 2) { Console.print(line) }
        Console.print("")
        LabelledRows(rows: summary(content, statistics, quota, purge, free), labels: labels).show()
        // With a command, which stays whole.
        let hint = purge?.hint(quota: quota.bytes, sharedBytes: statistics.sharedBytes)
        if let hint { Console.print(String(repeating: " ", count: labels) + hint) }
    }

    private static func summary(
        _ content: Content?, _ statistics: CacheStatistics, _ quota: CacheQuota, _ purge: PurgePolicy?,
        _ free: FreeSpace?
    ) -> [(String, String)] {
        var rows: [(String, String)] = []
        func add(_ label: String, _ text: String) { rows.append((label, text)) }
        let taken = Quantity.bytes(statistics.ours.occupied)
        if let limit = quota.bytes {
            let percent = Quantity.decimal(Double(statistics.ours.occupied) / Double(limit) * 100, 1)
            add("Quota", "\(taken) of \(Quantity.limit(limit)), \(percent) %")
        } else {
            add("Quota", "\(taken), no limit")
        }
        add("Kept for", quota.age.map { Quantity.age($0) + " unused" } ?? "ever")
        if let oldest = statistics.oldestUse, let newest = statistics.newestUse {
            let dates = [oldest, newest].map { DateText.short(Timestamp(seconds: $0)) }
            add("Last used", dates[0] == dates[1] ? dates[0] : "between \(dates[0]) and \(dates[1])")
        }
        if let free { add("Free", Quantity.bytes(free.bytes)) }
        if statistics.links > 0 { add("Links", "\(statistics.links), left alone") }
        if let content {
            let taken = "\(Quantity.bytes(content.bytes)) of \(Quantity.limit(content.limit))"
            add("Content", "\(taken), read from servers or unpacked, beside the quota")
        }
        if let purge { add("GNOME", purge.limits) }
        return rows
    }

    /// What is kept of what was read from servers and unpacked from archives.
    private struct Content: Encodable {
        var path: String
        var bytes: Int64
        var limit: Int64

        /// `nil` when there is no place for it.
        init?(_ cache: BlockCache) {
            guard let path = cache.folder else { return nil }
            (self.path, bytes, limit) = (path, cache.diskUsage, cache.capacity)
        }
    }

    private struct Report: Encodable {
        var thumbnails: String
        var previews: String
        var content: Content?
        var sizes: [Part]
        var own: Part
        var failures: [Part]
        var vitrine: Tally
        var sharedBytes: Int64
        var oldestUse: Int64?
        var newestUse: Int64?
        var quota: Quota
        var gnome: Gnome?
        var freeBytes: Int64?
        var links: Int
        var otherFiles: Int

        struct Part: Encodable {
            var name: String
            var total: Tally
            var makers: [String: Tally]

            init(_ part: CacheStatistics.Part) {
                name = part.name
                total = Tally(part.total)
                makers = part.makers.mapValues { Tally($0) }
            }
        }
        struct Quota: Encodable {
            var bytes: Int64?
            var seconds: Int64?
            var full: Double?
        }
        struct Gnome: Encodable {
            var maximumAge: Int
            var maximumSize: Int
            var inForce: Bool
            var hint: String?
        }

        init(
            _ cache: PreviewCache, _ content: Content?, _ statistics: CacheStatistics, _ limits: CacheQuota,
            _ purge: PurgePolicy?, _ free: FreeSpace?
        ) {
            self.content = content
            thumbnails = cache.folders.thumbnails
            previews = cache.folders.previews
            sizes = statistics.sizes.map { Part($0) }
            own = Part(statistics.own)
            failures = statistics.failures.map { Part($0) }
            vitrine = Tally(statistics.ours)
            sharedBytes = statistics.sharedBytes
            oldestUse = statistics.oldestUse
            newestUse = statistics.newestUse
            quota = Quota(
                bytes: limits.bytes, seconds: limits.age,
                full: limits.bytes.map { Double(statistics.ours.occupied) / Double($0) })
            gnome = purge.map {
                Gnome(
                    maximumAge: $0.maximumAge, maximumSize: $0.maximumSize, inForce: $0.isInForce,
                    hint: $0.hint(quota: limits.bytes, sharedBytes: statistics.sharedBytes))
            }
            freeBytes = free?.bytes
            links = statistics.links
            otherFiles = statistics.others
        }
    }
}
