import Glibc
import Library
import Vitrine
import VitrineKit

/// `vitrine watch`
enum WatchCommand: Command {
    static let name = "watch"
    static let summary = "Keep the previews of sources current, until it is stopped."
    static let usage = "[SOURCE|PATH|URI…] [OPTIONS]"
    static let details = """
        Makes the previews that are missing, and then those of every file that is new, changes or moves; the previews of
        files that are deleted go with them. Without a name or a path every registered source is watched, also those that
        are added later. What was saved a moment ago goes before what was there. A source that goes away, such as a disk
        that is taken out, is waited for, and keeps its previews. It runs until Ctrl-C, or as a service: systemctl --user
        enable --now vitrine-watch
        """
    static let options = [
        SizeOption.several, JobsOption.rendering.specification,
        OptionSpecification(
            "--poll", value: "SECONDS",
            "How often to look at folders whose changes the system does not tell, 1 to 86400. Default: 300."),
        progress.specification,
    ]

    private enum Form: String, CaseIterable { case auto, json, none }
    private static let progress = ChoiceOption<Form>(
        "--progress", value: "FORM",
        "What to say: auto (a line for each preview), json (one object a line, for programs) or none. Default: auto.")

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let form = try progress.choice(arguments) ?? .auto
        var options = WatchOptions(sizes: try SizeOption.sizes(arguments))
        if let seconds = try arguments.integer("--poll", in: 1...86_400) { options.pollInterval = .seconds(seconds) }
        let pipeline = try CommandContext.pipeline(jobs: try JobsOption.rendering.count(arguments))
        let sources = try sources(arguments.operands, pipeline)
        let added = arguments.operands.isEmpty ? try registered(besides: sources) : nil
        let (summary, signal) = await run(pipeline, sources, options, form, added)
        // The terminal has written ^C, and what follows would stand behind it.
        if signal == SIGINT, Console.isTerminal(STDERR_FILENO) { Console.error("") }
        await pipeline.end()
        // The events named plugins when they were found to be broken.
        await WorkerNotice.show(pipeline, namesPlugins: form == .none)
        for failure in summary.failedSources {
            Console.error(ItemName.reason(failure.uri, failure.error))
        }
        for notice in summary.notices { Console.error("vitrine: \(DisplayText.of(notice))") }
        guard summary.wasInterrupted else { return ExitCode.failed }
        // A service that is told to stop has done what it was told.
        return signal == SIGTERM ? ExitCode.done : ExitCode.interrupted
    }

    /// The sources that operands name; all that are registered without operands.
    private static func sources(
        _ operands: [[UInt8]], _ pipeline: PreviewPipeline
    ) throws(PluginError) -> [WatchedSource] {
        var registered: [RegisteredSource] = []
        do throws(PluginError) { registered = try LibraryContext().library.sources() } catch {
            // Who has no place for a library, as a service without a home, names folders.
            guard error.code == .notFound, !operands.isEmpty else { throw error }
        }
        guard !operands.isEmpty || !registered.isEmpty else {
            throw PluginError(
                .notFound, "no source is registered; 'vitrine source add PATH' adds one, or name a folder")
        }
        var sources: [WatchedSource] = []
        if operands.isEmpty { for source in registered { sources.append(try watched(source)) } }
        for place in try SourceOperands.places(operands, among: registered, pipeline) {
            if let known = registered.first(where: { $0.uri == place.text }) {
                sources.append(try watched(known))
            } else {
                try LocalPlace.check(isFolder: place)
                sources.append(WatchedSource(place))
            }
        }
        return sources
    }

    /// Between two looks at what is registered: one question to a small database.
    private static let libraryPause = Duration.seconds(2)

    /// Tells the registered sources whenever they are others than before.
    private static func registered(
        besides known: [WatchedSource]
    ) throws(PluginError) -> AsyncStream<[WatchedSource]> {
        let library = try LibraryContext().library
        let (stream, continuation) = AsyncStream.makeStream(
            of: [WatchedSource].self, bufferingPolicy: .bufferingNewest(1))
        let look = Task {
            var last = known
            while !Task.isCancelled {
                try? await Task.sleep(for: libraryPause)
                // A library that cannot be read for a moment is no reason to watch nothing.
                guard let now = try? library.sources().compactMap({ try? watched($0) }), now != last else { continue }
                last = now
                continuation.yield(now)
            }
        }
        continuation.onTermination = { _ in look.cancel() }
        return stream
    }

    private static func watched(_ source: RegisteredSource) throws(PluginError) -> WatchedSource {
        var watched = WatchedSource(try SourceURI(source.uri), name: source.name)
        watched.includesHidden = source.options.hidden ?? false
        watched.followsLinks = source.options.followsLinks ?? false
        watched.crossesFileSystems = source.options.crossesFileSystems ?? false
        return watched
    }

    /// Runs with listeners beside it.
    private static func run(
        _ pipeline: PreviewPipeline, _ sources: [WatchedSource], _ options: WatchOptions, _ form: Form,
        _ changes: AsyncStream<[WatchedSource]>?
    ) async -> (RunSummary, signal: CInt?) {
        let events = pipeline.progress(buffer: 1 << 16)
        let heard = pipeline.progress(buffer: 64)
        let work = InterruptibleWork { await pipeline.watch(sources, options, changes: changes) }
        let listener = Task {
            switch form {
            case .json:
                if await !JSONLines.show(events) { work.nobodyReads() }
            case .auto:
                if await !WatchLines().show(events) { work.nobodyReads() }
            case .none: break
            }
        }
        let service = ServiceNotice.standard.map { notice in Task { await notice.follow(heard) } }
        let summary = await work.value
        service?.cancel()
        await PrebuildCommand.end(of: listener, within: .milliseconds(300))
        return (summary, work.signal)
    }
}
