import Synchronization
public import VitrineKit

/// Sends the requests of one source: reuses connections, tries again what may pass, and lets a failing source rest.
///
/// libcurl works on a thread of its own; no call blocks one of Swift's. Every call ends as `cancelled` soon after its
/// task is. Errors name the server, never the user or a password.
public final class TransferClient: Sendable {
    /// How requests are made.
    public let policy: TransferPolicy
    /// What the requests share.
    public let health: SourceHealth

    let meter = Meter()
    let loop: TransferLoop
    /// How the server wants passwords, once it is known.
    let learned = Mutex<Credentials.Scheme?>(nil)

    /// Connects to nothing yet.
    /// - Parameters:
    ///   - policy: how requests are made.
    ///   - name: the server, for sentences.
    public init(_ policy: TransferPolicy, name: String) {
        self.policy = policy
        health = SourceHealth(name: name, rate: policy.rate)
        loop = .shared
        if case .password(_, _, let scheme) = policy.credentials, scheme != .any { learned.withLock { $0 = scheme } }
    }

    deinit {
        meter.close()
        loop.send(.forget(meter))
    }

    /// What was asked for so far.
    public var traffic: Traffic { meter.traffic }

    /// Sends a request, and takes its answer as it comes. Only the way to the head is tried again, and that to the
    /// first ``TransferRequest/awaitedBytes`` of the body.
    public func send(_ request: TransferRequest) async throws(PluginError) -> TransferResponse {
        try await retrying(request) { () throws(TransferFailure) in
            let (transfer, head) = try await self.attempt(request)
            var beginning: [UInt8] = []
            while beginning.count < request.awaitedBytes, let part = try await transfer.next() { beginning += part }
            return TransferResponse(head: head, body: TransferBody(transfer, beginning, of: self))
        }
    }

    /// Sends a request, and takes its whole answer; all of it is tried again.
    /// - Throws: `limitExceeded` when it is longer than ``TransferRequest/maximumBytes``.
    public func collect(_ request: TransferRequest) async throws(PluginError) -> (head: ResponseHead, body: [UInt8]) {
        try await retrying(request) { () throws(TransferFailure) in
            let (transfer, head) = try await self.attempt(request)
            var body: [UInt8] = []
            while let part = try await transfer.next() { body += part }
            return (head, body)
        }
    }

    /// Does something again while it fails in passing: with growing waits, within the budget that all requests share.
    /// - Parameters:
    ///   - request: what it is about; one that is not idempotent is tried once.
    ///   - body: one try.
    public func retrying<T>(
        _ request: TransferRequest, _ body: () async throws(TransferFailure) -> T
    ) async throws(PluginError) -> T {
        var tried = 0
        while true {
            let wait = try health.admit()
            if wait > .zero { try await pause(wait, request) }
            do throws(TransferFailure) {
                let value = try await body()
                health.succeeded()
                return value
            } catch {
                tried += 1
                note(error)
                let next = try waitBeforeRetry(after: error, tried, request)
                meter.add(retries: 1)
                try await pause(next, request)
            }
        }
    }

    private func note(_ failure: TransferFailure) {
        if failure.error.code == .cancelled {
            health.abandoned()
        } else if failure.isOfSource {
            health.failed()
        } else {
            health.succeeded()
        }
        if let wait = failure.retryAfter, wait <= policy.longestWait { health.quiet(for: wait) }
    }

    private func waitBeforeRetry(
        after failure: TransferFailure, _ tried: Int, _ request: TransferRequest
    ) throws(PluginError) -> Duration {
        let asked = failure.retryAfter ?? .zero
        guard failure.isPassing, request.isIdempotent, tried < policy.tries, health.takeRetry() else {
            throw failure.error
        }
        guard asked <= policy.longestWait else {
            throw PluginError(
                failure.error.code, failure.error.message + ", to wait for \(asked.components.seconds) s: try later")
        }
        // Waits of many requests are spread, so that they do not come back all at once.
        let longest = policy.backOff * (1 << min(tried - 1, 6))
        return asked + longest * Double.random(in: 0.5...1)
    }

    private func pause(_ wait: Duration, _ request: TransferRequest) async throws(PluginError) {
        do {
            try await Task.sleep(for: wait)
        } catch {
            health.abandoned()
            throw TransferFailure.cancelled(request.purpose).error
        }
    }
}
