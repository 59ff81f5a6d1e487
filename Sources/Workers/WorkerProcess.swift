import CPlatform
import Containment
import Glibc
import Timing
import VitrineKit
import WorkerWire

/// One worker process, from spawn to reaping.
///
/// Calls block only the process's own queue, or a ``BlockingThread``. The pool hands a process to one job at a time.
final class WorkerProcess: Sendable {
    /// How a job ended.
    enum Outcome<Value: Sendable>: Sendable {
        /// What was made.
        case answered(Value)
        /// The renderer gave a reason; the worker is as good as before.
        case refused(PluginError)
        /// The process is gone, and how it ended.
        case lost(String)
        /// The deadline passed, and the process was killed.
        case overran
        /// A bound was exceeded, which the error names, and the process was killed.
        case exceeded(PluginError)
        /// The answer made no sense, and the process was killed.
        case nonsense(PluginError)
    }

    let specification: WorkerSpecification
    /// How it is contained.
    let containment: ContainmentReport
    let link: Link

    init(_ specification: WorkerSpecification, readiness: WorkerReadiness, link: Link) {
        self.specification = specification
        containment = ContainmentReport(readiness)
        self.link = link
    }

    /// Makes a process that has not been told anything yet a worker, and waits until it is warm.
    /// - Parameters:
    ///   - link: the process.
    ///   - specification: the renderer.
    ///   - deadline: how long the warm-up may take.
    /// - Throws: `pluginUnavailable` when the renderer cannot be started, `workerLost` when somebody else killed it
    ///   meanwhile, `cancelled`.
    static func begin(
        _ link: Link, _ specification: WorkerSpecification, _ deadline: Duration
    ) async throws(PluginError) -> WorkerProcess {
        guard let process = try await begin(link, specification, isTemplate: false, deadline) else {
            link.end()
            throw PluginError(.invalidAnswer, "a worker became a template without being told to")
        }
        return process
    }

    /// Tells a process for the first time what it is.
    /// - Parameter isTemplate: whether it shall become a template, if it can.
    /// - Returns: the worker that it became; `nil` for a template.
    static func begin(
        _ link: Link, _ specification: WorkerSpecification, isTemplate: Bool, _ deadline: Duration
    ) async throws(PluginError) -> WorkerProcess? {
        var setup = WorkerSetup(
            library: specification.library, pluginFolder: specification.pluginFolder,
            privateFolder: link.privateFolder, profile: specification.profile,
            addressSpace: specification.addressSpace, maximumPixels: Int64(specification.maximumPixels),
            processorTime: UInt32(clamping: specification.lifetime))
        setup.isFinisher = specification.isFinisher
        setup.isTemplate = isTemplate
        if isTemplate { setup.companions = specification.companions }
        setup.program = specification.program
        // What its library takes while it warms up is bounded as what it takes for an item is.
        let reply = await link.exchange(
            HostMessage.start(setup).encoded(), fds: [], deadline: deadline, watch: link.watchStart(specification))
        var isOwnWord = false
        do throws(PluginError) {
            switch reply {
            case .message(.ready(let readiness)):
                return WorkerProcess(specification, readiness: readiness, link: link)
            case .message(.warm): return nil
            case .message(.unavailable(let error)):
                isOwnWord = true
                throw error
            case .message: throw PluginError(.invalidAnswer, "it did not say whether it is ready")
            case .nonsense(let error): throw error
            case .silence: throw PluginError(.timeout, "it was not ready within \(deadline)")
            case .exceeded(let error): throw error
            case .end(let how):
                // Nothing in it does that: somebody did, such as a system that is short of memory, and may not the next time.
                let wasKilled = how.signal == SIGKILL && !how.byHost
                let code = wasKilled ? PluginError.Code.workerLost : .pluginUnavailable
                throw PluginError(code, "it ended while it started (\(how))")
            }
        } catch {
            link.end()
            if Task.isCancelled { throw PluginError(.cancelled, "stopped while a worker started") }
            if !isOwnWord, error.code != .workerLost { link.breaks(error.message) }
            throw PluginError(
                error.code == .workerLost ? .workerLost : .pluginUnavailable,
                "the worker of plugin '\(specification.id)' cannot be started: \(error.message)")
        }
    }

