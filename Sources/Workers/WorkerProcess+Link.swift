import CPlatform
import Dispatch
import FileBytes
import Glibc
import Synchronization
import Timing
import VitrineKit
import WorkerWire

extension WorkerProcess {
    /// The process, its socket and its memory: what must be given back exactly once.
    final class Link: Sendable {
        /// What came back.
        enum Reply: Sendable {
            case message(WorkerMessage)
            case nonsense(PluginError)
            /// The deadline passed.
            case silence
            /// A bound was exceeded meanwhile, which the error names.
            case exceeded(PluginError)
            /// The process is gone.
            case end(ProcessEnd)
        }

        private struct State {
            var running = true
            var number: UInt32 = 0
            var output: OutputMemory?
            var folder: PrivateFolder?
            /// How it failed to start, unless it gave a reason itself.
            var breakage: String?
            /// For the next job.
            var watch: (watch: WorkerWatch, since: Moment)?
        }

        let pid: pid_t
        /// Whether a template forked it, so that another one comes cheap.
        let isForked: Bool
        let privateFolder: String?
        private let socket: CInt
        /// Tells how much memory it uses; below 0 where the system does not.
        private let memory: CInt
        private let queue: DispatchQueue
        private let state: Mutex<State>
        /// Where messages are received; made once, since its size is that of the longest.
        private let room = Mutex([UInt8](unsafeUninitializedCapacity: WireMessage.sizeLimit) { $1 = $0.count })
        private let gone = Flag()

        /// Takes over a process that runs, its socket and its folder: see ``spawn(program:privateFolder:)`` and ``fork(deadline:)``.
        init(pid: pid_t, socket: CInt, folder: PrivateFolder?, isForked: Bool = false) {
            self.pid = pid
            self.isForked = isForked
            self.socket = socket
            // Now, before it makes itself invisible to other processes of the user.
            memory = vp_open_memory(pid)
            vp_patience(socket, WorkerWatch.interval.milliseconds)
            queue = DispatchQueue(label: "vitrine.worker.\(pid)")
            privateFolder = folder?.path
            var state = State()
            state.folder = folder
            self.state = Mutex(state)
        }

        deinit {
            end()
            close(socket)
            if memory >= 0 { close(memory) }
        }

        /// A look at what it uses from now on.
        func watch(_ specification: WorkerSpecification) -> WorkerWatch {
            // A worker does nothing between two jobs; but others may fill the disk that its folder is on.
            if let ahead = watchAhead(youngerThan: Self.freshness) { return ahead.anew() }
            return WorkerWatch(pid: pid, memory: memory, folder: privateFolder, specification)
        }

        /// A look at what it uses until it is warm.
        func watchStart(_ specification: WorkerSpecification) -> WorkerWatch {
            WorkerWatch(pid: pid, memory: memory, folder: privateFolder, specification, isStarting: true)
        }

        /// A look at what it used in its last job, which will do for the next one.
        /// - Returns: `nil` when it was looked at a moment ago.
        func watchAhead(_ specification: WorkerSpecification) -> WorkerWatch? {
            if watchAhead(youngerThan: WorkerWatch.economy) != nil { return nil }
            let watch = WorkerWatch(pid: pid, memory: memory, folder: privateFolder, specification)
            state.withLock { $0.watch = (watch, .now) }
            return watch
        }

        /// The last look between two jobs. Of one with a private folder each job needs a new one: others may fill its disk.
        private func watchAhead(youngerThan age: Duration) -> WorkerWatch? {
            guard privateFolder == nil, let ahead = state.withLock({ $0.watch }) else { return nil }
            return Moment.now - ahead.since < age ? ahead.watch : nil
        }

        /// For how long a look is taken for the next job: what libraries' threads use between two jobs far apart is not the
        /// second one's.
        private static let freshness = Duration.seconds(1)

        /// Whether the system tells how much memory it uses, as it does as long as the process is there.
        var isMemoryVisible: Bool {
            let used = vp_resident_memory(memory)
            return used >= 0 || used == -Int64(ESRCH)
        }

