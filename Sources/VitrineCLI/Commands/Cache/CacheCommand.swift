import PluginHost
import PreviewCache
import Settings
import Vitrine
import VitrineKit

/// `vitrine cache`
enum CacheCommand: Command {
    static let name = "cache"
    static let summary = "Show, tidy, check or empty the cache of previews."
    static let usage = "stats | gc | verify | clear [--own] --all|PATH|URI… [OPTIONS]"
    static let details = """
        'stats' counts what is there, by size and by the program that made it, and what is kept of what was read from
        servers. 'gc' deletes previews whose file is gone or has changed or that nobody used for long, and as many as it
        takes to stay below the size that the settings allow. 'verify' reads every entry to its end and deletes damaged
        ones; with --dry-run it exits with 1 when there are some. 'clear' deletes what Vitrine made and what it read from
        servers: --all of it, or that of PATH and what is below, in archives as well. Thumbnails of other programs stay.
        docs/cache.md says more.
        """
    static let options = [
        JSONOption.object,
        OptionSpecification(
            "--dry-run", short: "-n", "With gc, verify and clear: say what would go, and delete nothing."),
        OptionSpecification("--all", "With clear: everything that Vitrine made, and what it read from servers."),
        OptionSpecification("--own", "With clear: only Vitrine's own store, not what file managers show."),
        OptionSpecification("--yes", short: "-y", "With clear: do not ask."),
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let action = arguments.operands.first.map { String(decoding: $0, as: UTF8.self) }
        for option in ["--all", "--own", "--yes"] where arguments.has(option) && action != "clear" {
            throw PluginError(.invalidArgument, "\(option) goes with 'clear'")
        }
        guard action != "stats" || !arguments.has("--dry-run") else {
            throw PluginError(.invalidArgument, "'stats' deletes nothing, with or without --dry-run")
        }
        guard action == "clear" || arguments.operands.count < 2 else {
            throw PluginError(.invalidArgument, "only 'clear' takes paths")
        }
        let settings = try CommandContext.settings()
        let quota = settings.cache.quota
        var cache = PreviewCache(
            folders: try .standard(environment: PluginSearchPath.environment), version: VitrineVersion.text)
        cache.keepsAccount = true
        switch action {
        case "stats": return try statistics(of: cache, try content(), quota, arguments)
        case "gc": return try collect(cache, quota, arguments)
        case "verify": return try verify(cache, arguments)
        case "clear": return try clear(cache, settings, arguments)
        default:
            throw Action.wrongUsage(
                action, of: name, among: ["stats", "gc", "verify", "clear"],
                "write 'stats', 'gc', 'verify' or 'clear' behind 'vitrine cache'")
        }
    }

    /// What is kept of what was read from servers and unpacked from archives.
    static func content() throws(PluginError) -> BlockCache {
        BlockCache(folder: try PipelineConfiguration.blocksPath(environment: PluginSearchPath.environment))
    }

    /// A number of files, for programs.
    struct Tally: Encodable {
        var count: Int
        var bytes: Int64
        var occupied: Int64

        init(_ tally: CacheTally) {
            count = tally.count
            bytes = tally.bytes
            occupied = tally.occupied
        }
    }

    /// A number of entries in words.
    static func words(_ tally: CacheTally) -> String {
        "\(tally.count) \(tally.count == 1 ? "entry" : "entries"), \(Quantity.bytes(tally.occupied))"
    }
}
