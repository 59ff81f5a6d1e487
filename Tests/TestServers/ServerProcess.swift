import Glibc
public import VitrineKit
public import VitrineTesting

/// A real server that a test started, on a free port of this machine, with a folder of its own. Ended with the last
/// reference, and only that process.
public final class ServerProcess: Sendable {
    /// Where it listens.
    public let port: UInt16
    /// Its folder for configuration, logs and what it keeps; removed with it.
    public let folder: ScratchFolder
    private let process: pid_t

    /// Starts a program and waits until it listens.
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: without the program.
    ///   - environment: besides that of the tests.
    ///   - port: where it will listen; the arguments say so to the program.
    ///   - folder: its folder. What it prints goes to `output.log` there.
    /// - Throws: with the last lines of what it printed, when it does not listen within five minutes.
    public convenience init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], port: UInt16,
        folder: ScratchFolder
    ) throws(PluginError) {
        try self.init(program, arguments, environment, port, folder, "port \(port)") { Loopback.answers(port) }
    }

    /// Starts a program that listens on a socket of the file system, and waits until it is there.
    public convenience init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], socket: String,
        folder: ScratchFolder
    ) throws(PluginError) {
        try self.init(program, arguments, environment, 0, folder, "'\(socket)'") { access(socket, F_OK) == 0 }
    }

    private init(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ port: UInt16,
        _ folder: ScratchFolder, _ place: String, _ isThere: () -> Bool
    ) throws(PluginError) {
        self.port = port
        self.folder = folder
        let log = folder.path + "/output.log"
        let child = try Self.spawn([program] + arguments, environment, log)
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            let isListening = isThere()
            var status: CInt = 0
            // Then it is another program that listens.
            let isGone = waitpid(child, &status, WNOHANG) == child
            guard !isGone, isListening || ContinuousClock.now < deadline else {
                if !isGone { Self.end(child) }
                throw PluginError(
                    .io, "'\(program)' does not listen on \(place); it printed: \(TestFile.text(log).suffix(2000))")
            }
            if isListening { break }
            // Nobody tells when it listens; it is asked again.
            poll(nil, 0, 20)
        }
        process = child
    }

    deinit { Self.end(process) }

    /// Runs a program to its end.
    /// - Throws: when it fails, with what it printed.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: ScratchFolder
    ) throws(PluginError) {
        let log = folder.path + "/run.log"
        let process = try spawn([program] + arguments, environment, log)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw PluginError(.io, "'\(program)' failed: \(TestFile.text(log).suffix(2000))")
        }
    }

    /// The environment of the tests, read once: some change it, and the list of it may be moved while others read it.
    private static let inherited: [String] = {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(String(cString: variable))
            next += 1
        }
        return variables
    }()

    private static func spawn(
        _ command: [String], _ environment: [String: String], _ log: String
    ) throws(PluginError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let kept = inherited.filter { line in !environment.keys.contains { line.hasPrefix($0 + "=") } }
        var variables: [UnsafeMutablePointer<CChar>?] =
            (kept + environment.map { "\($0.key)=\($0.value)" }).map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        // Threads of Dispatch block signals, which a program would inherit and then not hear that it should end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let status = posix_spawn(&process, command[0], &actions, &attributes, &arguments, &variables)
        guard status == 0 else { throw PluginError(errno: status, "cannot start '\(command[0])'") }
        return process
    }

    /// Asks it to end, and makes it end when it does not within five seconds.
    private static func end(_ process: pid_t) {
        kill(process, SIGTERM)
        var status: CInt = 0
        for _ in 0..<250 {
            if waitpid(process, &status, WNOHANG) != 0 { return }
            poll(nil, 0, 20)
        }
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
    }
}
