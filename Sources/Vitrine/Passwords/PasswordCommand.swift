import CPlatform
import Glibc
import VitrineKit

/// The user's command that knows passwords.
///
/// It is run by `/bin/sh -c`, with the item's URI and a line feed on its standard input, and this program's standard error
/// and terminal, so that it can ask a person. The first line of its output is the password.
struct PasswordCommand: Sendable {
    /// What the shell is given.
    var command: String
    /// How long an answer may take; a person may have to type it.
    var patience: Duration = .seconds(120)

    /// Runs the command. Blocks; to be called on a thread of its own.
    /// - Parameters:
    ///   - uri: of the item.
    ///   - isWanted: asked a few times a second; the command is ended when it says no.
    /// - Returns: `nil` when the command fails or says nothing: it knows no password.
    /// - Throws: `unauthorized` when the answer takes too long or is no password, `cancelled`, and why the command
    ///   cannot be run.
    func password(for uri: String, while isWanted: () -> Bool) throws(PluginError) -> Password? {
        let input = try Self.memory(Array("\(uri)\n".utf8))
        defer { close(input) }
        var ends: [CInt] = [-1, -1]
        let failure = vp_pipe(&ends)
        guard failure == 0 else {
            throw PluginError(errno: -failure, "cannot make a pipe for the password command")
        }
        let output = ends[0]
        defer { close(output) }
        // Without a terminal nobody else shares a process group of its own, so that all of it can be ended.
        let hasTerminal = Self.hasTerminal
        let pid = vp_spawn_shell(command, input, ends[1], hasTerminal ? 0 : 1)
        close(ends[1])
        guard pid > 0 else { throw PluginError(errno: -pid, "cannot start the password command") }
        var answer = Answer()
        defer { answer.wipe() }
        do throws(PluginError) {
            let succeeded = try wait(for: pid, output, &answer, isWanted)
            return try answer.password(ofSuccess: succeeded)
        } catch {
            if !answer.hasEnded {
                kill(hasTerminal ? pid : -pid, SIGKILL)
                var how = vp_exit()
                _ = vp_reap(pid, 0, &how)
            }
            throw error
        }
    }

    /// Reads what the command says, until it has ended.
    /// - Returns: whether it ended with status 0.
    private func wait(
        for pid: pid_t, _ output: CInt, _ answer: inout Answer, _ isWanted: () -> Bool
    ) throws(PluginError) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + patience
        var isOpen = true
        while true {
            guard isWanted() else { throw PluginError(.cancelled, "stopped while a password was asked for") }
            guard clock.now < end else {
                throw PluginError(
                    .unauthorized, "the password command did not answer within \(patience.components.seconds) s")
            }
            // Whoever it started may keep the pipe open.
            var how = vp_exit()
            if vp_reap(pid, 1, &how) != 0 {
                answer.hasEnded = true
                while isOpen, vp_wait_readable(output, 0) > 0 { isOpen = answer.read(from: output) }
                return how.signal == 0 && how.status == 0
            }
            if isOpen, vp_wait_readable(output, 50) > 0 { isOpen = answer.read(from: output) }
            if !isOpen { _ = poll(nil, 0, 10) }
        }
    }

    private static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }

    /// A file in memory, to be read from its start: unlike a pipe it never blocks who writes it.
    private static func memory(_ bytes: [UInt8]) throws(PluginError) -> CInt {
        let fd = vp_growing_memory("vitrine-uri")
        guard fd >= 0 else { throw PluginError(errno: -fd, "cannot make memory for a URI") }
        guard pwrite(fd, bytes, bytes.count, 0) == bytes.count else {
            let reason = errno
            close(fd)
            throw PluginError(errno: reason, "cannot write the URI for the password command")
        }
        return fd
    }
}

extension PasswordCommand {
    /// What a command said so far.
    private struct Answer {
        /// Room for a line that is one byte too long.
        private var bytes = [UInt8](repeating: 0, count: Password.maximumLength + 2)
        private var count = 0
        /// Whether the command was reaped.
        var hasEnded = false

        /// Takes what is there; what follows the first line, or does not fit, is thrown away.
        /// - Returns: whether more may come.
        mutating func read(from fd: CInt) -> Bool {
            var rest = [UInt8](repeating: 0, count: 512)
            let got = Glibc.read(fd, &rest, rest.count)
            if got < 0 { return errno == EINTR || errno == EAGAIN }
            for byte in rest.prefix(got) where count < bytes.count && !hasLine {
                bytes[count] = byte
                count += 1
            }
            rest.wipe()
            return got > 0
        }

        private var hasLine: Bool { count > 0 && bytes[count - 1] == UInt8(ascii: "\n") }

        /// The first line, of a command that ended.
        func password(ofSuccess succeeded: Bool) throws(PluginError) -> Password? {
            let length = hasLine ? count - 1 : count
            guard succeeded, length > 0 else { return nil }
            guard let password = Password(bytes[..<length]) else {
                throw PluginError(
                    .unauthorized,
                    "what the password command said is no password: its first line may have \(Password.maximumLength) "
                        + "bytes, none of them zero")
            }
            return password
        }

        mutating func wipe() { bytes.wipe() }
    }
}
