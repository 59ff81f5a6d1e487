import Glibc
import Vitrine
import VitrineKit

/// `vitrine prebuild`
enum PrebuildCommand: Command {
    static let name = "prebuild"
    static let summary = "Make the previews of everything in sources and folders."
    static let usage = "[SOURCE|PATH|URI…|--files-from FILE] [OPTIONS]"
    static let details = """
        Without a name or a path, every registered source is done. Folders are walked with all that is below them.
        Previews that are there and still true are not made again, and files that could not be rendered are not tried
        again until they, or the renderer, change. The previews lie where file managers look for them. Ctrl-C stops at
        once and loses nothing that was made.
        """
    static let options =
        FilesFromOption.specifications + [
            SizeOption.several, JobsOption.rendering.specification, progress.specification,
            OptionSpecification(
                "--sheet", value: "FILE", "Write a contact sheet of everything: FILE.html to look at, or FILE.png."),
            OptionSpecification("--force", short: "-f", "Make every preview anew, also those that are still true."),
            OptionSpecification("--dry-run", short: "-n", "Say what would be made, and make nothing."),
            OptionSpecification("--folders", "Make pictures of folders, too, of the best files in them."),
            OptionSpecification("--strict", "Exit with 3 when a file failed."),
            WalkOptions.hidden,
            OptionSpecification(
                "--exclude", value: "PATTERN",
                "Leave out what matches, in gitignore's syntax; may be given several times."),
            OptionSpecification(
                "--include", value: "PATTERN", "Take only files that match; may be given several times."),
            WalkOptions.followLinks, WalkOptions.crossFileSystems, EmbeddedOption.specification,
            ReadLimitOption.specification, PasswordOptions.command, PasswordOptions.caching,
            BusyOption.specification,
        ] + PictureOptions.ofEach

    private enum Form: String, CaseIterable { case auto, bar, json, none }
    private static let progress = ChoiceOption<Form>(
        "--progress", value: "FORM",
        "How to tell how far it is: auto (a bar, on a terminal), bar, json (one object a line, for programs) or none. "
            + "Default: auto.")

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let form = try progress.choice(arguments) ?? .auto
        let options = try prebuildOptions(arguments)
        let sheet = try SheetFile(arguments.bytes("--sheet"), of: options.finish.format)
        let list = try FilesFromOption.list(arguments)
        let pipeline = try CommandContext.pipeline(jobs: try JobsOption.rendering.count(arguments)) {
            settings throws(PluginError) in
            try PasswordOptions.apply(arguments, to: &settings, isBatch: true)
        }
        let sources = list == nil ? try SourceOperands.sources(arguments.operands, pipeline) : []

        let summary = await run(pipeline, form) {
            if let list {
                await pipeline.prebuild(filesIn: list, options)
            } else {
                await pipeline.prebuild(sources, options)
            }
        }
        let written = await sheet?.write(pipeline, sources, options, summary)
        await pipeline.end()
        await WorkerNotice.show(pipeline)
        show(summary, of: pipeline, form)
        for hint in SourceCommand.hints(of: summary, over: sources) { Console.error(hint) }
        switch written {
        case .success(let sentence)?: if form != .json, form != .none { Console.print(sentence) }
        case .failure(let error)?:
            Console.error("vitrine prebuild: \(error.message)")
            return ExitCode.failed
        case nil: break
        }
        if summary.wasInterrupted { return ExitCode.interrupted }
        if !summary.failedSources.isEmpty || summary.unkept > 0 || summary.stopped != nil { return ExitCode.failed }
        return arguments.has("--strict") && summary.total.failed > 0 ? ExitCode.itemsFailed : ExitCode.done
    }

    /// What the arguments say of the run.
    private static func prebuildOptions(_ arguments: ParsedArguments) throws(PluginError) -> PrebuildOptions {
        var options = PrebuildOptions(sizes: try PictureOptions.sizes(arguments))
        options.finish = try PictureOptions.finishOfEach(arguments)
        options.force = arguments.has("--force")
        options.isDryRun = arguments.has("--dry-run")
        options.makesFolders = arguments.has("--folders")
        WalkOptions.apply(arguments, to: &options)
        for text in arguments.all("--exclude") { options.exclude.append(try IgnorePattern(text)) }
        for text in arguments.all("--include") { options.include.append(try IgnorePattern(text)) }
        options.embedded = try EmbeddedOption.use(arguments)
        options.limits = try ReadLimitOption.limits(arguments)
        options.whenBusy = try BusyOption.policy(arguments)
        return options
    }

    /// Says in the end what was done, as far as the form does not say it otherwise.
    private static func show(_ summary: RunSummary, of pipeline: PreviewPipeline, _ form: Form) {
        let table = SummaryTable(summary: summary, pipeline: pipeline)
        if form == .none { for line in table.sourceLines { Console.error(line) } }
        if form != .json, form != .none {
            for line in table.failureLines + table.skippedLines { Console.error(line) }
            for line in JoinedLine.of(summary).map({ [$0] }) ?? table.lines { Console.print(line) }
        }
        FilingLines.show(summary, quietly: form == .json || form == .none)
        for notice in summary.notices { Console.error("vitrine: \(DisplayText.of(notice))") }
        let evicted = pipeline.evicted
        if form != .none, evicted.count > 0 {
            Console.error(
                "\(Quantity.count(evicted.count, "earlier preview")) (\(Quantity.bytes(evicted.occupied))) made room for new ones; "
                    + "'size' in [cache] of the settings is the limit")
        }
    }

    /// Runs with a listener beside it, both until the run's end.
    private static func run(
        _ pipeline: PreviewPipeline, _ form: Form, _ prebuild: @escaping @Sendable () async -> RunSummary
    ) async -> RunSummary {
        // Where nobody reads them, events are not even made.
        let showsBar = form == .bar || form == .auto && Console.isTerminal(STDERR_FILENO)
        let ofBar = showsBar ? pipeline.progress(buffer: 16) : nil
        let ofLines = form == .json ? pipeline.wholeProgress() : nil
        let work = InterruptibleWork { await prebuild() }
        let listener = Task {
            if let ofBar { await ProgressBar.show(ofBar) }
            if let ofLines, await !JSONLines.show(ofLines) { work.nobodyReads() }
        }
        let summary = await work.value
        await end(of: listener, within: summary.wasInterrupted ? .milliseconds(300) : nil)
        return summary
    }

    /// Waits until a listener has said all. After Ctrl-C only so long: nobody may read what it writes.
    static func end(of listener: Task<Void, Never>, within patience: Duration?) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            await listener.value
            end.finish()
        }
        if let patience {
            Task {
                try? await Task.sleep(for: patience)
                end.finish()
            }
        }
        for await _ in ends {}
    }
}
