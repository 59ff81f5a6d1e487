import CDaemon
import Dispatch
import Glibc
import Synchronization
import VitrineKit

/// A running rclone that listens on a socket which only this user can reach. Ended with the last reference; also when this
/// process ends, however it does.
///
/// The socket lies in a folder only until it is there: from then on it is reached by a descriptor, and nothing is left to be
/// removed by a process that may be killed.
final class RcloneDaemon: Sendable {
    /// What one daemon is for.
    struct Key: Hashable, Sendable {
        var program: String
        var config: String?
    }

    /// Where it listens, once it does, as a path in this process.
    var socket: String { "/proc/self/fd/\(listener.withLock { $0 })" }

    /// Where its socket and what it prints have names at first.
    let folder: String
    private let process: Mutex<pid_t>
    /// Stands for the socket; negative until it is there.
    private let listener = Mutex<CInt>(-1)
    /// What it prints, open for reading.
    private let output: CInt

    private struct Weak: Sendable {
        weak var daemon: RcloneDaemon?
    }

    private static let running = Mutex<[Key: Weak]>([:])

    /// The one for a program and its configuration; started when there is none.
    static func shared(_ key: Key) throws(PluginError) -> RcloneDaemon {
        // Starting takes a millisecond; two of them would cost more.
        try running.withLock { running throws(PluginError) in
            if let known = running[key]?.daemon, known.isRunning { return known }
            let new = try RcloneDaemon(key)
            running[key] = Weak(daemon: new)
            return new
        }
    }

    private init(_ key: Key) throws(PluginError) {
        let folder = try Self.makeFolder()
        var arguments = [
            key.program, "rcd", "--rc-addr", "unix://\(folder)/socket", "--rc-no-auth", "--rc-serve",
            "--ask-password=false", "--use-server-modtime",
        ]
        if let config = key.config { arguments += ["--config", config] }
        do throws(PluginError) {
            let written = open(folder + "/log", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard written >= 0 else { throw PluginError(errno: errno, "cannot write in '\(folder)'") }
            defer { close(written) }
            // Held by the daemon for as long as it lives, since the file is its output: see `sweep`.
            flock(written, LOCK_EX | LOCK_NB)
            output = open(folder + "/log", O_RDONLY | O_CLOEXEC)
            do throws(PluginError) { process = Mutex(try Self.start(arguments, written)) } catch {
                close(output)
                throw error
            }
        } catch {
            Self.removeFolder(folder)
            throw error
        }
        self.folder = folder
    }

    deinit {
        let process = process.withLock { $0 }
        Self.ending.withLock { ending in
            kill(process, SIGTERM)
            ending.insert(process)
        }
        listener.withLock { if $0 >= 0 { close($0) } else { Self.removeFolder(folder) } }
        close(output)
        // Who does not listen is ended. Its number is its own until the thread has taken note.
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) {
            Self.ending.withLock { if $0.contains(process) { kill(process, SIGKILL) } }
        }
    }

    /// Daemons that were told to end.
    private static let ending = Mutex<Set<pid_t>>([])

    /// Whether it has not ended.
    var isRunning: Bool {
        process.withLock { process in
            var info = siginfo_t()
            return waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == 0
        }
    }

    /// Whether it listens.
    var isListening: Bool {
        listener.withLock { listener in
            if listener >= 0 { return true }
            listener = cdaemon_find(folder + "/socket")
            guard listener >= 0 else { return false }
            Self.removeFolder(folder)
            return true
        }
    }

    /// The end of what it printed.
    var log: String {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = bytes.withUnsafeMutableBytes { pread(output, $0.baseAddress, $0.count, 0) }
        return DisplayText.of(bytes.prefix(max(0, count)).suffix(500))
    }

    /// Where other users cannot go.
    private static func makeFolder() throws(PluginError) -> String {
        let candidates = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { (name: String) in
            getenv(name).map { String(cString: $0) }
        }
        // The name of a socket has at most 107 bytes.
        for base in candidates + ["/tmp"] where base.hasPrefix("/") && base.utf8.count < 70 {
            var template = Array("\(base)/\(folderPrefix)XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                sweep(base)
                return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        throw PluginError(errno: errno, "cannot make a folder for rclone's socket in /tmp")
    }

    /// Starts it on a thread that stays until it has ended: a thread that ends would take it along.
    private static func start(_ arguments: [String], _ output: CInt) throws(PluginError) -> pid_t {
        let duplicate = fcntl(output, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { throw PluginError(errno: errno, "cannot start rclone") }
        let started = Started()
        let task = StartTask(arguments: arguments, output: duplicate, started: started)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { task in
                if let task { Unmanaged<StartTask>.fromOpaque(task).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(task).toOpaque())
        guard status == 0 else { throw PluginError(errno: status, "cannot start a thread for rclone") }
        pthread_detach(thread)
        started.semaphore.wait()
        let result = started.result.withLock { $0 }
        guard result > 0 else { throw PluginError(errno: -result, "cannot start '\(DisplayText.of(arguments[0]))'") }
        return result
    }

    /// What the thread tells: a process, or an error number below zero.
    private final class Started: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let result = Mutex<pid_t>(0)
    }

    private final class StartTask: Sendable {
        let arguments: [String]
        let output: CInt
        let started: Started

        init(arguments: [String], output: CInt, started: Started) {
            (self.arguments, self.output, self.started) = (arguments, output, started)
        }

        func run() {
            var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
            let process = cdaemon_start(arguments[0], &texts, environ, output)
            let reason = errno
            for text in texts { free(text) }
            close(output)
            started.result.withLock { $0 = process > 0 ? process : -reason }
            started.semaphore.signal()
            guard process > 0 else { return }
            var info = siginfo_t()
            while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            RcloneDaemon.ended(process)
        }
    }

    /// Takes note of an end, once nobody asks about the process any more: only then may its number become another's.
    private static func ended(_ process: pid_t) {
        while !ending.withLock({ $0.contains(process) }) { poll(nil, 0, 500) }
        ending.withLock { ending in
            var status: CInt = 0
            waitpid(process, &status, 0)
            ending.remove(process)
        }
    }
}
