import Glibc
import Synchronization
public import VitrineKit

/// A TCP connection on this machine, with one owner; calls on it block.
final class LoopbackSocket: Sendable {
    let descriptor: CInt

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        var on: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Connects.
    convenience init?(port: UInt16) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor)
        guard Loopback.with(port, { connect(descriptor, $0, $1) }) == 0 else { return nil }
    }

    /// What has come, or comes next; nothing at the end.
    func receive() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(0, count)))
    }

    /// Sends all of it.
    /// - Returns: whether the other side took it.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Makes the end of the connection a reset.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Ends both directions; whoever waits for it is woken.
    func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Wakes whoever waits for something from the other side, which hears nothing of it.
    func endReading() { shutdown(descriptor, CInt(SHUT_RD)) }

    /// Waits until the other side is gone.
    func waitForEnd() { while !receive().isEmpty {} }
}

/// Addresses of this machine.
public enum Loopback {
    /// A port that nobody listens on at the moment, none of them twice. The system takes none of these for connections
    /// that somebody makes meanwhile.
    /// - Throws: when there is none.
    public static func freePort() throws(PluginError) -> UInt16 {
        for _ in 0..<10_000 {
            let port = UInt16.random(in: settledPorts)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot make a socket") }
            defer { close(descriptor) }
            if with(port, { bind(descriptor, $0, $1) }) == 0 { return port }
        }
        throw PluginError(.io, "no port of this machine is free")
    }

    /// Ports that only those take who ask for them. Linux takes others for connections, from 32768 to 60999
    /// unless `net.ipv4.ip_local_port_range` says otherwise.
    private static let settledPorts: Range<UInt16> = {
        let usual: Range<UInt16> = 10_000..<32_768
        guard let file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "r") else { return usual }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, CInt(line.count), file) != nil else { return usual }
        let taken = line.split { !(48...57).contains($0) }.compactMap {
            UInt16(String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        guard taken.count == 2, taken[0] <= taken[1] else { return usual }
        let room: UInt16 = 1000
        if taken[0] >= usual.lowerBound + room { return usual.lowerBound..<taken[0] }
        // Where it takes almost all of them, nothing is better than the usual ones.
        return taken[1] < .max - room ? max(usual.lowerBound, taken[1] + 1)..<UInt16.max : usual
    }()

    /// What ``freePort()`` gave to others, who may not listen there yet.
    private static let given = Mutex<Set<UInt16>>([])

    /// Whether somebody listens there.
    public static func answers(_ port: UInt16) -> Bool { LoopbackSocket(port: port) != nil }

    static func listener() throws(PluginError) -> (descriptor: CInt, port: UInt16) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot make a socket") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        guard with(0, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 256) == 0 else {
            let error = PluginError(errno: errno, "cannot listen on this machine")
            close(descriptor)
            throw error
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    static func with(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
