import Glibc
import Synchronization
import Transfer
import VitrineKit

/// A TCP connection that can be torn down from another thread while a library waits on it.
final class ServerSocket: Sendable {
    private struct State {
        /// A duplicate: the library closes its own, and the number may be another socket's then.
        var duplicate: CInt
        var deadline: ContinuousClock.Instant?
        /// When the next look is taken; `nil` when none is on its way.
        var nextLook: ContinuousClock.Instant?
        var timedOut = false
        /// Whether the last call ended after its deadline, maybe before anybody looked.
        var ranOut = false
    }

    /// For the library, which closes it.
    let descriptor: CInt
    private let state: Mutex<State>

    /// Connects; waits for as long as the policy says. Programs that the host starts do not inherit it.
    init(host: String, port: UInt16, timeout: Duration, _ doing: String, server: String) throws(TransferFailure) {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
            throw Self.offline("\(doing): no address of '\(server)' is known: check its name")
        }
        defer { freeaddrinfo(found) }
        let deadline = ContinuousClock.now + timeout
        var next: UnsafeMutablePointer<addrinfo>? = found
        var reason = ECONNREFUSED
        while let address = next?.pointee {
            next = address.ai_next
            let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let made = socket(address.ai_family, type, address.ai_protocol)
            guard made >= 0 else { continue }
            reason = Self.connect(made, address, deadline)
            guard reason == 0 else {
                close(made)
                continue
            }
            Self.configure(made)
            let duplicate = fcntl(made, F_DUPFD_CLOEXEC, 0)
            descriptor = made
            state = Mutex(State(duplicate: duplicate))
            return
        }
        throw Self.offline(PluginError(errno: reason, "\(doing): '\(server)' cannot be reached").message)
    }

    deinit {
        let duplicate = state.withLock { $0.duplicate }
        if duplicate >= 0 { close(duplicate) }
    }

    /// Whether it was torn down since nothing came in time.
    var timedOut: Bool { state.withLock { $0.timedOut } }

    /// Whether the last call, if it failed, failed since its time was up: on a busy machine the library may give up before the
    /// connection is torn down.
    var isOutOfTime: Bool { state.withLock { $0.timedOut || $0.ranOut } }

    /// Runs something that waits for the server, and tears the connection down when it takes too long.
    func within<T>(_ limit: Duration, _ body: () -> T) -> T {
        let deadline = ContinuousClock.now + limit
        let mustWatch = state.withLock { state in
            state.deadline = deadline
            // A look that comes too late for a short answer is one that a long log-in left behind.
            if let next = state.nextLook, next <= deadline { return false }
            state.nextLook = deadline
            return true
        }
        if mustWatch { watch(until: deadline) }
        defer { state.withLock { ($0.deadline, $0.ranOut) = (nil, deadline <= .now) } }
        return body()
    }

    /// Within ``within(_:_:)``, waits until something comes from the server, or it leaves.
    /// - Returns: `false` when the time is up first.
    func awaitBytes() -> Bool {
        let (duplicate, deadline) = state.withLock { ($0.duplicate, $0.deadline) }
        var event = pollfd(fd: duplicate, events: Int16(POLLIN), revents: 0)
        while let left = deadline.map({ $0 - .now }), left > .zero {
            // Rounded up, so as not to ask again and again in the last millisecond.
            let count = poll(&event, 1, CInt(clamping: left.milliseconds + 1))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
        return false
    }

    /// One look at a time counts, however many calls are made.
    private func watch(until look: ContinuousClock.Instant) {
        Task { [weak self] in
            try? await Task.sleep(until: look)
            guard let self else { return }
            let later = self.state.withLock { state -> ContinuousClock.Instant? in
                guard state.nextLook == look else { return nil }
                state.nextLook = nil
                guard let deadline = state.deadline else { return nil }
                guard deadline <= .now else {
                    state.nextLook = deadline
                    return deadline
                }
                state.timedOut = true
                shutdown(state.duplicate, CInt(SHUT_RDWR))
                return nil
            }
            if let later { self.watch(until: later) }
        }
    }

    private static func offline(_ message: String) -> TransferFailure {
        TransferFailure(PluginError(.offline, message), isPassing: true, isOfSource: true)
    }

    /// - Returns: 0, or an error number.
    private static func connect(_ socket: CInt, _ address: addrinfo, _ deadline: ContinuousClock.Instant) -> CInt {
        guard Glibc.connect(socket, address.ai_addr, address.ai_addrlen) != 0 else { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var event = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        while true {
            let left = (deadline - .now).milliseconds
            guard left > 0 else { return ETIMEDOUT }
            let count = poll(&event, 1, CInt(clamping: left))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return ETIMEDOUT }
            var reason: CInt = 0
            var length = socklen_t(MemoryLayout<CInt>.size)
            getsockopt(socket, SOL_SOCKET, SO_ERROR, &reason, &length)
            return reason
        }
    }

    /// Blocking from here on, without delay of small packets, and with probes that find out whether an idle server is gone.
    private static func configure(_ socket: CInt) {
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK)
        func set(_ level: CInt, _ option: CInt, _ value: CInt) {
            var value = value
            setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
        }
        set(CInt(IPPROTO_TCP), TCP_NODELAY, 1)
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        set(CInt(IPPROTO_TCP), TCP_KEEPIDLE, 30)
        set(CInt(IPPROTO_TCP), TCP_KEEPINTVL, 10)
        set(CInt(IPPROTO_TCP), TCP_KEEPCNT, 3)
    }
}