        /// Sends a message and waits for one: on this thread, if it may be blocked, or on the process's own queue.
        /// - Parameters:
        ///   - watch: what the process may use meanwhile. Default: nobody looks.
        ///   - mayBlock: whether this thread may be used. Not when several may exchange at once: the queue parts them.
        func exchange(
            _ message: [UInt8], fds: [CInt], deadline: Duration, watch: WorkerWatch? = nil, mayBlock: Bool = true
        ) async -> Reply {
            await withTaskCancellationHandler {
                if mayBlock, BlockingThread.isCurrent {
                    // A process that ended is reaped on the queue all the same: whoever waits for that waits there.
                    return blockingExchange(message, fds, deadline, watch) { self.queue.sync { self.reaped() } }
                }
                return await withCheckedContinuation { continuation in
                    queue.async {
                        continuation.resume(
                            returning: self.blockingExchange(message, fds, deadline, watch) { self.reaped() })
                    }
                }
            } onCancel: {
                // Who waits sees the end of the socket and answers.
                state.withLock { if $0.running { kill(pid, SIGKILL) } }
            }
        }

        /// Sends a message that is not answered, and overwrites what was sent. Whether it arrives, the next exchange
        /// finds out.
        func tell(_ message: HostMessage) async {
            await withCheckedContinuation { continuation in
                queue.async { [socket] in
                    var bytes = message.encoded()
                    _ = vp_send(socket, bytes, bytes.count, nil, 0)
                    HostMessage.wipe(&bytes)
                    continuation.resume()
                }
            }
        }

        private func blockingExchange(
            _ message: [UInt8], _ fds: [CInt], _ deadline: Duration, _ watch: WorkerWatch?,
            reaped: () -> ProcessEnd
        ) -> Reply {
            let sent = vp_send(socket, message, message.count, fds, CInt(fds.count))
            // There is room for hundreds of messages, and a worker is sent two before it answers.
            guard sent != -Int(EAGAIN) else {
                return .nonsense(PluginError(.invalidAnswer, "the worker does not read what it is told"))
            }
            guard sent == message.count else { return .end(reaped()) }
            let end = Moment.now + deadline
            var left = deadline
            while true {
                // To receive waits as long as looks are apart; only a shorter time, or a longer one, is waited for before.
                if watch == nil || left < WorkerWatch.interval {
                    let ready = vp_wait_readable(socket, left.milliseconds)
                    if ready < 0, ready != -EINTR { return .end(reaped()) }
                    if ready == 0, left == .zero { return .silence }
                    if ready > 0, let reply = received(reaped) { return reply }
                } else if let reply = received(reaped) {
                    return reply
                }
                if let error = watch?.look() { return .exceeded(error) }
                left = max(.zero, end - Moment.now)
            }
        }

        /// Receives a message.
        /// - Returns: `nil` when none came as long as looks are apart.
        private func received(_ reaped: () -> ProcessEnd) -> Reply? {
            let (count, message) = room.withLock { room -> (Int, Result<WorkerMessage, PluginError>?) in
                let count = room.withUnsafeMutableBytes { vp_receive(socket, $0.baseAddress, $0.count, nil, nil) }
                guard count > 0 else { return (count, nil) }
                return (count, Result { () throws(PluginError) in try WorkerMessage(decoding: room[..<count]) })
            }
            switch message {
            case .success(let message): return .message(message)
            case .failure(let error): return .nonsense(error)
            case nil where count == -Int(EAGAIN): return nil
            case nil where count == -Int(EMSGSIZE):
                return .nonsense(
                    PluginError(.invalidAnswer, "the worker sent a message that is too long, or descriptors"))
            case nil: return .end(reaped())
            }
        }

        /// How it failed to start: it crashed, hung or took too much. `nil` where it did not, or said itself what it lacks.
        var breakage: String? { state.withLock { $0.breakage } }

        /// Notes why it cannot become a worker, though it did not say so.
        func breaks(_ reason: String) { state.withLock { $0.breakage = reason } }

        /// Kills the process. It is reaped, and its folder removed, on its own queue: a process that reads from a dead
        /// mount does not die before the mount answers, and nobody shall wait for that. Later calls do nothing.
        func end() {
            guard let folder = stop() else { return }
            queue.async { [pid, gone] in Self.reap(pid, folder, gone) }
        }

        /// The same, when the exchanges that were begun on the process's own queue are done: a template that is killed
        /// between forking and telling of it leaves a child of this process that nobody knows, and nobody reaps.
        func endAfterExchanges() {
            queue.async { [self] in
                guard let folder = stop() else { return }
                Self.reap(pid, folder, gone)
            }
        }

        private static func reap(_ pid: pid_t, _ folders: [PrivateFolder], _ gone: Flag) {
            var how = vp_exit()
            _ = vp_reap(pid, 0, &how)
            // Before anybody hears that nothing is left of it: the program may end then.
            for folder in folders { folder.remove() }
            gone.raise()
        }

