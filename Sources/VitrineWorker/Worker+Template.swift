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
        send(.warm)
        while case (.fork?, let fds) = receive(), let channel = fds.first {
            let pid = vp_fork_beside()
            if pid == 0 {
                // The template's own socket is gone with that, and its number is the worker's.
                guard dup2(channel, socket) == socket else { _exit(71) }
                close(channel)
                guard case (.start(let own)?, _) = receive() else { return nil }
                return own
            }
            for fd in fds { close(fd) }
            send(pid > 0 ? .forked(pid) : .refused(number: 0, PluginError(errno: -pid, "cannot fork a worker")))
        }
        return nil
    }
}
