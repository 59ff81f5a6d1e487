import Synchronization
public import VitrineKit

/// A proxy on this machine that stands before a real server of HTTP and does to its answers what bad networks and bad
/// servers do. Ends with the last reference, and tears its connections down.
///
///     let proxy = try FaultProxy(before: server.port) { $0.number % 100 == 7 ? .reset : .delay(.milliseconds(50)) }
public final class FaultProxy: Sendable {
    /// Where it listens.
    public var port: UInt16 { listener.port }

    private let listener: ProxyListener
    private let core: Core

    /// Listens on a port of its own.
    /// - Parameters:
    ///   - server: the port of the real server on this machine.
    ///   - fault: what happens to a request; `nil` for nothing. Called on threads of the proxy.
    /// - Throws: when nothing can be listened on.
    public init(
        before server: UInt16, _ fault: @escaping @Sendable (ProxiedRequest) -> Fault?
    ) throws(PluginError) {
        let core = Core(server: server, fault: fault)
        self.core = core
        listener = try ProxyListener { core.serve($0) }
    }

    deinit { core.sockets.end() }

    /// Misbehaves in another way from the next request on.
    public func set(_ fault: @escaping @Sendable (ProxiedRequest) -> Fault?) { core.fault.withLock { $0 = fault } }

    /// What was asked for so far.
    public var requests: [ProxiedRequest] { core.requests.withLock { $0 } }

    /// How many connections clients made so far.
    public var connections: Int { core.connections.load(ordering: .relaxed) }

    /// Forgets what was asked for.
    public func clear() { core.requests.withLock { $0 = [] } }
}

extension FaultProxy {
    /// What the threads of the connections share.
    final class Core: Sendable {
        let server: UInt16
        let fault: Mutex<@Sendable (ProxiedRequest) -> Fault?>
        let requests = Mutex<[ProxiedRequest]>([])
        let connections = Atomic(0)
        private let number = Atomic(0)
        let sockets = OpenSockets()

        init(server: UInt16, fault: @escaping @Sendable (ProxiedRequest) -> Fault?) {
            self.server = server
            self.fault = Mutex(fault)
        }

        /// Serves a connection of a client until one side has had enough.
        func serve(_ client: LoopbackSocket) {
            connections.add(1, ordering: .relaxed)
            guard let upstream = LoopbackSocket(port: server) else { return }
            sockets.during([client, upstream]) { serve(client, upstream) }
        }

        private func serve(_ client: LoopbackSocket, _ upstream: LoopbackSocket) {
            var asking = HTTPReader(client)
            var answering = HTTPReader(upstream)
            while let request = asking.head() {
                let words = request.start.split(separator: " ")
                guard words.count == 3 else { return }
                let seen = ProxiedRequest(
                    number: number.add(1, ordering: .relaxed).oldValue, method: String(words[0]),
                    target: String(words[1]),
                    headers: Dictionary(request.fields.map { ($0.name, $0.value) }) { first, _ in first })
                requests.withLock { $0.append(seen) }
                var body: [UInt8] = []
                let length = request.value("content-length").flatMap { Int($0) } ?? 0
                guard
                    asking.body(
                        .bytes(length),
                        {
                            body += $0; return true
                        })
                else { return }
                let fault = fault.withLock { $0 }(seen)
                if let isOpen = answerAlone(fault, client) {
                    guard isOpen else { return }
                    continue
                }
                guard upstream.send(request.bytes + body),
                    pass(&answering, to: client, fault, hasBody: seen.method != "HEAD")
                else { return }
            }
        }

        /// Answers where the server need not be asked.
        /// - Returns: whether the connection goes on; `nil` when the server has to answer.
        private func answerAlone(_ fault: Fault?, _ client: LoopbackSocket) -> Bool? {
            switch fault {
            case .reset?:
                client.resetOnClose()
                return false
            case .answer(let status, let headers, let body)?:
                let lines = ["HTTP/1.1 \(status) Fault", "Content-Length: \(body.utf8.count)"] + headers
                return client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
            case .endlessHead?:
                guard client.send(Array("HTTP/1.1 200 OK\r\n".utf8)) else { return false }
                let line = Array("X-Filler: \(String(repeating: "x", count: 1000))\r\n".utf8)
                while client.send(line) {}
                return false
            default: return nil
            }
        }

        /// Hands an answer on.
        /// - Returns: whether the connection goes on.
        private func pass(
            _ answering: inout HTTPReader, to client: LoopbackSocket, _ fault: Fault?, hasBody: Bool
        ) -> Bool {
            guard var head = answering.head() else { return false }
            if case .lose? = fault {
                client.resetOnClose()
                return false
            }
            if case .delay(let duration)? = fault { duration.pass() }
            if case .replace(let lines)? = fault { head.replace(lines) }
            let status = head.start.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            let length: HTTPReader.Length =
                if !hasBody || status == 204 || status == 304 {
                    .none
                } else if head.value("transfer-encoding")?.lowercased() == "chunked" {
                    .chunked
                } else if let length = head.value("content-length").flatMap({ Int($0) }) { .bytes(length) } else {
                    .untilClose
                }
            guard client.send(head.bytes) else { return false }
            var left: Int? =
                switch fault {
                case .stall(let count)?, .truncate(let count)?: count
                default: nil
                }
            let isWhole = answering.body(length) { part in
                guard let limit = left else { return client.send(part) }
                left = limit - part.count
                return client.send(Array(part.prefix(limit))) && part.count < limit
            }
            if case .stall? = fault, !isWhole { client.waitForEnd() }
            if case .untilClose = length { return false }
            return isWhole
        }
    }
}
