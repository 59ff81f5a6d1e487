import CCurl
import Synchronization
import VitrineKit

/// One request under way: what libcurl's thread fills, and a task empties.
final class Transfer: Sendable {
    let request: TransferRequest
    let policy: TransferPolicy
    /// How a password is sent; `nil` not at all.
    let scheme: Credentials.Scheme?
    /// Its source.
    let meter: Meter
    private let loop: TransferLoop
    private let state = Mutex(State())

    fileprivate struct State {
        var head = ResponseHead()
        var headerBytes = 0
        var isHeadComplete = false
        var buffer: [UInt8] = []
        var bodyBytes: Int64 = 0
        var isPaused = false
        /// Why this side ended the transfer; it counts more than what libcurl then says.
        var refusal: TransferFailure?
        var end: Result<Void, TransferFailure>?
        var waiters: [CheckedContinuation<Void, Never>] = []
        var begin: ContinuousClock.Instant?
    }

    /// What may lie here unread before libcurl is told to wait.
    private static let highWater = 512 << 10

    init(
        _ request: TransferRequest, _ policy: TransferPolicy, scheme: Credentials.Scheme?, meter: Meter,
        loop: TransferLoop
    ) {
        self.request = request
        self.policy = policy
        self.scheme = scheme
        self.meter = meter
        self.loop = loop
    }

    /// Lets libcurl go on with what is sent.
    func wake() { loop.send(.resume(self)) }

    /// What the cap of connections counts by.
    var host: String { "\(request.url.host):\(request.url.port)" }

    // MARK: The task's side

    /// Waits for the whole head.
    func head() async throws(TransferFailure) -> ResponseHead {
        await wait { $0.isHeadComplete || $0.end != nil }
        let (head, isComplete, end) = state.withLock { ($0.head, $0.isHeadComplete, $0.end) }
        if !isComplete, case .failure(let failure)? = end { throw failure }
        return head
    }

    /// Waits for the next part of the body, of any length.
    /// - Returns: `nil` at its end.
    func next() async throws(TransferFailure) -> [UInt8]? {
        await wait { !$0.buffer.isEmpty || $0.end != nil }
        let (bytes, wasPaused, end) = state.withLock { state in
            let taken = (state.buffer, state.isPaused, state.end)
            state.buffer = []
            state.isPaused = false
            return taken
        }
        if wasPaused { loop.send(.resume(self)) }
        if !bytes.isEmpty { return bytes }
        try end?.get()
        return nil
    }

    /// Ends it. May be called at any time, from anywhere.
    func cancel() {
        finish(.failure(.cancelled(request.purpose)))
        loop.send(.cancel(self))
    }

    private func wait(until isReady: @escaping @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if isReady(state) { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isNow { continuation.resume() }
            }
            // What woke it may not have been what it waits for.
            if !state.withLock({ isReady($0) }) { await wait(until: isReady) }
        } onCancel: {
            cancel()
        }
    }

    // MARK: The side of libcurl's thread

    /// Whether nobody waits for it any more.
    var hasEnded: Bool { state.withLock { $0.end != nil } }

    func began() {
        request.upload?.attach { [weak self] in self?.wake() }
        state.withLock { $0.begin = .now }
        meter.add(requests: 1)
    }

    func receive(header line: UnsafeBufferPointer<UInt8>) -> Int {
        state.withLock { state in
            state.headerBytes += line.count
            guard state.headerBytes <= policy.maximumHeaderBytes else {
                state.refusal = TransferFailure(
                    PluginError(
                        .io,
                        "\(request.purpose): the head of the answer of '\(request.url.server)' is longer than "
                            + "\(policy.maximumHeaderBytes) bytes, which no honest server needs"))
                return 0
            }
            state.head.take(line: line)
            return line.count
        }
    }

    func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let (taken, waiters): (Int, [CheckedContinuation<Void, Never>]) = state.withLock { state in
            guard state.end == nil else { return (0, []) }
            guard state.buffer.count + bytes.count <= Self.highWater else {
                state.isPaused = true
                return (Int(CURL_WRITEFUNC_PAUSE), [])
            }
            state.bodyBytes += Int64(bytes.count)
            guard state.bodyBytes <= request.maximumBytes else {
                state.refusal = TransferFailure(
                    PluginError(
                        .limitExceeded,
                        "\(request.purpose): '\(request.url.server)' sends more than the \(request.maximumBytes) bytes "
                            + "that are taken of such an answer"))
                return (0, [])
            }
            state.buffer += bytes
            state.isHeadComplete = true
            return (bytes.count, state.takeWaiters())
        }
        for waiter in waiters { waiter.resume() }
        return taken
    }

    /// Takes what libcurl says at the end.
    func ended(_ status: CURLcode, code: Int, certificate: Int) {
        let (begin, bytes, refusal) = state.withLock { state in
            if state.head.status == 0 { state.head.status = code }
            return (state.begin, Int64(state.headerBytes) + state.bodyBytes, state.refusal)
        }
        if let begin { meter.add(bytes: bytes, time: .now - begin) }
        if let refusal {
            finish(.failure(refusal))
        } else if status != CURLE_OK {
            finish(.failure(TransferFailure(status, certificate: certificate, request: request)))
        } else {
            finish(.success(()))
        }
    }

    /// Ends it for the task; the first end counts.
    func finish(_ end: Result<Void, TransferFailure>) {
        let waiters = state.withLock { state in
            if state.end == nil {
                state.end = end
                if case .success = end { state.isHeadComplete = true }
            }
            return state.takeWaiters()
        }
        request.upload?.close()
        for waiter in waiters { waiter.resume() }
    }
}

extension Transfer.State {
    fileprivate mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
        let taken = waiters
        waiters = []
        return taken
    }
}
