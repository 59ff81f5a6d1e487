import Glibc
import Timing
import VitrineKit

/// A program that runs to its end, and what it used.
struct MeasuredProcess {
    /// What a process and all that it reaped used.
    struct Usage {
        /// Seconds of processor time, all processes together.
        var cpu = 0.0
        /// Of these, the first process's own; to a hundredth of a second.
        var ownCPU = 0.0
        /// Seconds that it ran.
        var wall = 0.0
        /// The first process's largest resident memory, in KiB.
        var peakMemory = 0
    }

    var program: String
    var arguments: [String]
    /// What it sees of the environment.
    var environment: [String: String]
    /// Its standard input.
    var input = "/dev/null"
    /// Whether another exit status than 0 is no error.
    var mayFail = false

    /// The longest that any of them may run.
    private static let deadline = Duration.seconds(3600)

    /// Runs it.
    /// - Throws: when it cannot be started, fails or does not end.
    func run() throws(PluginError) -> Usage {
        let began = ContinuousClock.now
        let pid = try start(output: nil)
        var usage = Usage()
        var resources = rusage()
        var status: CInt = 0
        // Its own share and its peak can be read only while it is there.
        while true {
            let ended = wait4(pid, &status, WNOHANG, &resources)
            if ended == pid { break }
            usage.peakMemory = max(usage.peakMemory, Self.peakMemory(of: pid))
            usage.ownCPU = max(usage.ownCPU, Self.cpu(of: pid))
            if ContinuousClock.now - began > Self.deadline { kill(pid, SIGKILL) }
            poll(nil, 0, 5)
        }
        guard status == 0 || mayFail else {
            throw PluginError(.crashed, "'\(program)' ended with wait status \(status)")
        }
        usage.wall = (ContinuousClock.now - began).inSeconds
        usage.cpu = resources.ru_utime.seconds + resources.ru_stime.seconds
        return usage
    }

    /// Starts it.
    /// - Parameter output: its standard output; `nil`: nowhere.
    /// - Returns: its id; the caller waits for it.
    func start(output: CInt?) throws(PluginError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, program, &actions, nil, &arguments, &variables)
        guard failure == 0 else { throw PluginError(errno: failure, "cannot start '\(program)'") }
        return pid
    }

    /// `VmHWM` of /proc/PID/status, in KiB.
    private static func peakMemory(of pid: pid_t) -> Int {
        guard let line = text("/proc/\(pid)/status").split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first ?? "") ?? 0
    }

    /// Fields 14 and 15 of /proc/PID/stat, without children; in seconds.
    private static func cpu(of pid: pid_t) -> Double {
        guard let rest = text("/proc/\(pid)/stat").split(separator: ")").last else { return 0 }
        let fields = rest.split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    private static func text(_ path: String) -> String {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return "" }
        defer { close(fd) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(fd, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) * 1e-6 }
}
