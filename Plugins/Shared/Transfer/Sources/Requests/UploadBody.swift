import CCurl
import Synchronization

/// What is sent along with a request while it is made: a task appends, libcurl takes. Little of it is kept: who appends
/// waits for the server.
final class UploadBody: Sendable {
    /// Bytes of all of it; `nil`: it is sent in chunks, and its end tells.
    let size: Int64?
    private let state = Mutex(State())

    fileprivate struct State {
        var buffer: [UInt8] = []
        var taken = 0
        /// Whether all that was taken is still here.
        var hasBeginning = true
        var isWhole = false
        /// Libcurl waits for more.
        var isPaused = false
        /// Nobody takes any more.
        var isClosed = false
        var writers: [CheckedContinuation<Void, Never>] = []
        var wake: (@Sendable () -> Void)?

        var left: Int { buffer.count - taken }

        mutating func takeWriters() -> [CheckedContinuation<Void, Never>] {
            defer { writers = [] }
            return writers
        }
    }

    /// What may lie here before whoever appends has to wait.
    private static let highWater = 2 << 20

    init(size: Int64?) { self.size = size }

    // MARK: The task's side

    /// Adds bytes, once there is room for them.
    /// - Returns: whether they are sent; the request's answer says why not. Also `false` for a task that is cancelled.
    func append(_ bytes: [UInt8]) async -> Bool {
        await waitForRoom()
        guard !Task.isCancelled else { return false }
        let (isOpen, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.isClosed, !state.isWhole else { return (false, nil) }
            // As long as it is little, it is kept for another try.
            if state.buffer.count > Self.highWater, state.taken > 0 {
                state.buffer.removeFirst(state.taken)
                state.taken = 0
                state.hasBeginning = false
            }
            state.buffer += bytes
            return (true, state.unpause())
        }
        wake?()
        return isOpen
    }

    /// Says that nothing more comes.
    func finish() {
        let wake = state.withLock { state in
            state.isWhole = true
            return state.unpause()
        }
        wake?()
    }

    private func waitForRoom() async {
        await withTaskCancellationHandler {
            while !Task.isCancelled {
                let hasRoom = state.withLock { $0.isClosed || $0.left < Self.highWater }
                if hasRoom { return }
                await withCheckedContinuation { continuation in
                    let isNow = state.withLock { state in
                        if state.isClosed || state.left < Self.highWater || Task.isCancelled { return true }
                        state.writers.append(continuation)
                        return false
                    }
                    if isNow { continuation.resume() }
                }
            }
        } onCancel: {
            for writer in state.withLock({ $0.takeWriters() }) { writer.resume() }
        }
    }

    // MARK: The side of libcurl's thread

    /// Tells how libcurl is woken when there is more.
    func attach(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Hands bytes to libcurl.
    /// - Returns: how many; 0 at the end, `CURL_READFUNC_PAUSE` when it has to wait.
    func take(into room: UnsafeMutableRawBufferPointer) -> Int {
        let (count, writers) = state.withLock { state -> (Int, [CheckedContinuation<Void, Never>]) in
            let count = min(room.count, state.left)
            guard count > 0 else {
                state.isPaused = !state.isWhole
                return (state.isWhole ? 0 : Int(CURL_READFUNC_PAUSE), [])
            }
            state.buffer.withUnsafeBytes {
                room.copyMemory(from: .init(rebasing: $0[state.taken..<state.taken + count]))
            }
            state.taken += count
            return (count, state.left < Self.highWater ? state.takeWriters() : [])
        }
        for writer in writers { writer.resume() }
        return count
    }

    /// Begins anew, as long as little was sent.
    /// - Returns: whether that can be.
    func rewind() -> Bool {
        state.withLock { state in
            guard state.hasBeginning else { return false }
            state.taken = 0
            return true
        }
    }

    /// Nothing is taken any more.
    func close() {
        let writers = state.withLock { state in
            state.isClosed = true
            state.buffer = []
            state.taken = 0
            state.wake = nil
            return state.takeWriters()
        }
        for writer in writers { writer.resume() }
    }
}

extension UploadBody.State {
    /// What to call, without a lock, to let libcurl go on.
    fileprivate mutating func unpause() -> (@Sendable () -> Void)? {
        defer { isPaused = false }
        return isPaused ? wake : nil
    }
}
