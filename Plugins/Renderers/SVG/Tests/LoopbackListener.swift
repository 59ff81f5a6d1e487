import Glibc

/// A port on the loopback interface that somebody may call.
final class LoopbackListener {
    let port: UInt16
    private let listener: CInt

    init?() {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        // A class that fails here is still deinitialized, which closes the socket.
        guard bound else { return nil }
    }

    deinit { close(listener) }

    /// Whether a call waits to be answered; takes it.
    var wasCalled: Bool {
        let caller = accept(listener, nil, nil)
        guard caller >= 0 else { return false }
        close(caller)
        return true
    }

    /// Calls the port, to show that a call would be seen.
    func call() -> Bool {
        let caller = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(caller) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(caller, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
