import Dispatch
import VitrineKit

// Where the pool gets further workers of a renderer from: it keeps a template of each, or of several that share one, for as
// long as there are workers of it, and a little longer.
extension WorkerPool {
    /// What the pool knows of a renderer's template.
    enum TemplateState {
        /// It warms up.
        case starting(TemplateStart)
        /// It can be forked; it was used for the last time then.
        case ready(WorkerTemplate, lastUse: ContinuousClock.Instant)
        /// Its library starts threads, or makes what forks would share: so it is for good. Or one of several in it kept all
        /// from starting, which may have passed by that moment.
        case impossible(until: ContinuousClock.Instant?)
    }

    /// Forks a worker, after a template was started if there is none.
    /// - Returns: `nil` when a worker of this renderer is to be started by itself.
    /// - Throws: `pluginUnavailable` for a renderer that does not start, `cancelled`.
    func fork(
        _ specification: WorkerSpecification, _ deadline: Duration
    ) async throws(PluginError) -> WorkerProcess? {
        guard forks, specification.allowsTemplate else { return nil }
        try await awaitTemplate(of: specification, deadline)
        // What became a worker instead has served nobody yet.
        if let fresh = shelf.takeIdle(specification, where: { $0.documents == 0 }) { return fresh }
        let kind = specification.template
        guard case .ready(let template, _)? = templates[kind] else { return nil }
        templates[kind] = .ready(template, lastUse: .now)
        beginsFork()
        defer { endsFork() }
        do throws(PluginError) {
            let process = try await begin(try await template.fork(deadline: deadline), specification, deadline)
            startedCount += 1
            return process
        } catch {
            if error.code == .cancelled { throw error }
            // One that is gone is started again for the next worker; one that could not fork may be able to later.
            if !template.isRunning { drop(template) }
            return nil
        }
    }

    /// Notes that a template is asked for a fork, until ``endsFork()``.
    func beginsFork() { forksUnderWay += 1 }

    /// Notes that it is known what came of it.
    func endsFork() {
        forksUnderWay -= 1
        if forksUnderWay == 0 { forksEnd?.wake() }
    }

    /// Waits until no template forks any more and what came of it is on the shelf, or so many seconds.
    func forksEnded(within patience: DispatchTimeInterval) async {
        if forksUnderWay == 0 { return }
        let wake = Waker()
        forksEnd = wake
        await withCheckedContinuation { continuation in
            wake.set(continuation)
            DispatchQueue.global().asyncAfter(deadline: .now() + patience) { wake.wake() }
        }
    }

    /// Starts a template unless there is one, and waits until it is known what became of it.
    private func awaitTemplate(of specification: WorkerSpecification, _ deadline: Duration) async throws(PluginError) {
        let kind = specification.template
        while true {
            if Task.isCancelled || shelf.isClosed { throw PluginError(.cancelled, "stopped while a worker started") }
            let start: TemplateStart
            switch templates[kind] {
            case .impossible(let end?)? where end <= .now:
                templates[kind] = nil
                continue
            case .ready?, .impossible?: return
            case .starting(let found)? where found.isAbandoned:
                templates[kind] = nil
                continue
            case .starting(let found)?: start = found
            case nil:
                start = TemplateStart(try WorkerProcess.Link.spawn(program: program, privateFolder: false))
                templates[kind] = .starting(start)
                Task { await finish(start, specification, deadline) }
            }
            do throws(PluginError) { try await start.wait() } catch {
                // Those who gave up took it away from whoever came at that moment.
                if error.code != .cancelled, start.isAbandoned { continue }
                throw error
            }
        }
    }

    /// Waits for a template that warms up, and tells those who wait.
    private func finish(
        _ start: TemplateStart, _ specification: WorkerSpecification, _ deadline: Duration
    ) async {
        let kind = specification.template
        func settle(_ state: TemplateState?) {
            // Another one may be under way, when this one was abandoned.
            guard case .starting(let own)? = templates[kind], own === start else { return }
            templates[kind] = state
        }
        do throws(PluginError) {
            switch try await WorkerTemplate.start(start.link, specification, deadline: deadline) {
            case .template(let template):
                failedTemplates[kind] = nil
                settle(shelf.isClosed ? nil : .ready(template, lastUse: .now))
                if case .ready(let kept, _)? = templates[kind], kept === template { break }
                retire(template)
            case .worker(let process):
                settle(.impossible(until: nil))
                startedCount += 1
                shelf.give(process, isPromised: true)
            }
            sweepLater()
            start.finish(.success(()))
        } catch {
            guard !specification.companions.isEmpty, !shelf.isClosed, !start.isAbandoned else {
                shelf.noteBreakage(of: start.link, specification)
                settle(nil)
                start.finish(.failure(error))
                return
            }
            // Which of them it was is not known. Each is started by itself now, and only the broken one fails. All wait for the
            // next attempt, so that it comes later each time.
            let failures = min(failedTemplates[kind, default: 0], Self.longestPause)
            failedTemplates[kind] = failures + 1
            settle(.impossible(until: .now + idleTime * (1 << failures)))
            start.finish(.success(()))
        }
    }

    /// Has the next workers of a renderer forked of another template, when workers of this one ended so often: whoever
    /// guesses at addresses guesses anew.
    func workerCrashed(_ specification: WorkerSpecification) {
        let kind = specification.template
        crashes[kind, default: 0] += 1
        guard crashes[kind, default: 0] >= Self.mostCrashes else { return }
        crashes[kind] = nil
        if case .ready(let template, _)? = templates[kind] { drop(template) }
    }

    /// How often the pause before a template that failed is tried again is doubled, from the time for which a worker that is
    /// idle is kept.
    private static let longestPause = 7

    /// Workers of one template that may crash.
    private static let mostCrashes = 8

    private func drop(_ template: WorkerTemplate) {
        if case .ready(let kept, _)? = templates[template.kind], kept === template { templates[template.kind] = nil }
        retire(template)
    }

    /// Whether there is a template that may have to be ended.
    var hasTemplates: Bool {
        templates.values.contains { state in
            if case .ready = state { true } else { false }
        }
    }

    /// Ends the templates of renderers that have no worker.
    /// - Parameter patience: how long that must have been so.
    func endTemplates(unusedFor patience: Duration) {
        let now = ContinuousClock.now
        let used = Set(shelf.specifications.map(\.template))
        for (kind, state) in templates {
            guard case .ready(let template, let lastUse) = state else { continue }
            if used.contains(kind) {
                templates[kind] = .ready(template, lastUse: now)
            } else if now - lastUse >= patience {
                drop(template)
            }
        }
    }

    /// Ends all templates, also those that warm up.
    func endTemplates() {
        for state in templates.values {
            switch state {
            case .ready(let template, _): drop(template)
            case .starting(let start): start.link.end()
            case .impossible: break
            }
        }
    }

    private func retire(_ template: WorkerTemplate) {
        template.end()
        retiredTemplates.removeAll(where: \.isGone)
        retiredTemplates.append(template)
    }
}
