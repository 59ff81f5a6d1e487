import VitrineKit

// Where the pool gets further workers of a renderer from: it keeps a template of each for as long as there are workers
// of it, and a little longer.
extension WorkerPool {
    /// What the pool knows of a renderer's template.
    enum TemplateState {
        /// It warms up; the task ends when this state does, with what went wrong.
        case starting(Task<PluginError?, Never>)
        /// It can be forked; it was used for the last time then.
        case ready(WorkerTemplate, lastUse: ContinuousClock.Instant)
        /// Its library starts threads.
        case impossible
    }

    /// Forks a worker, after a template was started if there is none.
    /// - Returns: `nil` when workers of this renderer are to be started one by one.
    /// - Throws: `pluginUnavailable` for a renderer that does not start, `cancelled`.
    func fork(
        _ specification: WorkerSpecification, _ deadline: Duration
    ) async throws(PluginError) -> WorkerProcess? {
        guard forks, specification.allowsTemplate else { return nil }
        if templates[specification] == nil {
            templates[specification] = .starting(Task { await startTemplate(specification, deadline) })
        }
        if case .starting(let task)? = templates[specification] {
            if let error = await task.value { throw error }
            if Task.isCancelled || ended { throw PluginError(.cancelled, "stopped while a worker started") }
        }
        // What became a worker instead has served nobody yet.
        let index = idle.lastIndex { $0.process.specification == specification && $0.process.documents == 0 }
        if let index { return idle.remove(at: index).process }
        guard case .ready(let template, _)? = templates[specification] else { return nil }
        templates[specification] = .ready(template, lastUse: .now)
        do throws(PluginError) { return try await template.fork(deadline: deadline) } catch {
            if error.code == .cancelled { throw error }
            // Whatever ended it, the next one may fare better; this worker is started without.
            if case .ready(let kept, _)? = templates[specification], kept === template {
                templates[specification] = nil
            }
            retire(template)
            return nil
        }
    }

    /// - Returns: why there is none.
    private func startTemplate(_ specification: WorkerSpecification, _ deadline: Duration) async -> PluginError? {
        do throws(PluginError) {
            let start = try await WorkerTemplate.start(program: program, specification, deadline: deadline)
            switch start {
            case .template(let template):
                guard !ended, forks else {
                    templates[specification] = nil
                    retire(template)
                    return nil
                }
                templates[specification] = .ready(template, lastUse: .now)
            case .worker(let process):
                templates[specification] = .impossible
                if ended { process.end() } else { idle.append(IdleWorker(process: process, since: .now)) }
            }
            sweepLater()
            return nil
        } catch {
            templates[specification] = nil
            return error
        }
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
        let used = Set(idle.map(\.process.specification) + busy.values.map(\.specification))
        for (specification, state) in templates {
            guard case .ready(let template, let lastUse) = state else { continue }
            if used.contains(specification) {
                templates[specification] = .ready(template, lastUse: now)
            } else if now - lastUse >= patience {
                templates[specification] = nil
                retire(template)
            }
        }
    }

    /// Ends all templates.
    func endTemplates() {
        for (specification, state) in templates {
            guard case .ready(let template, _) = state else { continue }
            templates[specification] = nil
            retire(template)
        }
    }

    private func retire(_ template: WorkerTemplate) {
        template.end()
        retiredTemplates.removeAll(where: \.isGone)
        retiredTemplates.append(template)
    }
}
