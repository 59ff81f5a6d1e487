import Glibc
import Vitrine

/// Tells the service manager how a service is doing, as sd_notify(3) describes: datagrams of `NAME=value` lines to the
/// socket that `NOTIFY_SOCKET` names.
struct ServiceNotice: Sendable {
    private let path: [UInt8]
    /// How often it wants to hear that the program lives.
    private let pulse: Duration?

    /// The manager of this process; `nil` when there is none.
    static var standard: ServiceNotice? {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        guard let path = variable("NOTIFY_SOCKET").map({ Array($0.utf8) }), let first = path.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@"), path.count < ServiceNotice.longest
        else { return nil }
        // For another process of the service, if it says so.
        let isOurs = variable("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        let pause = variable("WATCHDOG_USEC").flatMap { Int64($0) }.map { Duration.microseconds(max(1000, $0 / 2)) }
        return ServiceNotice(path: path, pulse: isOurs ? pause : nil)
    }

    /// Room for a path in a socket's address, from sys/un.h.
    private static let longest = 108

    /// Says that the service is ready, what it does, and that it lives, until the run's last event.
    func follow(_ events: AsyncStream<ProgressEvent>) async {
        send("READY=1\nSTATUS=Looking at the sources")
        await withTaskGroup(of: Void.self) { group in
            if let pulse {
                group.addTask {
                    while !Task.isCancelled {
                        send("WATCHDOG=1")
                        try? await Task.sleep(for: pulse)
                    }
                }
            }
            for await event in events {
                switch event {
                case .watching(let state): send("STATUS=Watching \(WatchLines.text(state))")
                case .finished: send("STOPPING=1")
                case .started, .waiting, .advanced, .item, .unchanged, .moved, .removed, .copy, .notice: continue
                }
            }
            group.cancelAll()
        }
    }

    /// Says that the service ends by itself.
    func stopping() { send("STOPPING=1") }

    /// Sends one datagram. Nobody minds when the manager does not take it.
    private func send(_ text: String) {
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path)
            // An abstract name begins with a zero.
            if room[0] == UInt8(ascii: "@") { room[0] = 0 }
        }
        let isAbstract = path.first == UInt8(ascii: "@")
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (isAbstract ? 0 : 1))
        let bytes = Array(text.utf8)
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT), address, size)
            }
        }
    }
}
