import CPlatform
import Glibc
import VitrineKit
import WorkerWire

// The life of a template: a process that is warm and has read no file, and of which the workers of its renderer are
// forked. What a library does when it loads and warms up, which takes up to a tenth of a second of processor time, is
// then done once, and its memory is there once.
extension Worker {
    /// Forks workers for as long as the host asks.
    /// - Parameter setup: what this process was started with.
    /// - Returns: in each forked process what it is started with, while it has read nothing else; `setup` in a process that
    ///   cannot be forked, because its library started threads, or holds memory or descriptors that its workers would
    ///   share; `nil` once the host is gone.
    func multiply(_ setup: WorkerSetup) -> WorkerSetup? {
        guard vp_thread_count() == 1, vp_shared_state(socket) == 0 else { return setup }
        rehearse()
        send(.warm)
        guard case (.fork?, let fds) = receive() else { return nil }
        return fork(fds)
    }

    /// Makes a process that has not been told what it is the base of all others: it has loaded this program, and no renderer.
    /// - Parameter fds: what came with the first `fork`.
    /// - Returns: in each forked process what it is started with; `nil` once the host is gone, or when the process cannot be
    ///   forked, which the host is told.
    func becomeBase(_ fds: [CInt]) -> WorkerSetup? {
        rehearse()
        let own = fds.max() ?? socket
        guard vp_thread_count() == 1, vp_shared_state(own) == 0 else {
            send(.refused(number: 0, PluginError(.pluginUnavailable, "the worker program has more than one thread")))
            return nil
        }
        return fork(fds)
    }

    /// Forks a process for each `fork`, until the host is gone.
    /// - Parameter first: what came with the first one.
    /// - Returns: in each forked process what it is started with.
    private func fork(_ first: [CInt]) -> WorkerSetup? {
        var fds = first
        while let channel = fds.first {
            let pid = vp_fork_beside()
            if pid == 0 {
                // The socket of the process that forked is gone with that, and its number is this one's.
                guard dup2(channel, socket) == socket else { _exit(71) }
                close(channel)
                guard case (.start(let own)?, _) = receive() else { return nil }
                return own
            }
            for fd in fds { close(fd) }
            send(pid > 0 ? .forked(pid) : .refused(number: 0, PluginError(errno: -pid, "cannot fork a worker")))
            guard case (.fork?, let next) = receive() else { return nil }
            fds = next
        }
        return nil
    }
}
