import Dispatch
import Synchronization
public import VitrineKit

/// A proxy on this machine that stands before a real server of any protocol over TCP, such as SSH, FTP or IMAP, and does to
/// conversations what bad networks do. Ends with the last reference, and tears its connections down.
///
///     let proxy = try StreamProxy(before: server.port) { $0.number % 100 == 7 ? .reset(after: 0) : .delay(.milliseconds(50)) }
///
/// It knows nothing of the protocol but who speaks: see ``ProxiedTurn``. ``FaultProxy`` knows HTTP.
public final class StreamProxy: Sendable {
    /// Where it listens.
    public var port: UInt16 { listener.port }

    private let listener: ProxyListener
    private let core: Core

    /// Listens on a port of its own.
    /// - Parameters:
    ///   - server: the port of the real server on this machine.
    ///   - answers: changes what the server sends, piece by piece. Default: nothing.
    ///   - fault: what happens in a turn; `nil` for nothing. Called on threads of the proxy.
    /// - Throws: when nothing can be listened on.
    public init(
        before server: UInt16, answers: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 },
        _ fault: @escaping @Sendable (ProxiedTurn) -> StreamFault?
    ) throws(PluginError) {
        let core = Core(server: server, answers: answers, fault: fault)
        self.core = core
        listener = try ProxyListener { core.serve($0) }
    }

    deinit { core.sockets.end() }

    /// Misbehaves in another way from the next turn on.
    public func set(_ fault: @escaping @Sendable (ProxiedTurn) -> StreamFault?) {
        core.fault.withLock { $0 = fault }
    }

    /// How many turns there were so far.
    public var turns: Int { core.turns.load(ordering: .relaxed) }

    /// How many connections clients made so far.
    public var connections: Int { core.connections.load(ordering: .relaxed) }
}

extension StreamProxy {
    /// What the threads of the connections share.
    final class Core: Sendable {
        let server: UInt16
        let answers: @Sendable ([UInt8]) -> [UInt8]
        let fault: Mutex<@Sendable (ProxiedTurn) -> StreamFault?>
        let turns = Atomic(0)
        let connections = Atomic(0)
        let sockets = OpenSockets()

        init(
            server: UInt16, answers: @escaping @Sendable ([UInt8]) -> [UInt8],
            fault: @escaping @Sendable (ProxiedTurn) -> StreamFault?
        ) {
            self.server = server
            self.answers = answers
            self.fault = Mutex(fault)
        }

        /// Serves a connection of a client until one side has had enough.
        func serve(_ client: LoopbackSocket) {
            let number = connections.add(1, ordering: .relaxed).oldValue
            guard let upstream = LoopbackSocket(port: server) else { return }
            let talk = Talk(client, upstream, number, self)
            sockets.during([client, upstream]) {
                let answering = DispatchGroup()
                DispatchQueue(label: "fault-proxy.answers").async(group: answering) { talk.answer() }
                talk.ask()
                answering.wait()
            }
        }

        func next(of connection: Int, _ turn: Int) -> StreamFault? {
            let number = turns.add(1, ordering: .relaxed).oldValue
            return fault.withLock { $0 }(ProxiedTurn(number: number, connection: connection, turn: turn))
        }
    }

    /// One connection; a thread for each direction.
    private final class Talk: Sendable {
        private struct Turn {
            var number = 0
            var fault: StreamFault?
            var isAnswered = false
            /// Whether the connection was torn down, and is not ended as usual any more.
            var isReset = false
        }

        private let client: LoopbackSocket
        private let upstream: LoopbackSocket
        private let number: Int
        private let core: Core
        private let turn: Mutex<Turn>

        init(_ client: LoopbackSocket, _ upstream: LoopbackSocket, _ number: Int, _ core: Core) {
            self.client = client
            self.upstream = upstream
            self.number = number
            self.core = core
            turn = Mutex(Turn(fault: core.next(of: number, 0)))
        }

        private func end() {
            client.shutDown()
            upstream.shutDown()
        }

        private func reset() {
            turn.withLock { $0.isReset = true }
            client.resetOnClose()
            upstream.shutDown()
        }

        /// Hands on what the client says, until it is gone.
        func ask() {
            if case .reset(0)? = turn.withLock({ $0.fault }) { return reset() }
            while true {
                let said = client.receive()
                guard !said.isEmpty else { return end() }
                let fault = turn.withLock { turn in
                    if turn.isAnswered {
                        turn.number += 1
                        turn.isAnswered = false
                        turn.fault = core.next(of: number, turn.number)
                    }
                    return turn.fault
                }
                if case .reset(0)? = fault { return reset() }
                guard upstream.send(said) else { return end() }
            }
        }

        /// Hands on what the server says, until it is gone or may say no more.
        func answer() {
            while true {
                let said = upstream.receive()
                guard !said.isEmpty else {
                    if !turn.withLock({ $0.isReset }) { client.shutDown() }
                    return
                }
                guard hand(on: core.answers(said)) else { return }
            }
        }

        /// - Returns: whether the server may go on.
        private func hand(on said: [UInt8]) -> Bool {
            let fault = turn.withLock { turn in
                turn.isAnswered = true
                defer { turn.fault = Self.left(of: turn.fault, after: said.count) }
                return turn.fault
            }
            switch fault {
            case .reset(let count)? where count <= said.count:
                if count > 0 { client.send(Array(said.prefix(count))) }
                reset()
                // Whoever waits for the client lets go of it, so that it is closed.
                client.endReading()
                return false
            case .delay(let duration)?: duration.pass()
            case .cut(let count)? where count <= said.count:
                client.send(Array(said.prefix(count)))
                end()
                return false
            case .stall(let count)? where count <= said.count:
                client.send(Array(said.prefix(count)))
                return false
            default: break
            }
            guard client.send(said) else {
                end()
                return false
            }
            return true
        }

        /// What of a fault is still to come.
        private static func left(of fault: StreamFault?, after count: Int) -> StreamFault? {
            switch fault {
            case .reset(let after)? where after > count: .reset(after: after - count)
            case .cut(let after)? where after > count: .cut(after: after - count)
            case .stall(let after)? where after > count: .stall(after: after - count)
            default: nil
            }
        }
    }
}
