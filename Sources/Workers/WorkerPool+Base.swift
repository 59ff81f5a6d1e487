import VitrineKit

// Where the pool gets the processes of templates from. To load the worker program, with what Swift's libraries do when they
// start, takes some milliseconds of processor time for each renderer; a fork of a process that did it takes half of one.
extension WorkerPool {
    /// What the pool knows of its *base*: a process of the worker program that has loaded no renderer and read no file, of which
    /// the processes of templates are forked.
    enum BaseState {
        /// Nothing was started yet. Many runs need one renderer only, whose process is started by itself.
        case unneeded
        /// There will be one when the next process is needed.
        case wanted
        case running(WorkerProcess.Link)
        /// It does not fork: each process is started by itself.
        case impossible
    }

    /// A process that has not been told anything yet.
    /// - Parameter deadline: how long a fork may take.
    /// - Throws: `pluginUnavailable` when the program cannot be started, `cancelled` when the pool ends meanwhile.
    func process(within deadline: Duration) async throws(PluginError) -> WorkerProcess.Link {
        if let base = try runningBase() {
            do throws(PluginError) { return try await base.fork(deadline: deadline) } catch {
                if ended { throw PluginError(.cancelled, "stopped while a worker started") }
                // One that was ended meanwhile makes way for another; one that cannot be forked does so for none.
                if case .running(let kept) = self.base, kept === base {
                    endBase()
                    self.base = .impossible
                }
            }
        }
        return try .spawn(program: program, privateFolder: false)
    }

    /// The base, which is started if it is wanted.
    private func runningBase() throws(PluginError) -> WorkerProcess.Link? {
        guard forks else { return nil }
        switch base {
        case .running(let link): return link
        case .impossible: return nil
        case .unneeded:
            base = .wanted
            return nil
        case .wanted:
            let link = try WorkerProcess.Link.spawn(program: program, privateFolder: false)
            base = .running(link)
            return link
        }
    }

    /// Ends the base, at once. What was forked of it goes on; what is needed next is forked of another one.
    /// - Returns: the process, perhaps not reaped yet.
    @discardableResult func endBase() -> WorkerProcess.Link? {
        guard case .running(let link) = base else { return nil }
        base = .wanted
        link.end()
        return link
    }
}
