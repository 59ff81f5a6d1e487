import Dispatch
import Foundation
import TestSupport

/// Looks at a run from outside while it lasts: what it takes, and what its workers start.
struct RunWatch {
    /// The most memory that the program itself had, in bytes.
    private(set) var peakMemory = 0
    /// What it held, moment after moment.
    private(set) var samples: [Sample] = []
    /// Processes that workers started.
    private(set) var strangers: Set<ProcessTable.Process> = []

    /// What the program held at one moment.
    struct Sample {
        var descriptors: Int
        var threads: Int
    }

    /// Follows a run to its end.
    static func follow(
        _ program: RunningProgram, within limit: Duration = .seconds(1200),
        every pause: DispatchTimeInterval = .milliseconds(5)
    ) async throws -> (FinishedRun, RunWatch) {
        var watch = RunWatch()
        try await Condition.met("the program ends", within: limit, every: pause) {
            watch.look(at: program)
            return program.hasEnded
        }
        return (try await program.finish(), watch)
    }

    private mutating func look(at program: RunningProgram) {
        let processes = ProcessTable.processes(inSession: program.pid)
        let status = Self.status(of: program.pid)
        // When the program has ended, its workers are somebody else's children for a moment.
        guard !program.hasEnded, let peak = status["VmHWM"], let threads = status["Threads"] else { return }
        peakMemory = max(peakMemory, peak << 10)
        strangers.formUnion(processes.filter { $0.pid != program.pid && $0.parent != program.pid })
        let descriptors = ProcessTable.openFiles(of: program.pid).count
        samples.append(Sample(descriptors: descriptors, threads: threads))
    }

    /// The numbers of `/proc/PID/status`.
    private static func status(of pid: pid_t) -> [String: Int] {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        return Dictionary(
            text.split(separator: "\n").compactMap { line in
                let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
                guard words.count > 1, let number = Int(words[1]) else { return nil }
                return (String(words[0]), number)
            }, uniquingKeysWith: { first, _ in first })
    }
}
