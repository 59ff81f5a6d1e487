import Foundation
import VitrineTesting

/// What hostile files reach for and must not get: a folder in which every access is noticed, and a port of loopback
/// to which nobody may connect.
final class Canary: Sendable {
    /// A system call failed that the watch needs.
    struct NotWatching: Error { var reason: String }

    /// The folder.
    let folder: String
    /// TCP and UDP, on 127.0.0.1.
    let port: UInt16
    private let watch: CInt
    private let listener: CInt
    private let datagrams: CInt

    /// Colour of the pictures in the folder, which no other file has.
    private static let colour: [UInt8] = [0xE6, 0x00, 0x7E]

    /// Makes the folder and opens the port. Nothing is noticed before ``startWatching()``.
    init(in home: UserHome) throws {
        folder = home.path + "/canary"
        mkdir(folder, 0o755)
        chmod(folder, 0o755)
        watch = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        datagrams = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        port = try Self.bind(listener, port: 0)
        guard watch >= 0, listen(listener, 64) == 0, try Self.bind(datagrams, port: port) == port else {
            throw NotWatching(reason: String(cString: strerror(errno)))
        }
    }

    deinit { for descriptor in [watch, listener, datagrams] { close(descriptor) } }

    /// Notices from now on whatever is opened, read, changed, made or removed in the folder, by any process.
    func startWatching() throws {
        let events = IN_OPEN | IN_ACCESS | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
        guard inotify_add_watch(watch, folder, UInt32(events)) >= 0 else {
            throw NotWatching(reason: String(cString: strerror(errno)))
        }
    }

    /// The names in the folder that were touched since the last call; `.` for the folder itself.
    func touched() -> [String] {
        var names: [String] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = read(watch, &room, room.count), count > 0 {
            // struct inotify_event: watch, mask, cookie and the length of the name that follows, 32 bits each.
            var rest = room[..<count]
            while rest.count >= 16 {
                let length = rest.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
                let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
                names.append(name.isEmpty ? "." : String(decoding: name, as: UTF8.self))
                rest = rest.dropFirst(16 + length)
            }
        }
        return names
    }

    /// How often somebody connected or sent something since the last call.
    func calls() -> Int {
        var count = 0
        while case let peer = accept(listener, nil, nil), peer >= 0 {
            close(peer)
            count += 1
        }
        var byte: UInt8 = 0
        while recv(datagrams, &byte, 1, 0) >= 0 { count += 1 }
        return count
    }

    /// Touches the folder and calls the port: what a watch that works must notice.
    func touchAndCall() throws {
        _ = try Data(contentsOf: URL(filePath: folder + "/secret.txt"))
        let caller = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let sender = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(caller)
            close(sender)
        }
        let sent = Self.withAddress(port) { address, size in
            connect(caller, address, size) == 0 && sendto(sender, "x", 1, 0, address, size) == 1
        }
        guard sent else { throw NotWatching(reason: String(cString: strerror(errno))) }
    }

    /// Whether a picture shows something of the folder's pictures.
    static func isShown(in picture: RGBAPicture) -> Bool {
        stride(from: 0, to: picture.pixels.count, by: 4).contains { start in
            picture.pixels[start + 3] > 128
                && zip(picture.pixels[start...], colour).allSatisfy { abs(Int($0) - Int($1)) < 24 }
        }
    }

    private static func bind(_ socket: CInt, port: UInt16) throws -> UInt16 {
        var own = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withAddress(port) { Glibc.bind(socket, $0, $1) } == 0
        let known = withUnsafeMutablePointer(to: &own) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        guard bound, known == 0 else { throw NotWatching(reason: String(cString: strerror(errno))) }
        return UInt16(bigEndian: own.sin_port)
    }

    private static func withAddress<R>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
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
