import Dispatch
import Glibc
import VitrineKit

/// Listens on this machine for the browser that a service sends back (RFC 8252, section 7.3). Nobody else's request ends
/// the wait: what lacks the right state is answered with an error page.
///
/// The port is open as long as this is.
final class LoopbackRedirect: Sendable {
    /// What the service is told to send the browser to.
    let address: String
    private let listener: CInt

    /// Listens.
    /// - Parameter port: 0 for any.
    /// - Throws: `io` and the like when the port is taken.
    init(port: UInt16) throws(PluginError) {
        let (listener, port) = try Self.listen(port)
        self.listener = listener
        address = "http://127.0.0.1:\(port)/"
    }

    deinit { close(listener) }

    /// - Returns: the listener, which the caller closes, and its port.
    private static func listen(_ port: UInt16) throws(PluginError) -> (listener: CInt, port: UInt16) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else {
            throw PluginError(errno: errno, "no browser can be waited for: the system gives no socket")
        }
        var on: CInt = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(listener, place, length) == 0 && Glibc.listen(listener, 16) == 0
                    && getsockname(listener, place, &length) == 0
            }
        }
        guard status else {
            let number = errno
            close(listener)
            throw PluginError(
                errno: number,
                "port \(port) of this machine, to which the browser is to come back, cannot be listened on; another one is "
                    + "set with --set redirect-port=PORT, and must be registered with the service")
        }
        return (listener, UInt16(bigEndian: place.sin_port))
    }

    /// Waits for the browser.
    /// - Parameters:
    ///   - state: what its request must bring along.
    ///   - service: for the page that it is shown.
    ///   - patience: how long.
    /// - Returns: what the service says, by name.
    /// - Throws: `unauthorized` when nobody came in time, `cancelled`, `io` and the like when the system lets nobody wait.
    func answer(state: String, _ service: String, patience: Duration) async throws(PluginError) -> [String: String] {
        let deadline = ContinuousClock.now + patience
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<RedirectVisits.Ending, Never>) in
                DispatchQueue(label: "vitrine.redirect").async {
                    var visits = RedirectVisits(self.listener, state: state, service: service)
                    continuation.resume(returning: visits.answer(before: deadline))
                }
            }
        } onCancel: {
            // Wakes `poll`, and lets nobody in any more.
            shutdown(listener, CInt(SHUT_RDWR))
        }
        guard !Task.isCancelled else {
            throw PluginError(.cancelled, "cannot log in to \(service): somebody asked to stop")
        }
        guard let answer = try result.get() else {
            throw PluginError(.unauthorized, "cannot log in to \(service): no browser came back in time; begin again")
        }
        return answer
    }
}

/// The connections of one wait: a browser opens some that it never uses, so none may hold up another.
private struct RedirectVisits {
    private let listener: CInt
    private let state: String
    private let service: String
    private var visitors: [(descriptor: CInt, bytes: [UInt8])] = []

    private static let mostVisitors = 16
    private static let longestHead = 16 << 10

    init(_ listener: CInt, state: String, service: String) {
        (self.listener, self.state, self.service) = (listener, state, service)
    }

    /// What the browser brought along, `nil` when it did not come in time, or why it could not be waited for.
    typealias Ending = Result<[String: String]?, PluginError>

    mutating func answer(before deadline: ContinuousClock.Instant) -> Ending {
        defer { for visitor in visitors { close(visitor.descriptor) } }
        while ContinuousClock.now < deadline {
            let left = (deadline - .now).components.seconds
            var waited = [listener] + visitors.map(\.descriptor)
            var polled = waited.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&polled, nfds_t(polled.count), CInt(clamping: min(left + 1, 60) * 1000))
            if count < 0, errno != EINTR { return failure() }
            if count <= 0 { continue }
            waited = zip(waited, polled).filter { $0.1.revents != 0 }.map(\.0)
            for descriptor in waited where descriptor != listener {
                if let answer = hear(descriptor) { return .success(answer) }
            }
            if waited.contains(listener), !welcome() { return failure() }
        }
        return .success(nil)
    }

    private func failure() -> Ending {
        .failure(PluginError(errno: errno, "cannot log in to \(service): the browser cannot be waited for any more"))
    }

    /// - Returns: whether anybody may come at all.
    private mutating func welcome() -> Bool {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
            if [EINTR, ECONNABORTED, EAGAIN].contains(errno) { return true }
            guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return false }
            // Whoever knocks stays at the door, and `poll` returns at once, until there is room again.
            poll(nil, 0, 100)
            return true
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        // The one that waits longest makes room.
        if visitors.count == Self.mostVisitors { close(visitors.removeFirst().descriptor) }
        visitors.append((descriptor, []))
        return true
    }

    private mutating func hear(_ descriptor: CInt) -> [String: String]? {
        guard let index = visitors.firstIndex(where: { $0.descriptor == descriptor }) else { return nil }
        var part = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &part, part.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        visitors[index].bytes += part.prefix(max(0, count))
        let bytes = visitors[index].bytes
        // To the end of the head: what is closed with bytes that nobody read is reset, and the page may never be seen.
        guard Self.isWhole(bytes) || count <= 0 || bytes.count > Self.longestHead else { return nil }
        visitors.remove(at: index)
        defer { close(descriptor) }
        guard bytes.contains(UInt8(ascii: "\n")) else { return nil }
        let answer = answer(in: bytes)
        let isGood = answer != nil && answer?["error"] == nil
        reply(descriptor, isGood ? "200 OK" : "400 Bad Request", page(answer))
        return answer
    }

    /// Whether an empty line ends it.
    private static func isWhole(_ head: [UInt8]) -> Bool {
        head.contains("\r\n\r\n".utf8) || head.contains("\n\n".utf8)
    }

    /// What a request says, if it is the one that is waited for.
    private func answer(in bytes: [UInt8]) -> [String: String]? {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/?"),
            let answer = FormEncoding.decode(words[1].dropFirst(2)), let theirs = answer["state"]
        else { return nil }
        // Compared without telling how much of it was right.
        let (mine, other) = (Array(state.utf8), Array(theirs.utf8))
        let difference = zip(mine, other).reduce(UInt8(mine.count == other.count ? 0 : 1)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 ? answer : nil
    }

    private func page(_ answer: [String: String]?) -> String {
        guard let answer else { return "This is not the log-in that Vitrine waits for." }
        return answer["error"] == nil
            ? "You are logged in to \(service). Close this page, and go back to the terminal."
            : "\(service) did not allow it. Close this page; the terminal says more."
    }

    private func reply(_ descriptor: CInt, _ status: String, _ text: String) {
        let body = "<!DOCTYPE html><meta charset=\"utf-8\"><title>Vitrine</title><p>\(text)</p>"
        let answer =
            "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n" + body
        let bytes = Array(answer.utf8)
        // A short answer fits into any buffer; who does not take it does not get it.
        _ = send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        shutdown(descriptor, CInt(SHUT_WR))
    }
}