    /// Hands over one item and waits for its answer, at most as long as the specification says; see ``WorkerWatch``.
    func render(_ job: WorkerJob, startTime: Duration) async -> Outcome<WorkerResult> {
        let number = link.nextNumber()
        let boxes = job.wish.boxes
        var message = RenderJob(number: number, job.wish, seconds: specification.patience)
        message.isRanged = job.ranges != nil
        var fds = [job.input]
        do throws(PluginError) {
            try specification.checkOutput(for: boxes)
            if let output = try link.growOutput(for: boxes) {
                message.outputSize = Int64(output.size)
                fds.append(output.fd)
            }
        } catch { return .refused(error) }
        if let password = job.password { await link.tell(HostMessage.unlock(number: number, password)) }
        let (reply, reading) = await converse(.render(message), number, fds, job.ranges)
        if let failure = reading.failure {
            // What was drawn of half an item is no picture of it.
            switch reply {
            case .message(.rendered(let answer)) where answer.number == number: return .refused(failure)
            case .message(.refused(number, _)): return .refused(failure)
            default:
                // Whatever became of a renderer that got no more bytes, the item is not to blame.
                link.end()
                return .refused(failure)
            }
        }
        let outcome = outcome(of: reply, number, boxes: boxes, startTime: startTime, reading.time)
        guard case .answered(var result) = outcome else { return outcome }
        result.facts.leaveOut(unlessWantedBy: job.wish)
        return .answered(result)
    }

    /// What a reply means that ends a job.
    func outcome(
        of reply: Link.Reply, _ number: UInt32, boxes: [Int], startTime: Duration, _ readTime: Duration
    ) -> Outcome<WorkerResult> {
        switch reply {
        case .message(.rendered(let answer)) where answer.number == number:
            guard answer.pictures.count == boxes.count else {
                return fail(PluginError(.invalidAnswer, "the worker made another number of pictures than asked for"))
            }
            do throws(PluginError) {
                return .answered(try collect(answer, boxes, startTime: startTime, readTime))
            } catch {
                return fail(error)
            }
        default: return outcome(without: reply, number)
        }
    }

    /// What a reply means that is not the one that was hoped for.
    func outcome<Value>(without reply: Link.Reply, _ number: UInt32) -> Outcome<Value> {
        switch reply {
        case .message(.refused(number, let error)):
            guard Self.mayAnswer.contains(error.code) else {
                return fail(Self.foreignReason(error))
            }
            return .refused(error)
        case .message: return fail(PluginError(.invalidAnswer, "the worker answered something else than it was asked"))
        case .nonsense(let error): return fail(error)
        case .silence:
            link.end()
            return .overran
        case .exceeded(let error):
            link.end()
            return .exceeded(error)
        case .end(let how): return .lost(how.description)
        }
    }

    /// What became of the ranges that a worker asked for.
    struct Reading {
        /// Why the first one that was not there could not be had.
        var failure: PluginError?
        var time = Duration.zero
        var count = 0
    }

    /// The most ranges of one item; each is a block that was not there, unless the worker makes them up.
    private static let mostRanges = 100_000

