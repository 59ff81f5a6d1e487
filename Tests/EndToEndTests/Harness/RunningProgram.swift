import Foundation
import Synchronization
import TestSupport

/// A program that was started, in a session of its own. It is killed when nobody holds this any more.
final class RunningProgram: Sendable {
    /// It could not be started.
    struct NotStarted: Error, CustomStringConvertible {
        var program: String
        var reason: CInt
        var description: String { "'\(program)' cannot be started: \(String(cString: strerror(reason)))" }
    }

    let pid: pid_t
    private let outputPath: String
    private let errorPath: String
    /// As `waitpid` gives it.
    private let status = Mutex<CInt?>(nil)

    /// Starts a program.
    /// - Parameters:
    ///   - words: the program's path and its arguments, as bytes.
    ///   - environment: all that it sees.
    ///   - folder: where its output is kept, in new files.
    init(_ words: [[UInt8]], environment: [String: String], outputIn folder: String) throws {
        let name = "\(folder)/\(UUID().uuidString)"
        outputPath = name + ".out"
        errorPath = name + ".err"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_EXCL
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorPath, flags, 0o600)
        let words = [Array("/usr/bin/setsid".utf8)] + words
        let lines = environment.map { Array("\($0.key)=\($0.value)".utf8) }
        var pid: pid_t = 0
        let failure = Self.withStrings(words) { arguments in
            Self.withStrings(lines) { posix_spawn(&pid, "/usr/bin/setsid", &actions, nil, arguments, $0) }
        }
        guard failure == 0 else {
            throw NotStarted(program: String(decoding: words[1], as: UTF8.self), reason: failure)
        }
        self.pid = pid
    }

    deinit {
        guard !hasEnded else { return }
        kill(pid, SIGKILL)
        var status: CInt = 0
        waitpid(pid, &status, 0)
    }

    /// What it has written to standard output so far.
    var output: String { Self.text(outputPath) }

    /// What it has written to standard error so far.
    var errors: String { Self.text(errorPath) }

    /// What it says with `--progress json` so far; a line that is not complete yet is left out.
    var progress: [ProgressLine] {
        get throws {
            let output = output
            let end = output.lastIndex(of: "\n") ?? output.startIndex
            return try output[..<end].split(separator: "\n").map { try ProgressLine(String($0)) }
        }
    }

    /// Sends it a signal.
    func send(_ signal: CInt) { kill(pid, signal) }

    /// Whether it has ended.
    var hasEnded: Bool {
        status.withLock { known in
            if known != nil { return true }
            var status: CInt = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return false }
            known = status
            return true
        }
    }

    /// The processes that it started and that run.
    var workers: [ProcessTable.Process] { ProcessTable.processes(inSession: pid).filter { $0.pid != pid } }

    /// Waits for its end.
    /// - Parameter limit: how long; it is killed then. Default: as long as any condition.
    func finish(within limit: Duration = .seconds(180)) async throws -> FinishedRun {
        do {
            try await Condition.met("the program ends", within: limit) { hasEnded }
        } catch {
            send(SIGKILL)
            throw error
        }
        let status = status.withLock { $0 ?? 0 }
        let ended = status & 0x7F == 0
        return FinishedRun(
            pid: pid, exitCode: ended ? status >> 8 & 0xFF : nil, output: Self.bytes(outputPath), errors: errors)
    }

    /// Sends a signal after a time, unless the program ends before; waits for it on this thread alone.
    /// - Returns: whether it was sent.
    func send(_ signal: CInt, after time: Duration) -> Bool {
        let moment = ContinuousClock.now + time
        while !hasEnded {
            if ContinuousClock.now >= moment {
                send(signal)
                return true
            }
            poll(nil, 0, 1)
        }
        return false
    }

    private static func bytes(_ path: String) -> [UInt8] {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
    }

    private static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

    /// Lends texts to a C call, as an array that ends with `nil`.
    private static func withStrings<R>(
        _ texts: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let copies = texts.map { text in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count + 1)
            for (index, byte) in (text + [0]).enumerated() { copy[index] = CChar(bitPattern: byte) }
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        return body(copies + [nil])
    }
}
