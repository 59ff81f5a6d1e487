import CPlatform
import Glibc
import VitrineKit
import WorkerWire

// How the process of a worker comes to be: by starting the program, or by forking a template.
extension WorkerProcess.Link {
    /// Starts the program with its end of a socket pair.
    static func spawn(program: String, privateFolder: Bool) throws(PluginError) -> Self {
        var pair: [CInt] = [-1, -1]
        var failure = vp_socketpair(&pair)
        guard failure == 0 else { throw PluginError(errno: -failure, "cannot make a socket for a worker") }
        defer { close(pair[1]) }
        let folder: PrivateFolder?
        do throws(PluginError) { folder = privateFolder ? try PrivateFolder() : nil } catch {
            close(pair[0])
            throw error
        }
        let shown = getenv("VITRINE_WORKER_STDERR") != nil ? STDERR_FILENO : -1
        failure = ProgramWords.lend([program]) { arguments in
            ProgramWords.lend(environment) { environment in
                vp_spawn(program, arguments, environment, pair[1], shown)
            }
        }
        guard failure > 0 else {
            close(pair[0])
            throw PluginError(errno: -failure, "cannot start the worker program '\(program)'")
        }
        return Self(pid: failure, socket: pair[0], folder: folder)
    }

    /// Forks a process of this one, which must be a template.
    /// - Parameter deadline: how long that may take.
    /// - Throws: `pluginUnavailable`, when there is no new process.
    func fork(deadline: Duration) async throws(PluginError) -> Self {
        var pair: [CInt] = [-1, -1]
        let failure = vp_socketpair(&pair)
        guard failure == 0 else { throw PluginError(errno: -failure, "cannot make a socket for a worker") }
        let reply = await exchange(
            HostMessage.fork.encoded(), fds: [pair[1]], deadline: deadline, mayBlock: false)
        close(pair[1])
        if case .message(.forked(let pid)) = reply, vp_is_child(pid) != 0 {
            return Self(pid: pid, socket: pair[0], folder: nil, isForked: true)
        }
        close(pair[0])
        if case .message(.refused(_, let error)) = reply { throw error }
        // Whatever it does, it answers no more.
        end()
        throw PluginError(.pluginUnavailable, "the template of a worker does not fork one")
    }

    /// What a worker sees of the environment: nothing of the user's but where the loader finds libraries.
    private static var environment: [String] {
        // The backtracer would keep a crashed worker alive for minutes.
        var lines = ["SWIFT_BACKTRACE=enable=no", "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"]
        for name in ["LD_LIBRARY_PATH", "TZ", "VITRINE_WORKER_STDERR"] {
            if let value = getenv(name) { lines.append("\(name)=\(String(cString: value))") }
        }
        return lines
    }
}