    /// Hands over a job, and ranges of its input for as long as the worker asks for them. Its deadline does not count the
    /// time that they take.
    func converse(
        _ job: HostMessage, _ number: UInt32, _ fds: [CInt], _ ranges: (any RangeProvider)?
    ) async -> (Link.Reply, Reading) {
        let watch = link.watch(specification)
        let began = Moment.now
        var reading = Reading()
        var reply = await link.exchange(
            job.encoded(), fds: fds, deadline: .seconds(specification.patience), watch: watch)
        while let ranges, reading.count < Self.mostRanges,
            case .message(.needs(number, let offset, let count)) = reply
        {
            let asked = Moment.now
            let range: Result<Range<Int64>, PluginError>
            do throws(PluginError) { range = .success(try await ranges.bring(offset, count)) } catch {
                range = .failure(error)
                reading.failure = reading.failure ?? error
            }
            reading.count += 1
            let waited = Moment.now - asked
            reading.time += waited
            watch.leaveOut(waited)
            let left = .seconds(specification.patience) - (Moment.now - began - reading.time)
            // A worker that asks again and again is looked at as often as one that computes.
            if left <= .zero { return (.silence, reading) }
            if let error = watch.lookIfDue() { return (.exceeded(error), reading) }
            reply = await link.exchange(
                HostMessage.provided(number: number, range).encoded(), fds: [], deadline: max(left, .zero),
                watch: watch)
        }
        return (reply, reading)
    }

    /// Ends the process, at once.
    func end() { link.end() }

    /// Whether it runs and has nothing to say, as one that waits for work.
    var isQuiet: Bool { link.isQuiet }

    /// Whether it is ended, reaped and has left nothing.
    var isGone: Bool { link.isGone }

    /// Waits until an ended process is reaped and its folder is gone, or so long.
    func ended(within patience: Duration) async { await link.ended(within: patience) }

    var pid: pid_t { link.pid }
    var privateFolder: String? { link.privateFolder }

    /// Items handed over so far.
    var documents: Int { link.documents }

    /// Whether it should be replaced before it serves another item: it has served enough of them, or half of what it
    /// may use is used already, so that the next item would pay for those before it.
    var isWorn: Bool {
        if documents >= specification.documentsPerWorker { return true }
        return link.watchAhead(specification)?.isWorn(withFolder: documents % 8 == 0) ?? false
    }

    /// Whether the system tells how much memory it uses.
    var isMemoryVisible: Bool { link.isMemoryVisible }

    static let mayAnswer: Set<PluginError.Code> = [
        .corrupt, .encrypted, .locked, .empty, .unsupported, .limitExceeded, .io, .changed, .invalidArgument,
    ]

    /// What a reason becomes that is not one of those: who wrote the renderer wants to read it all the same.
    static func foreignReason(_ error: PluginError) -> PluginError {
        PluginError(
            .invalidAnswer,
            "the renderer gave a reason that is none of a renderer's, '\(DisplayText.of(error.code.rawValue))': \(error.message)"
        )
    }

    func fail<Value>(_ error: PluginError) -> Outcome<Value> {
        link.end()
        return .nonsense(error)
    }

    private func collect(
        _ answer: RenderAnswer, _ boxes: [Int], startTime: Duration, _ readTime: Duration
    ) throws(PluginError) -> WorkerResult {
        var pictures: [WorkerResult.Picture] = []
        for (picture, box) in zip(answer.pictures, boxes) {
            // Before it is copied: what a picture of this size can never need is not taken.
            guard picture.length <= OutputMemory.size(for: [box]) else {
                throw PluginError(
                    .invalidAnswer, "the worker says that a preview of \(box) pixels has \(picture.length) bytes")
            }
            let png = try link.copyOutput(offset: picture.offset, length: picture.length)
            pictures.append(WorkerResult.Picture(png: png, size: picture.size))
        }
        let renderTime = Duration.nanoseconds(Int64(clamping: answer.renderTime))
        return WorkerResult(
            pictures: pictures, placeholder: answer.placeholder, isPlain: answer.isPlain, facts: answer.facts,
            embedded: answer.embedded, renderTime: max(.zero, renderTime - readTime), readTime: readTime,
            encodeTime: .nanoseconds(Int64(clamping: answer.encodeTime)), startTime: startTime)
    }
}

extension Facts {
    /// Leaves out what is told to those only who ask for it: a worker that was taken over asks nobody.
    fileprivate mutating func leaveOut(unlessWantedBy wish: RenderWish) {
        if !wish.wantsText, !wish.wantsPageText { text = nil }
        if !wish.wantsPlace { place = nil }
    }
}
