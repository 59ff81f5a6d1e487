import SFTPBackend
import Synchronization
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized, .enabled(if: SSHServer.isInstalled, "openssh-server is not installed: 'make test' installs it"))
struct FaultTests {
    private func connect(
        _ port: UInt16, of server: SSHServer, _ values: [String: String] = FaultConformance.settings
    ) async throws(PluginError) -> SFTPBackend {
        try await SFTPBackend(
            source: SourceURI("sftp://\(server.user)@127.0.0.1:\(port)\(server.root)"),
            settings: BackendSettings(values: server.settings(at: port).merging(values) { $1 }))
    }

    @Test func survivesFaults() async throws {
        let server = try SSHServer()
        let suite = StreamFaultConformance(server: server.port, prepare: { try $0.write(below: server.root) }) {
            port, settings, _ in try await connect(port, of: server, settings)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    /// While a connection is made, too: who is not let in since the network failed has not been refused.
    @Test(arguments: [StreamFault.reset(after: 0), .cut(after: 3)])
    func connectionsThatBreakWhileTheyAreMadeAreMadeAgain(_ fault: StreamFault) async throws {
        let server = try SSHServer()
        let proxy = try StreamProxy(before: server.port) { _ in nil }
        let backend = try await connect(proxy.port, of: server)
        let turns = withExtendedLifetime(backend) { proxy.turns }
        #expect(turns > 5)
        for turn in 0..<turns {
            let proxy = try StreamProxy(before: server.port) { $0.connection == 0 && $0.turn == turn ? fault : nil }
            do {
                _ = try await connect(proxy.port, of: server)
            } catch { Issue.record("turn \(turn) of \(turns), \(fault): \(error)") }
        }
    }

    /// Whether it is the greeting that does not come, or an answer at the end of the log-in.
    @Test func whoDoesNotLetInInTimeIsLeft() async throws {
        let server = try SSHServer()
        let proxy = try StreamProxy(before: server.port) { _ in nil }
        let backend = try await connect(proxy.port, of: server)
        let last = withExtendedLifetime(backend) { proxy.turns } - 4
        #expect(try await isLeft(stallingAt: 0, of: server, afterSeconds: 0.2))
        // What comes before is arithmetic, of which a busy machine makes seconds, and a minute at worst.
        let isReached = try await isLeft(stallingAt: last, of: server, afterSeconds: 4)
        if !isReached { #expect(try await isLeft(stallingAt: last, of: server, afterSeconds: 60)) }
    }

    /// Expects that a log-in which stalls fails for that reason.
    /// - Returns: whether it came so far.
    private func isLeft(stallingAt turn: Int, of server: SSHServer, afterSeconds stall: Double) async throws -> Bool {
        let isReached = Atomic(false)
        let proxy = try StreamProxy(before: server.port) {
            guard $0.turn >= turn else { return nil }
            isReached.store(true, ordering: .relaxed)
            return .stall(after: 0)
        }
        let error = await #expect(throws: PluginError.self) {
            _ = try await connect(proxy.port, of: server, ["connect-timeout": "0.5", "stall-timeout": "\(stall)"])
        }
        #expect(
            error?.code == .offline
                && error?.message.contains("did not let the user in within \(stall + 0.5) s") == true,
            "\(String(describing: error))")
        #expect(proxy.connections > 1)
        return isReached.load(ordering: .relaxed)
    }

    /// A log-in is arithmetic on both sides, and many answers: it has more time than one answer, and than connecting has.
    @Test func whoLetsInSlowlyIsWaitedFor() async throws {
        let server = try SSHServer()
        let proxy = try StreamProxy(before: server.port) { $0.turn < 2 ? .delay(.milliseconds(1200)) : nil }
        _ = try await connect(proxy.port, of: server, ["connect-timeout": "1", "stall-timeout": "60"])
        #expect(proxy.connections == 1)
    }

    /// Such an end is no fault of the network, and trying on could lock the user out.
    @Test func whoTriesTooOftenIsRefused() async throws {
        let server = try SSHServer(options: "MaxAuthTries 1")
        let key = server.process.folder.path + "/host"
        let proxy = try StreamProxy(before: server.port) { _ in nil }
        let error = await #expect(throws: PluginError.self) {
            // libssh does not see that the server has gone, and waits until the time to log in is over.
            _ = try await connect(
                proxy.port, of: server, ["connect-timeout": "5", "stall-timeout": "10", "key-file": key])
        }
        #expect(error?.code == .unauthorized && proxy.connections == 1, "\(String(describing: error))")
    }

    @Test func errorsCostLittle() async throws {
        let server = try SSHServer()
        for number in 0..<300 { try TestFile.write("\(server.root)/\(number)", "content of \(number)") }
        // What becomes of errors in a log-in is held for each of its turns above.
        let cost = try await NetworkCost(
            server: server.port, logIn: 12, content: { Array("content of \(String(decoding: $0, as: UTF8.self))".utf8) }
        ) { port in
            // A log-in is a dozen answers of 50 ms and arithmetic: of a busy machine it has five seconds.
            try await connect(port, of: server)
        }
        print("300 items over SFTP: \(cost.clean.duration) clean, \(cost.faulty.duration) with errors, \(cost.ratio)")
        #expect(cost.clean.isWhole(300) && cost.faulty.isWhole(300), "\(cost)")
        // What failed is asked for again, after a log-in.
        #expect(cost.faultyTurns <= cost.cleanTurns * 3 / 2, "\(cost)")
    }
}
