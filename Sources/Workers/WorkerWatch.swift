import CPlatform
import Glibc
import Synchronization
import Timing
import VitrineKit

/// Looks at what a worker uses that is busy or starts, from outside, where the worker cannot lie: memory and processor time
/// ten times a second, its private folder once a second. A look costs some 20 µs; jobs that end sooner cost none.
///
/// A job's deadline counts the processor time that the worker uses, and the time in which it uses none: it sleeps, waits for
/// what never comes, or runs a program, whose time is not seen. On a busy machine a worker that waits for a core gets it
/// for some moments at least between two looks, so that this waiting hardly counts; ``WorkerSpecification/patience`` bounds
/// it. What passed since the last look counts for ``interval`` at most: a host that looks late, because it had no core
/// itself or the machine slept, does not know what the worker waited for. Waiting for the host does not count, see
/// ``leaveOut(_:)``.
///
/// The kernel counts memory for groups of processes only where the user was given a group (cgroup delegation), which
/// many systems do not do; this works everywhere.
struct WorkerWatch: Sendable {
    /// Between two looks.
    static let interval = Duration.milliseconds(100)
    /// For how long a look between two jobs will do for those that follow. What the jobs of this time used counts as used by
    /// the next one.
    static let economy = Duration.milliseconds(50)
    /// The most files and folders in a private folder.
    static let mostFiles: Int64 = 8192
    /// Bytes that a worker leaves free on the file system of its private folder, where there were twice as many when it
    /// began. What it writes, unlinks and keeps open is in no folder: this is the bound of it.
    static let reserve: Int64 = 256 << 20
    private static let looksPerFolder = 10

    /// Whom it looks at, and what that may use; shared by the copies, of which each job makes some.
    private final class Worker: Sendable {
        let pid: pid_t
        let memory: CInt
        let folder: String?
        let specification: WorkerSpecification

        init(_ pid: pid_t, _ memory: CInt, _ folder: String?, _ specification: WorkerSpecification) {
            (self.pid, self.memory, self.folder, self.specification) = (pid, memory, folder, specification)
        }
    }

    private let worker: Worker
    /// Milliseconds of processor time that the worker had used before.
    private let usedBefore: Int64
    private var counts: LookCounts
    /// Whether it warms up, which has a deadline of its own.
    private let isStarting: Bool
    /// Bytes that must stay free where its private folder is.
    var mustStayFree: Int64

    /// - Parameters:
    ///   - pid: the worker.
    ///   - memory: from `vp_open_memory`; below 0 its memory is not watched.
    ///   - folder: its private folder.
    ///   - specification: its bounds.
    ///   - isStarting: whether it has no item yet, but warms up: its time is not looked at. Default: no.
    init(
        pid: pid_t, memory: CInt, folder: String?, _ specification: WorkerSpecification, isStarting: Bool = false
    ) {
        self.isStarting = isStarting
        worker = Worker(pid, memory, folder, specification)
        usedBefore = max(0, vp_processor_time(pid))
        counts = LookCounts(used: usedBefore)
        // A worker on a disk that was full before is not to blame for it.
        mustStayFree = min(Self.reserve, (folder.flatMap(Self.freeBytes) ?? 0) / 2)
    }

    /// The same for another job, that begins now.
    func anew() -> WorkerWatch {
        var copy = self
        copy.counts = LookCounts(used: usedBefore)
        return copy
    }

    /// Leaves out time that ended now, in which the worker waited for the host.
    func leaveOut(_ time: Duration) { counts.leaveOut(time) }

    /// Looks, unless that was done a moment ago.
    /// - Returns: as ``look(at:)`` does.
    func lookIfDue() -> PluginError? { counts.isDue(.now) ? look() : nil }

