import Containment
import Glibc
import VitrineKit
import WorkerWire

/// A process that warmed up a renderer, or several that load the same libraries, and read no file, and forks workers for
/// them: what a library does once costs time and memory once, however many workers there are, and a worker that was lost is
/// replaced at once.
///
/// It is never given an item. Its workers are children of the host as others are, with all that was given up before the
/// warm-up given up in them; each finishes its own lock-down before its first item.
final class WorkerTemplate: Sendable {
    /// What a process became.
    enum Start {
        case template(WorkerTemplate)
        /// Its library starts threads while it warms up, of which one only would be there after a fork, or makes what
        /// forks would share.
        case worker(WorkerProcess)
    }

    let kind: Kind
    private let link: WorkerProcess.Link

    private init(_ kind: Kind, _ link: WorkerProcess.Link) {
        self.kind = kind
        self.link = link
    }

    /// What makes two templates the same: the renderers in them, and what these may do.
    struct Kind: Hashable {
        private let renderers: Set<RendererSetup>
        private let profile: ContainmentProfile

        fileprivate init(_ specification: WorkerSpecification) {
            renderers = Set(specification.companions + [specification.setup])
            profile = specification.profile
        }
    }

    /// Makes a process a template and waits until it is warm.
    /// - Parameters:
    ///   - link: a process that has not been told anything yet.
    ///   - specification: the renderer that is needed first.
    ///   - deadline: how long the warm-up may take.
    /// - Throws: `pluginUnavailable`. It is no item's own, so that it should be called where none can cancel it.
    static func start(
        _ link: WorkerProcess.Link, _ specification: WorkerSpecification, deadline: Duration
    ) async throws(PluginError) -> Start {
        let worker = try await WorkerProcess.begin(link, specification, isTemplate: true, deadline)
        return worker.map(Start.worker) ?? .template(WorkerTemplate(specification.template, link))
    }

    /// Forks a process that becomes the worker of one of the renderers in the template, and is locked down, when it is told.
    /// - Parameter deadline: how long that may take.
    /// - Throws: `pluginUnavailable`.
    func fork(deadline: Duration) async throws(PluginError) -> WorkerProcess.Link {
        // The item that needs the worker may be cancelled, which must not end the template of all others.
        let forking = Task { () async -> Result<WorkerProcess.Link, PluginError> in
            do throws(PluginError) { return .success(try await link.fork(deadline: deadline)) } catch {
                return .failure(error)
            }
        }
        return try await forking.value.get()
    }

    var pid: pid_t { link.pid }

    /// Ends the process, as soon as the forks are done that it was asked for. Its workers go on.
    func end() { link.endAfterExchanges() }

    /// Whether it can be forked, as far as is known.
    var isRunning: Bool { link.isRunning }

    /// Whether it is ended and reaped.
    var isGone: Bool { link.isGone }

    /// Waits until the ended process is reaped, or so long.
    func ended(within patience: Duration) async { await link.ended(within: patience) }
}

extension WorkerSpecification {
    /// Whether its workers may be forked. A private folder belongs to one process, and is given to it before the warm-up;
    /// a program of somebody else is started anew for each item anyway.
    var allowsTemplate: Bool { program == nil && !isFinisher && !profile.privateFolder }

    /// The template that its workers are forked of.
    var template: WorkerTemplate.Kind { WorkerTemplate.Kind(self) }
}
