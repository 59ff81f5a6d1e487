import Dispatch
import Glibc
import Synchronization
import VitrineKit

/// Where a proxy of this machine takes connections, each of them on a thread of its own. Ends with the last reference;
/// who serves ends what is under way.
final class ProxyListener: Sendable {
    let port: UInt16
    private let listener: CInt

    /// Listens on a port of its own.
    /// - Parameter serve: called for each connection.
    /// - Throws: when nothing can be listened on.
    init(_ serve: @escaping @Sendable (LoopbackSocket) -> Void) throws(PluginError) {
        (listener, port) = try Loopback.listener()
        let listener = listener
        DispatchQueue(label: "fault-proxy").async {
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
                guard descriptor >= 0 else { break }
                let client = LoopbackSocket(descriptor)
                // Serial queues have a thread each: a stalled connection holds up no other.
                DispatchQueue(label: "fault-proxy.connection").async { serve(client) }
            }
            close(listener)
        }
    }

    // Wakes `accept`, which then fails; the thread closes it.
    deinit { shutdown(listener, CInt(SHUT_RDWR)) }
}

/// The sockets of a proxy that are open, so that all of them can be torn down.
final class OpenSockets: Sendable {
    private let sockets = Mutex<(open: [CInt: LoopbackSocket], isEnded: Bool)>(([:], false))

    /// Tears down what is open, and what is opened later.
    func end() {
        sockets.withLock { sockets in
            sockets.isEnded = true
            for socket in sockets.open.values { socket.shutDown() }
        }
    }

    /// Knows some sockets as long as something is done with them.
    func during(_ some: [LoopbackSocket], _ body: () -> Void) {
        sockets.withLock { sockets in
            for socket in some { sockets.open[socket.descriptor] = socket }
            if sockets.isEnded { for socket in some { socket.shutDown() } }
        }
        body()
        sockets.withLock { sockets in
            for socket in some { sockets.open[socket.descriptor] = nil }
        }
    }
}

extension Duration {
    /// Waits on this thread, which is the caller's own; nobody wakes it.
    func pass() {
        let (seconds, attoseconds) = components
        poll(nil, 0, CInt(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
