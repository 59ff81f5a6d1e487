import Glibc
import VitrineKit

/// One of the programs in `Benchmarks/Loops`: a library in a tight loop.
struct LoopProgram {
    let path: String
    private let box: Int
    private let scratch: String

    /// Seconds without an answer after which a file counts as one that the library cannot draw.
    private static let patience: CInt = 30

    /// - Parameters:
    ///   - renderer: the id of the renderer with the same library.
    ///   - folder: where the programs lie.
    ///   - scratch: a folder that the program may write in.
    /// - Returns: `nil` when there is none.
    init?(for renderer: String, in folder: String, box: Int, scratch: String) {
        path = "\(folder)/vitrine-loop-\(renderer)"
        self.box = box
        self.scratch = scratch
        if access(path, X_OK) != 0 { return nil }
    }

    /// Finds out which files the library can draw. A crash or a hang costs the file that it happened on.
    func drawable(_ files: [String]) throws(PluginError) -> [String] {
        var drawn: [String] = []
        var rest = files[...]
        while !rest.isEmpty {
            let answers = try answers(for: Array(rest))
            drawn += zip(rest, answers).filter { $1 == UInt8(ascii: "+") }.map(\.0)
            rest = rest.dropFirst(answers.count + (answers.count < rest.count ? 1 : 0))
        }
        return drawn
    }

    /// Draws files that can be drawn.
    func run(_ files: [String]) throws(PluginError) -> MeasuredProcess.Usage {
        try process(files).run()
    }

    private func process(_ files: [String]) throws(PluginError) -> MeasuredProcess {
        let list = scratch + "/names"
        unlink(list)
        let fd = open(list, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot make '\(list)'") }
        defer { close(fd) }
        let names = files.reduce(into: [UInt8]()) { names, file in
            names += file.utf8
            names.append(0)
        }
        guard write(fd, names, names.count) == names.count else {
            throw PluginError(errno: errno, "cannot write '\(list)'")
        }
        return MeasuredProcess(
            program: path, arguments: ["\(box)", scratch],
            environment: ["PATH": "/usr/bin:/bin", "HOME": scratch, "LC_ALL": "C.UTF-8"], input: list)
    }

    /// What it says about each file, until it ends or falls silent.
    private func answers(for files: [String]) throws(PluginError) -> [UInt8] {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw PluginError(errno: errno, "cannot make a pipe") }
        // The program gets one end as its standard output, and no other.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let pid: pid_t
        do throws(PluginError) { pid = try process(files).start(output: ends[1]) } catch {
            close(ends[1])
            throw error
        }
        close(ends[1])
        var answers: [UInt8] = []
        var byte: UInt8 = 0
        var wait = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        while poll(&wait, 1, Self.patience * 1000) > 0, read(ends[0], &byte, 1) == 1 { answers.append(byte) }
        kill(pid, SIGKILL)
        var status: CInt = 0
        waitpid(pid, &status, 0)
        return answers
    }
}
