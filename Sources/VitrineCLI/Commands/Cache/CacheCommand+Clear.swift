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
        let content = try content()
        let bytes = places.isEmpty ? content.diskUsage : content.diskUsage(below: places)
        let besides = bytes > 0 ? "\(Quantity.bytes(bytes)) of content read from servers or unpacked" : nil
        if !isDryRun, !arguments.has("--yes") {
            guard isatty(STDIN_FILENO) == 1 else {
                throw PluginError(
                    .invalidArgument, "nobody can be asked here; write --yes to delete without a question")
            }
            let plan = cache.clear(below: places, ownOnly: isOwn, isDryRun: true)
            guard plan.total.count > 0 || bytes > 0 else {
                Console.print("There is nothing to delete")
                return ExitCode.done
            }
            let all = words(plan.total) + (besides.map { ", and " + $0 } ?? "")
            guard isConfirmed("Delete \(all)? [y/N] ") else {
                Console.print("Nothing was deleted")
                return ExitCode.done
            }
        }
        let lost = LostPreviews()
        let report = cache.clear(below: places, ownOnly: isOwn, isDryRun: isDryRun) { lost.add($0) }
        if !isDryRun { tell(lost) }
        var failure: PluginError?
        if !isDryRun {
            do throws(PluginError) {
                if places.isEmpty { try content.forgetAll() } else { try content.forget(below: places) }
            } catch { failure = error }
        }
        if JSONOption.isGiven(arguments) {
            try JSONText.show(Collection(report, isDryRun: isDryRun, content: failure == nil ? bytes : nil))
        } else {
            let total = report.total
            Console.print(
                "\(isDryRun ? "Would delete" : "Deleted") \(total.count) \(total.count == 1 ? "entry" : "entries")"
                    + (isDryRun ? ", " : " and freed ") + Quantity.bytes(total.occupied))
            if let besides, failure == nil { Console.print("\(isDryRun ? "Would delete" : "Deleted") \(besides)") }
        }
        let code = tell(report)
        guard let failure else { return code }
        Console.error("vitrine cache: \(failure.message)")
        return ExitCode.failed
    }

    private static func places(_ operands: ArraySlice<[UInt8]>, _ settings: Settings) throws(PluginError) -> [String] {
        if operands.isEmpty { return [] }
        let folder = try CommandContext.workingFolder()
        let plugins = PluginDirectory(scanning: .standard(), settings: settings)
        var places: [String] = []
        for operand in operands {
            let place = try ItemLocation.parse(operand, workingFolder: folder, schemes: plugins.schemes)
            places += [place.text] + place.archivePlaces
        }
        return places
    }

    private static func isConfirmed(_ question: String) -> Bool {
        _ = Console.write(question, to: STDERR_FILENO)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
