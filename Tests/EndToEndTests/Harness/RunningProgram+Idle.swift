import Foundation

extension RunningProgram {
    /// What passes between a signal and the end of the program, whatever the machine is busy with.
    struct Ending {
        /// For how long nothing happened: the time less what its processes ran or waited for a processor, and less what
        /// the calling thread waited for one. So it is what the program waited for something else.
        var idle: Duration
        /// What all its processes computed.
        var computed: Duration
    }

    /// Sends a signal and waits until the program ends.
    /// - Parameter limit: how long to wait; all of it is in what is returned then.
    func ending(after signal: CInt, atMost limit: Duration = .seconds(120)) -> Ending {
        var busy = BusyTime(ofSession: pid)
        let sent = ContinuousClock.now
        send(signal)
        while !hasEnded, ContinuousClock.now - sent < limit {
            poll(nil, 0, 10)
            busy.look()
        }
        return Ending(idle: ContinuousClock.now - sent - busy.total, computed: busy.computed)
    }
}

/// How long the threads of a session ran or waited for a processor since it was first looked at them, and how long the
/// calling thread waited for one: that what it looks at has ended may be long ago then.
private struct BusyTime {
    private let session: pid_t
    /// What each of them had in the beginning and has now, by its folder in `/proc`.
    private var threads: [String: (before: Times, now: Times)] = [:]

    private struct Times {
        var ran: Duration
        var waited: Duration
    }

    /// - Parameter session: whose processes are looked at.
    init(ofSession session: pid_t) {
        self.session = session
        look()
    }

    /// Looks once more: what a thread did after the last look before it ended is not known.
    mutating func look() {
        note("/proc/thread-self", Self.times(of: "/proc/thread-self").map { Times(ran: .zero, waited: $0.waited) })
        for process in ProcessTable.processes(inSession: session) {
            let tasks = "/proc/\(process.pid)/task"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
            for folder in names.map({ "\(tasks)/\($0)" }) {
                note(folder, Self.times(of: folder))
            }
        }
    }

    private mutating func note(_ thread: String, _ times: Times?) {
        guard let times else { return }
        threads[thread] = (threads[thread]?.before ?? times, times)
    }

    /// What the threads of the session ran.
    var computed: Duration { threads.values.reduce(.zero) { $0 + ($1.now.ran - $1.before.ran) } }

    /// Besides, what they and the calling thread waited for a processor.
    var total: Duration { threads.values.reduce(computed) { $0 + ($1.now.waited - $1.before.waited) } }

    /// Nanoseconds that it ran and that it waited: Documentation/scheduler/sched-stats.rst of Linux.
    private static func times(of folder: String) -> Times? {
        guard let text = try? String(contentsOfFile: folder + "/schedstat", encoding: .utf8) else { return nil }
        let numbers = text.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count > 1 else { return nil }
        return Times(ran: .nanoseconds(numbers[0]), waited: .nanoseconds(numbers[1]))
    }
}
