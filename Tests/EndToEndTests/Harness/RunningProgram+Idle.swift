import Foundation

extension RunningProgram {
    /// Sends a signal and measures for how long nothing happens until the program ends: the time less what its processes,
    /// and this thread, ran or waited for a processor. So it is what the program waits for something else, whatever the
    /// machine is busy with.
    func idleTimeToEnd(after signal: CInt, atMost limit: Duration = .seconds(120)) -> Duration {
        var busy = BusyTime(ofSession: pid)
        let sent = ContinuousClock.now
        send(signal)
        while !hasEnded, ContinuousClock.now - sent < limit {
            poll(nil, 0, 1)
            busy.look()
        }
        return ContinuousClock.now - sent - busy.total
    }
}

/// How long threads ran or waited for a processor since it was first looked at them.
private struct BusyTime {
    private let session: pid_t
    /// What each of them had in the beginning and has now, by its folder in `/proc`.
    private var threads: [String: (before: Duration, now: Duration)] = [:]

    /// - Parameter session: whose processes are looked at, besides the calling thread.
    init(ofSession session: pid_t) {
        self.session = session
        look()
    }

    /// Looks once more: what a thread did after the last look before it ended is not known.
    mutating func look() {
        var folders = ["/proc/thread-self"]
        for process in ProcessTable.processes(inSession: session) {
            let tasks = "/proc/\(process.pid)/task"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
            folders += names.map { "\(tasks)/\($0)" }
        }
        for folder in folders {
            guard let now = Self.time(of: folder) else { continue }
            threads[folder] = (threads[folder]?.before ?? now, now)
        }
    }

    var total: Duration { threads.values.reduce(.zero) { $0 + ($1.now - $1.before) } }

    /// Nanoseconds that it ran and that it waited: Documentation/scheduler/sched-stats.rst of Linux.
    private static func time(of folder: String) -> Duration? {
        guard let text = try? String(contentsOfFile: folder + "/schedstat", encoding: .utf8) else { return nil }
        return text.split(separator: " ").prefix(2).reduce(.zero) { $0 + .nanoseconds(Int64($1) ?? 0) }
    }
}
