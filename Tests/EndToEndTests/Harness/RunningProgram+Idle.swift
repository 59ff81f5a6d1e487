import Foundation

extension RunningProgram {
    /// Sends a signal and measures for how long nothing happens until the program ends: the time less what its processes
    /// ran or waited for a processor, and less what this thread waited for one. So it is what the program waits for something
    /// else, whatever the machine is busy with.
    func idleTimeToEnd(after signal: CInt, atMost limit: Duration = .seconds(120)) -> Duration {
        var busy = BusyTime(ofSession: pid)
        let sent = ContinuousClock.now
        send(signal)
        while !hasEnded, ContinuousClock.now - sent < limit {
            poll(nil, 0, 10)
            busy.look()
        }
        return ContinuousClock.now - sent - busy.total
    }
}

/// How long the threads of a session ran or waited for a processor since it was first looked at them, and how long the
/// calling thread waited for one: that what it looks at has ended may be long ago then.
private struct BusyTime {
    private let session: pid_t
    /// What each of them had in the beginning and has now, by its folder in `/proc`.
    private var threads: [String: (before: Duration, now: Duration)] = [:]

    /// - Parameter session: whose processes are looked at.
    init(ofSession session: pid_t) {
        self.session = session
        look()
    }

    /// Looks once more: what a thread did after the last look before it ended is not known.
    mutating func look() {
        note("/proc/thread-self", Self.times(of: "/proc/thread-self")?.waited)
        for process in ProcessTable.processes(inSession: session) {
            let tasks = "/proc/\(process.pid)/task"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
            for folder in names.map({ "\(tasks)/\($0)" }) {
                note(folder, Self.times(of: folder).map { $0.ran + $0.waited })
            }
        }
    }

    private mutating func note(_ thread: String, _ time: Duration?) {
        guard let time else { return }
        threads[thread] = (threads[thread]?.before ?? time, time)
    }

    var total: Duration { threads.values.reduce(.zero) { $0 + ($1.now - $1.before) } }

    /// Nanoseconds that it ran and that it waited: Documentation/scheduler/sched-stats.rst of Linux.
    private static func times(of folder: String) -> (ran: Duration, waited: Duration)? {
        guard let text = try? String(contentsOfFile: folder + "/schedstat", encoding: .utf8) else { return nil }
        let numbers = text.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count > 1 else { return nil }
        return (.nanoseconds(numbers[0]), .nanoseconds(numbers[1]))
    }
}
