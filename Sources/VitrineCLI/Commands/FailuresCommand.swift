import PreviewCache
import Vitrine
import VitrineKit

/// `vitrine failures`
enum FailuresCommand: Command {
    static let name = "failures"
    static let summary = "List the files that could not be rendered, or try them again."
    static let usage = "[PATH|URI…] [OPTIONS]"
    static let details = """
        A file that failed is left alone until it, its renderer, a limit of that renderer or Vitrine changes; one that
        ran out of time is tried once more in the next run. PATH shows only what is there or below. With --retry exactly
        these files are rendered again, and the list is what still fails. Files that are no longer there are forgotten;
        those that cannot be reached now, as on a disk that is not mounted, are kept, and the exit code is 1.
        """
    static let options = [
        JSONOption.lines,
        OptionSpecification("--retry", "Render these files again, and forget the failures of those that succeed."),
        SizeOption.several.only(with: "--retry"),
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let sizes = try SizeOption.sizes(arguments)
        let asJSON = JSONOption.isGiven(arguments)
        guard arguments.has("--retry") || !arguments.has(SizeOption.name) else {
            throw PluginError(.invalidArgument, "--size goes with --retry")
        }
        let pipeline = try CommandContext.pipeline()
        let folder = try CommandContext.workingFolder()
        var places: [String] = []
        for operand in arguments.operands {
            places.append(try pipeline.source(operand, workingFolder: folder).text)
        }
        var items = pipeline.quarantine(below: places)
        var code = ExitCode.done
        if arguments.has("--retry") {
            code = await retry(items, sizes, pipeline, asJSON: asJSON)
            items = pipeline.quarantine(below: places)
        }
        for item in items { Console.print(asJSON ? try json(item) : line(item)) }
        if !asJSON, items.isEmpty { Console.error("no failure is remembered") }
        return code
    }

    /// Renders items again, and says what came of it, but for what still fails.
    /// - Returns: the exit code.
    private static func retry(
        _ items: [QuarantinedItem], _ sizes: [PreviewSize], _ pipeline: PreviewPipeline, asJSON: Bool
    ) async -> CInt {
        let work = InterruptibleWork { await pipeline.retry(items, PrebuildOptions(sizes: sizes)) }
        let summary = await work.value
        await pipeline.end()
        await WorkerNotice.show(pipeline)
        let table = SummaryTable(summary: summary, pipeline: pipeline)
        if !asJSON { for line in table.lines { Console.print(line) } }
        if let stop = table.stop { Console.error("vitrine failures: \(stop)") }
        if !summary.gone.isEmpty { Console.error("\(files(summary.gone.count)) no longer there, and forgotten") }
        if let first = summary.failedSources.first {
            Console.error(
                "\(files(summary.failedSources.count)) not reached, and kept in mind: "
                    + DisplayText.of(first.error.message))
        }
        if summary.wasInterrupted { return ExitCode.interrupted }
        return table.stop == nil && summary.failedSources.isEmpty ? ExitCode.done : ExitCode.failed
    }

    private static func files(_ count: Int) -> String { count == 1 ? "1 file is" : "\(count) files are" }

    private static func line(_ item: QuarantinedItem) -> String {
        let failure = item.failure
        let again = failure.isFinal ? "" : "; tried once more in the next run"
        return "\(ItemName.long(item.uri)): \(DisplayText.of(failure.message)) "
            + "[\(DisplayText.of(failure.code.rawValue)), \(DisplayText.of(failure.renderer))\(again)]"
    }

    private struct Line: Encodable {
        var uri: String
        var code: String
        var reason: String
        var renderer: String
        var count: Int
        var final: Bool
    }

    private static func json(_ item: QuarantinedItem) throws(PluginError) -> String {
        let failure = item.failure
        let line = Line(
            uri: item.uri, code: failure.code.rawValue, reason: failure.message, renderer: failure.renderer,
            count: failure.count, final: failure.isFinal)
        return try JSONText.line(line)
    }
}
