import Glibc
import Vitrine
import VitrineKit

/// `vitrine copy`
enum CopyCommand: Command {
    static let name = "copy"
    static let summary = "Copy files and folders between storages, as a whole or not at all."
    static let usage = "FILE|FOLDER|URI… DESTINATION [OPTIONS]"
    static let details = """
        DESTINATION is a folder of this machine or of a storage that can be written to (file:, dav:, davs:, s3:, sftp:);
        it is made where it is missing. A folder is copied with all that is in it, hidden files included. Each copy is seen
        when all of it is there. When another file has its name, it gets a number: file(1).doc. A file of the same content
        that is there already is not copied again, so the same command goes on with what was stopped, by whatever.
        """
    static let options =
        [
            OptionSpecification("--replace", "Let copies take the place of files that have their names."),
            OptionSpecification("--skip", "Leave out files whose names are taken."),
            OptionSpecification("--verify", "Read each copy back and compare it; never trust size and time."),
            JobsOption.copying.specification,
        ] + WalkOptions.ofCopies + [JSONOption.lines]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let wanted = try options(arguments)
        guard let last = arguments.operands.last, arguments.operands.count > 1 else {
            throw PluginError(.invalidArgument, "name what to copy, and the folder to copy it to")
        }
        let pipeline = try CommandContext.pipeline()
        let folder = try CommandContext.workingFolder()
        let destination = try pipeline.source(last, workingFolder: folder)
        var sources: [SourceURI] = []
        for operand in arguments.operands.dropLast() {
            sources.append(try pipeline.source(operand, workingFolder: folder))
        }
        let summary = try await copy(sources, destination, wanted, pipeline, json: JSONOption.isGiven(arguments))
        await pipeline.end()
        if summary.wasInterrupted { return ExitCode.interrupted }
        return summary.isComplete ? ExitCode.done : ExitCode.failed
    }

    private static func options(_ arguments: ParsedArguments) throws(PluginError) -> CopyOptions {
        var options = CopyOptions()
        guard !(arguments.has("--replace") && arguments.has("--skip")) else {
            throw PluginError(.invalidArgument, "--replace and --skip do not go together")
        }
        if arguments.has("--replace") { options.clash = .replace }
        if arguments.has("--skip") { options.clash = .skip }
        options.verifies = arguments.has("--verify")
        WalkOptions.apply(arguments, to: &options)
        if let jobs = try JobsOption.copying.count(arguments) { options.jobs = jobs }
        return options
    }

    /// Copies while somebody is told how far it is, and says in the end what was copied and what was not.
    private static func copy(
        _ sources: [SourceURI], _ destination: SourceURI, _ options: CopyOptions, _ pipeline: PreviewPipeline,
        json: Bool
    ) async throws(PluginError) -> CopySummary {
        let events = pipeline.progress(of: .folder(destination.text), buffer: json ? 1 << 20 : 64)
        let work = InterruptibleWork { () -> Result<CopySummary, PluginError> in
            do throws(PluginError) { return .success(try await pipeline.copy(sources, to: destination, options)) } catch
            {
                return .failure(error)
            }
        }
        let listener = Task {
            if json {
                if await !JSONLines.show(events) { work.nobodyReads() }
            } else if Console.isTerminal(STDERR_FILENO) {
                await CopyBar.show(events)
            }
        }
        let result = await work.value
        // Without an end of what it listens to, it would wait for ever.
        if case .failure = result { listener.cancel() }
        await listener.value
        let summary = try result.get()
        for failure in summary.failures {
            Console.error("not copied: \(ItemName.reason(failure.from, failure.error))")
        }
        for skip in summary.skips {
            Console.error("left out: \(ItemName.reason(skip.from, skip.error))")
        }
        let unnamed = summary.failed + summary.skipped - summary.failures.count - summary.skips.count
        if unnamed > 0 { Console.error("and \(unnamed) more, which --json names") }
        if !json { Console.print(CopyText.summary(summary)) }
        return summary
    }
}