        /// Whether the process has not been ended, as far as is known.
        var isRunning: Bool { state.withLock { $0.running } }

        /// Whether it runs and has nothing to say, as one that waits for work. What it says without being asked would be
        /// taken for its answer to the next job.
        var isQuiet: Bool { isRunning && vp_wait_readable(socket, 0) == 0 }

        /// Whether the process was ended, reaped and has left nothing.
        var isGone: Bool { gone.isRaised }

        /// Waits until the queue has nothing left to do, or so long.
        func ended(within patience: Duration) async {
            let wake = Waker()
            await withCheckedContinuation { continuation in
                wake.set(continuation)
                queue.async { wake.wake() }
                DispatchQueue.global().asyncAfter(deadline: .now() + patience.inSeconds) { wake.wake() }
            }
        }

        /// How the process ended, after its socket closed; where its answer is waited for.
        private func reaped() -> ProcessEnd {
            var how = vp_exit()
            let (wasRunning, kept) = state.withLock { state -> (Bool, PrivateFolder?) in
                defer {
                    state.running = false
                    state.output = nil
                    state.folder = nil
                }
                return (state.running, state.folder)
            }
            guard wasRunning else { return ProcessEnd() }
            // One that ends closes its socket a moment before it can be reaped.
            var isReaped = vp_reap(pid, 1, &how) != 0
            for _ in 0..<Self.dyingTime where !isReaped {
                usleep(1000)
                isReaped = vp_reap(pid, 1, &how) != 0
            }
            if !isReaped {
                kill(pid, SIGKILL)
                _ = vp_reap(pid, 0, &how)
            }
            kept?.remove()
            gone.raise()
            return ProcessEnd(signal: how.signal, status: how.status, byHost: !isReaped)
        }

        /// For how many milliseconds a process that closed its socket is taken for one that ends.
        private static let dyingTime = 250

        /// Marks the process as ended and kills it.
        /// - Returns: `nil` when it was ended before; else what is to be kept until it is reaped.
        private func stop() -> [PrivateFolder]? {
            state.withLock { state in
                guard state.running else { return nil }
                state.running = false
                kill(pid, SIGKILL)
                defer { (state.output, state.folder) = (nil, nil) }
                return [state.folder].compactMap { $0 }
            }
        }

        /// The number of the next job.
        func nextNumber() -> UInt32 {
            state.withLock { state in
                state.number &+= 1
                return state.number
            }
        }

        var documents: Int { state.withLock { Int($0.number) } }

        /// Makes output memory when there is none that is large enough.
        /// - Returns: the new memory's descriptor and size, to be sent along; `nil` when the worker has it already.
        func growOutput(for boxes: [Int]) throws(PluginError) -> (fd: CInt, size: Int)? {
            try growOutput(to: OutputMemory.size(for: boxes))
        }

        /// The same, for so many bytes.
        func growOutput(to wanted: Int) throws(PluginError) -> (fd: CInt, size: Int)? {
            if state.withLock({ ($0.output?.size ?? 0) >= wanted }) { return nil }
            let made = try OutputMemory(size: wanted)
            state.withLock { $0.output = made }
            return (made.fd, made.size)
        }

        /// Copies a range out of the output memory.
        func copyOutput(offset: Int, length: Int) throws(PluginError) -> [UInt8] {
            let result = state.withLock { state -> Result<[UInt8], PluginError> in
                do throws(PluginError) {
                    return .success(try state.output?.copy(offset: offset, length: length) ?? [])
                } catch { return .failure(error) }
            }
            return try result.get()
        }

        /// Copies a range of the output memory to a descriptor, piece by piece.
        func copyOutput(offset: Int, length: Int, to fd: CInt) throws(PluginError) {
            var done = 0
            while done < length {
                let piece = try copyOutput(offset: offset + done, length: min(1 << 20, length - done))
                guard !piece.isEmpty else {
                    throw PluginError(.workerLost, "the worker ended while its output was read")
                }
                done += piece.count
                if let failure = FileBytes.write(piece, to: fd) {
                    let reason = PluginError(errno: failure, "cannot copy \(length) bytes into memory").message
                    throw PluginError(.workerLost, reason)
                }
            }
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, so that waiting for the rest of a time ends it.
    fileprivate var milliseconds: CInt {
        let (seconds, attoseconds) = components
        return CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