    /// Looks once. Copies count the looks of a job together.
    /// - Returns: the bound that is exceeded, or `nil`.
    func look(at now: Moment = .now) -> PluginError? {
        let specification = worker.specification
        let plugin = "plugin '\(specification.id)'"
        let purpose = isStarting ? "to start" : "for it"
        let memory = specification.program == nil ? vp_resident_memory(worker.memory) : vp_tree_memory(worker.pid)
        if memory > specification.residentMemory {
            return PluginError(
                .limitExceeded,
                "\(plugin) needed more than \(specification.residentMemory >> 20) MiB of memory \(purpose) "
                    + "(resident-memory)")
        }
        let used = max(usedBefore, vp_processor_time(worker.pid))
        let (looks, idle) = counts.count(used, at: now)
        let busy = Duration.milliseconds(used - usedBefore)
        let most = Duration.seconds(specification.seconds)
        if !isStarting, busy > most {
            return PluginError(
                .timeout, "\(plugin) used more than \(specification.seconds) s of processor time for it (seconds)")
        }
        if !isStarting, busy + idle > most {
            return PluginError(.timeout, "\(plugin) did not finish within \(specification.seconds) s (seconds)")
        }
        guard let folder = worker.folder else { return nil }
        if let free = Self.freeBytes(at: folder), free < mustStayFree {
            return PluginError(
                .noSpace,
                "less than \(mustStayFree >> 20) MiB were left where '\(folder)' was, the temporary folder of \(plugin); "
                    + "free some space, or set TMPDIR to a folder that has more")
        }
        guard looks % Self.looksPerFolder == 0 else { return nil }
        let usage = Self.usage(of: folder)
        if usage.bytes > specification.privateFolderSize {
            return PluginError(
                .limitExceeded,
                "\(plugin) wrote more than \(specification.privateFolderSize >> 20) MiB \(purpose) (private-folder)")
        }
        if usage.files >= Self.mostFiles {
            return PluginError(
                .limitExceeded, "\(plugin) wrote more than \(Self.mostFiles) files \(purpose) (private-folder)")
        }
        return nil
    }

    /// Whether between two jobs it keeps more memory than it may, half of another bound is used up, or so much processor time
    /// that another job might not end before the worker's life does.
    /// - Parameter withFolder: whether the private folder is looked at too, which takes about a millisecond.
    func isWorn(withFolder: Bool) -> Bool {
        let specification = worker.specification
        let resident = vp_resident_memory(worker.memory)
        if resident > specification.residentMemory / 2 { return true }
        // Its own is a part of that.
        if resident > specification.keptMemory, vp_own_memory(worker.memory) > specification.keptMemory { return true }
        // A job may use its seconds and what passes until the next look, on every core.
        let reserve = specification.seconds * 2 + 10
        if usedBefore > Int64(max(0, specification.lifetime - reserve)) * 1000 { return true }
        guard withFolder, let folder = worker.folder else { return false }
        let usage = Self.usage(of: folder)
        return usage.bytes > specification.privateFolderSize / 2 || usage.files > Self.mostFiles / 2
    }

    /// Bytes that are free on a folder's file system, for this user; `nil` when the system does not say.
    private static func freeBytes(at folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }

    private static func usage(of folder: String) -> (bytes: Int64, files: Int64) {
        var bytes: Int64 = 0
        let files = vp_folder_usage(folder, mostFiles, &bytes)
        return (bytes, max(0, files))
    }
}

extension WorkerSpecification {
    /// - Throws: `limitExceeded` when the previews that are wanted need more memory than they may.
    func checkOutput(for boxes: [Int]) throws(PluginError) {
        let wanted = OutputMemory.size(for: boxes)
        guard wanted <= outputSize else {
            throw PluginError(
                .limitExceeded,
                "previews of these sizes need \(wanted >> 20) MiB of memory; plugin '\(id)' may use "
                    + "\(outputSize >> 20) MiB (output); ask for fewer or smaller ones")
        }
    }
}

/// The looks at a worker in one job.
private final class LookCounts: Sendable {
    private struct State {
        var looks = 0
        var idle = Duration.zero
        /// Milliseconds of processor time at the last look.
        var used: Int64
        /// When that was, and later by what is left out since.
        var last: Moment
    }
    private let state: Mutex<State>

    /// - Parameter used: milliseconds of processor time before the job.
    init(used: Int64) { state = Mutex(State(used: used, last: .now)) }

    func leaveOut(_ time: Duration) { state.withLock { $0.last += time } }

    /// Whether the last look is as long ago as looks are apart.
    func isDue(_ now: Moment) -> Bool { state.withLock { now - $0.last >= WorkerWatch.interval } }

    /// Counts a look.
    /// - Parameters:
    ///   - used: milliseconds of processor time by now.
    ///   - now: when that is.
    /// - Returns: how many looks there were, and the time between those of them between which the worker used nothing.
    func count(_ used: Int64, at now: Moment) -> (looks: Int, idle: Duration) {
        state.withLock { state in
            state.looks += 1
            if used == state.used { state.idle += min(max(.zero, now - state.last), WorkerWatch.interval) }
            (state.used, state.last) = (used, now)
            return (state.looks, state.idle)
        }
    }
}
