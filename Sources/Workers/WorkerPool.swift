public import Containment
import Dispatch
import Timing
public import VitrineKit

/// Keeps workers warm and gives each job one.
///
/// How many jobs run at once is the scheduler's business; the pool makes a worker for each that comes, reuses those
/// that are idle, and replaces them after a crash, a deadline, too many documents or too much memory.
public actor WorkerPool {
    let program: String
    private let maximumIdle: Int
    let idleTime: Duration
    private let requiredLevel: ContainmentLevel
    /// The workers.
    nonisolated let shelf: WorkerShelf
    /// Whether the system told how much memory each worker uses, so that the bound of it was watched. Where it does not,
    /// workers have the bound of their address space only. True until a worker was seen.
    public private(set) var watchesMemory = true
    /// Where further workers come from.
    var templates: [WorkerTemplate.Kind: TemplateState] = [:]
    /// Ended templates, perhaps not reaped yet.
    var retiredTemplates: [WorkerTemplate] = []
    /// How many workers of each template crashed.
    var crashes: [WorkerTemplate.Kind: Int] = [:]
    /// How often each template of several renderers did not start.
    var failedTemplates: [WorkerTemplate.Kind: Int] = [:]
    /// Whether workers are forked of templates. Not where the system does not show how much memory forked ones use.
    var forks = true
    /// Forks that are under way: until their processes are known, they are on no list.
    var forksUnderWay = 0
    /// The end of the pool, which waits for the last of them.
    var forksEnd: Waker?
    /// Workers that became warm, since the beginning.
    public internal(set) var startedCount = 0

    /// Creates a pool without any worker.
    /// - Parameters:
    ///   - program: path of `vitrine-worker`.
    ///   - maximumIdle: the most workers that wait for work; the one that waited longest goes first.
    ///   - idleTime: a worker that waited so long is ended; earlier, when others are at work meanwhile.
    ///   - requiredLevel: renderers whose workers do not reach it get no work. Default: any will do.
    public init(
        program: String, maximumIdle: Int, idleTime: Duration = .seconds(30), requiredLevel: ContainmentLevel = .none
    ) {
        self.requiredLevel = requiredLevel
        self.program = program
        self.maximumIdle = maximumIdle
        self.idleTime = idleTime
        shelf = WorkerShelf(maximumIdle: maximumIdle)
        PrivateFolder.removeAbandoned()
    }

    /// Renders one item.
    ///
    /// When the worker's process ends, the item is tried once more in a fresh one: what an earlier document left
    /// behind in the library is then no cause. So it is when a worker that had served others answers nonsense. An item with
    /// a password has a worker of its own: none that another document may have taken over sees it.
    /// - Throws: what the renderer said (`corrupt`, `encrypted`, …), or `crashed`, `timeout`, `invalidAnswer`,
    ///   `limitExceeded` for a bound that the message names, `pluginUnavailable` also when its workers are contained
    ///   less than is required, `cancelled`.
    public nonisolated func render(
        _ job: WorkerJob, by specification: WorkerSpecification,
        failed: @Sendable (_ startTime: Duration, _ workTime: Duration) -> Void = { _, _ in }
    ) async throws(PluginError) -> WorkerResult {
        try await serve(specification, alone: job.password != nil) { process, startTime in
            let began = Moment.now
            let outcome = await process.render(job, startTime: startTime)
            if case .answered = outcome { return outcome }
            failed(startTime, began.duration(to: .now))
            return outcome
        }
    }

    /// Gives work to a worker, and once more to a fresh one when its process ends. What made one process end, after another
    /// one had answered nonsense, is tried a third time.
    /// - Parameter alone: whether the worker serves nobody else, before or after.
    nonisolated func serve<Value: Sendable>(
        _ specification: WorkerSpecification, alone: Bool = false,
        _ work: @Sendable (WorkerProcess, _ startTime: Duration) async -> WorkerProcess.Outcome<Value>
    ) async throws(PluginError) -> Value {
        // Beside those at work it would be one more than there are jobs, with the memory of a whole office.
        if alone, !specification.allowsTemplate { shelf.retireIdle(specification) }
        var losses = 0
        var isFirst = true
        while true {
            let began = Moment.now
            let process = try await take(specification, fresh: alone || !isFirst)
            // Whatever is taken, the end of the pool ends.
            if shelf.isClosed { throw PluginError(.cancelled, "stopped before it was rendered") }
            let outcome = await work(process, Moment.now - began)
            if shelf.isClosed { throw PluginError(.cancelled, "stopped while it was rendered") }
            switch outcome {
            case .answered(let result):
                if alone { shelf.retire(process) } else { give(process) }
                return result
            case .refused(let error):
                if alone { shelf.retire(process) } else { give(process) }
                throw error
            case .lost(let how):
                shelf.retire(process)
                await workerCrashed(specification)
                losses += 1
                guard losses < 2 else {
                    throw PluginError(.crashed, "plugin '\(specification.id)' crashed on it twice (\(how))")
                }
            case .overran:
                shelf.retire(process)
                throw PluginError(
                    .timeout,
                    "plugin '\(specification.id)' did not finish within \(specification.patience) s, though it did not use "
                        + "\(specification.seconds) s of processor time (seconds); the machine may be too busy")
            case .nonsense(let error):
                shelf.retire(process)
                guard isFirst, process.documents > 1 else { throw error }
            case .exceeded(let error):
                shelf.retire(process)
                throw error
            }
            if Task.isCancelled { throw PluginError(.cancelled, "stopped while it was rendered") }
            isFirst = false
        }
    }

    /// Starts a worker for a renderer and tells how well it is contained, whatever is required.
    public func readiness(of specification: WorkerSpecification) async throws(PluginError) -> ContainmentReport {
        let process = if let idle = takeIdle(specification) { idle } else { try await warm(specification) }
        defer { give(process) }
        return process.containment
    }

    /// The layers that some worker lacked so far, each once, with the first reason that was met.
    public var lackingLayers: [LayerReport] {
        let lacking = shelf.reports.values.flatMap(\.lacking)
        return Containment.Layer.allCases.compactMap { layer in lacking.first { $0.layer == layer } }
    }

    /// How a worker of a renderer failed to start: it crashed, hung or took too much, which is a fault of the plugin. `nil` when
    /// none did, or when the renderer said what it lacks, such as a library that is not installed.
    public nonisolated func breakage(of specification: WorkerSpecification) -> String? {
        shelf.breakage(of: specification)
    }

    /// Tries whether workers can be given private folders.
    /// - Returns: where these lie, below `$TMPDIR`.
    /// - Throws: what is in the way, with what to do.
    public static func checkPrivateFolders() throws(PluginError) -> String { try PrivateFolder.check() }

    /// Ends every worker; jobs under way end as `cancelled`, and later ones do not begin. Returns when all processes are
    /// reaped and their folders removed, or after a second: one that hangs in the kernel may take for ever.
    public func end() async {
        let processes = shelf.close()
        let starting = templates.values.compactMap { state in
            if case .starting(let start) = state { start.link } else { nil }
        }
        endTemplates()
        for link in processes { await link.ended(within: .seconds(1)) }
        for link in starting { await link.ended(within: .seconds(1)) }
        for template in retiredTemplates { await template.ended(within: .seconds(1)) }
        retiredTemplates = []
        await forksEnded(within: .seconds(1))
        for link in shelf.close() { await link.ended(within: .seconds(1)) }
    }

    /// How many workers wait for work.
    public var idleCount: Int { shelf.idleCount }

    /// A worker that may be given work: each is checked whenever it is, where it comes from does not count.
    private nonisolated func take(
        _ specification: WorkerSpecification, fresh: Bool
    ) async throws(PluginError) -> WorkerProcess {
        if Task.isCancelled || shelf.isClosed { throw PluginError(.cancelled, "stopped before it was rendered") }
        let process: WorkerProcess
        if !fresh, let idle = takeIdle(specification) {
            process = idle
        } else {
            // What was found out once holds for every worker of the renderer: none is started in vain.
            if let report = shelf.reports[specification] { try check(report, of: specification) }
            process = try await warm(specification)
        }
        do throws(PluginError) {
            try check(process.containment, of: specification)
            return process
        } catch {
            shelf.retire(process)
            throw error
        }
    }

    private nonisolated func check(_ report: ContainmentReport, of specification: WorkerSpecification)
        throws(PluginError)
    {
        let missing = report.missing(for: requiredLevel, specification.profile)
        guard !missing.isEmpty else { return }
        if specification.program != nil, report.missing(for: requiredLevel, .strictest).isEmpty {
            throw PluginError(
                .pluginUnavailable,
                "'\(specification.id)' is not used: programs of others are started in a full containment only, and its "
                    + "workers lack \(missing.map(\.description).joined(separator: ", ")); 'vitrine doctor' says what to do"
            )
        }
        throw PluginError(
            .pluginUnavailable,
            "plugin '\(specification.id)' is not used: the settings require containment '\(requiredLevel.rawValue)', and "
                + "its workers lack \(missing.map(\.description).joined(separator: ", ")); "
                + "'vitrine doctor' says what to do, or require less")
    }

    /// Forks or starts a worker, which is taken.
    private func warm(_ specification: WorkerSpecification) async throws(PluginError) -> WorkerProcess {
        // Start-up includes what a library does once; LibreOffice makes a profile.
        let deadline = Duration.seconds(max(30, specification.seconds))
        var forked = try await fork(specification, deadline)
        if let worker = forked, !worker.isMemoryVisible {
            shelf.retire(worker)
            forks = false
            endTemplates()
            forked = nil
        }
        let process: WorkerProcess
        if let forked {
            process = forked
        } else {
            if shelf.isClosed { throw PluginError(.cancelled, "stopped before it was rendered") }
            process = try await begin(
                try WorkerProcess.Link.spawn(program: program, privateFolder: specification.profile.privateFolder),
                specification, deadline)
            startedCount += 1
        }
        if shelf.isClosed { throw PluginError(.cancelled, "stopped before it was rendered") }
        if !process.isMemoryVisible { watchesMemory = false }
        shelf.note(process.containment, of: specification)
        return process
    }

    /// Makes a process that has not been told anything yet a worker, which is taken.
    /// - Throws: as ``WorkerProcess/begin(_:_:_:)``.
    func begin(
        _ link: WorkerProcess.Link, _ specification: WorkerSpecification, _ deadline: Duration
    ) async throws(PluginError) -> WorkerProcess {
        guard shelf.starts(link) else { throw PluginError(.cancelled, "stopped before a worker started") }
        do throws(PluginError) {
            let process = try await WorkerProcess.begin(link, specification, deadline)
            shelf.started(process)
            return process
        } catch {
            shelf.failed(link)
            shelf.noteBreakage(of: link, specification)
            // Not by itself.
            if shelf.isClosed { throw PluginError(.cancelled, "stopped while a worker started") }
            throw error
        }
    }

    private nonisolated func takeIdle(_ specification: WorkerSpecification) -> WorkerProcess? {
        while let process = shelf.takeIdle(specification, where: { _ in true }) {
            if process.isQuiet { return process }
            shelf.retire(process)
        }
        return nil
    }

    private nonisolated func give(_ process: WorkerProcess) {
        if maximumIdle < 1 || process.isWorn {
            shelf.retire(process)
            return
        }
        shelf.give(process)
        sweepLater()
    }

    /// How long a worker waits while others are at work, and one that a template forks: their documents need the memory, and
    /// what has not come up for so long costs little to start again. It pays a twentieth of that time at most.
    private static let idleTimeBesideOthers = (started: Duration.seconds(1), forked: Duration.milliseconds(250))

    /// Ends workers that waited too long, for as long as there are any.
    nonisolated func sweepLater() {
        let (idleTime, besideOthers) = (idleTime, Self.idleTimeBesideOthers)
        shelf.sweep { [shelf] in
            Task { [weak self] in
                while !Task.isCancelled {
                    let interval = shelf.isAnyAtWork ? besideOthers.forked : besideOthers.started
                    try? await Task.sleep(for: min(idleTime, interval))
                    guard let self, await self.sweep() else { return }
                }
            }
        }
    }

    /// - Returns: whether there is anything left to wait for.
    private func sweep() -> Bool {
        let besideOthers = Self.idleTimeBesideOthers
        endTemplates(
            unusedFor: shelf.sweep(idleTime, besideOthers: besideOthers.started, ifForked: besideOthers.forked))
        return hasTemplates || !shelf.endsSweeping()
    }
}
