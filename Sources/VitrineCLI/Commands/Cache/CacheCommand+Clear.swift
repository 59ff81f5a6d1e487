import Glibc
import PluginHost
import PreviewCache
import Settings
import Vitrine
import VitrineKit

// `vitrine cache clear`
extension CacheCommand {
    static func clear(
        _ cache: PreviewCache, _ settings: Settings, _ arguments: ParsedArguments
    ) throws(PluginError) -> CInt {
        let places = try places(arguments.operands.dropFirst(), settings)
        guard arguments.has("--all") != !places.isEmpty else {
            throw PluginError(.invalidArgument, "write either --all or the paths whose previews shall go")
        }
        let (isOwn, isDryRun) = (arguments.has("--own"), arguments.has("--dry-run"))
        if !isDryRun, !arguments.has("--yes") {
            guard isatty(STDIN_FILENO) == 1 else {
                throw PluginError(
                    .invalidArgument, "nobody can be asked here; write --yes to delete without a question")
            }
            let plan = cache.clear(below: places, ownOnly: isOwn, isDryRun: true)
            guard plan.total.count > 0, isConfirmed("Delete \(words(plan.total))? [y/N] ") else {
                Console.print(plan.total.count > 0 ? "Nothing was deleted" : "There is nothing to delete")
                return ExitCode.done
            }
        }
        let lost = LostPreviews()
        let report = cache.clear(below: places, ownOnly: isOwn, isDryRun: isDryRun) { lost.add($0) }
        if !isDryRun { tell(lost) }
        if arguments.has("--json") {
            try JSONText.show(Collection(report, isDryRun: isDryRun))
        } else {
            let total = report.total
            Console.print(
                "\(isDryRun ? "Would delete" : "Deleted") \(total.count) \(total.count == 1 ? "entry" : "entries")"
                    + (isDryRun ? ", " : " and freed ") + Quantity.bytes(total.occupied))
        }
        return tell(report)
    }

    private static func places(_ operands: ArraySlice<[UInt8]>, _ settings: Settings) throws(PluginError) -> [String] {
        if operands.isEmpty { return [] }
        let folder = try CommandContext.workingFolder()
        let plugins = PluginDirectory(scanning: .standard(), settings: settings)
        var places: [String] = []
        for operand in operands {
            places.append(try ItemLocation.parse(operand, workingFolder: folder, schemes: plugins.schemes).text)
        }
        return places
    }

    private static func isConfirmed(_ question: String) -> Bool {
        _ = Console.write(question, to: STDERR_FILENO)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
