import Synchronization
import TestServers
import Testing
import Transfer
import VitrineTesting

@Suite(
    .serialized,
    .enabled(if: VSFTPServer.isInstalled, "vsftpd is not installed, or this is not root: 'make test' installs it"))
struct FaultTests {
    @Test func survivesFaults() async throws {
        let server = try VSFTPServer()
        let suite = StreamFaultConformance(server: server.port, prepare: { try $0.write(below: server.root) }) {
            port, settings, _ in try await connect(port, settings)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(arguments: [StreamFault.reset(after: 500), .reset(after: 0)])
    func connectionsForDataBreakToo(_ fault: StreamFault) async throws {
        let server = try VSFTPServer()
        for number in 0..<100 {
            try TestFile.write("\(server.root)/\(number)", String(repeating: "\(number) ", count: 1000))
        }
        // Fewer than a read has tries, so that none is broken every time. After one that breaks libcurl asks in an older way, whose
        // answer is not moved.
        let most = TransferPolicy(schemes: ["ftp"]).tries - 1
        let ports = PassivePorts { $0 % 5 == 0 && $0 / 5 < most ? fault : nil }
        let proxy = try StreamProxy(before: server.port, answers: ports.moved) { _ in nil }
        let backend = try await connect(proxy.port, FaultConformance.settings)
        let reading = try await BulkReading(backend) { name in
            Array(String(repeating: String(decoding: name, as: UTF8.self) + " ", count: 1000).utf8)
        }
        #expect(reading.isWhole(100), "\(reading)")
        // The first one breaks; how many others do, chance decides.
        #expect(ports.count > 0)
    }

    @Test func errorsCostLittle() async throws {
        let server = try VSFTPServer()
        for number in 0..<300 { try TestFile.write("\(server.root)/\(number)", "content of \(number)") }
        let cost = try await NetworkCost(
            server: server.port, content: { Array("content of \(String(decoding: $0, as: UTF8.self))".utf8) }
        ) { port in try await connect(port, FaultConformance.settings) }
        print(
            "300 items over FTP: \(cost.clean.duration) clean, \(cost.faulty.duration) with errors, \(cost.ratio), \(cost.cleanTurns) and \(cost.faultyTurns) turns"
        )
        #expect(cost.clean.isWhole(300) && cost.faulty.isWhole(300), "\(cost)")
        // What failed is asked for again, after a log-in.
        #expect(cost.faultyTurns <= cost.cleanTurns * 3 / 2, "\(cost)")
    }
}

/// Puts a proxy before each port that an FTP server opens for data, and tells the client of that instead.
private final class PassivePorts: Sendable {
    private let fault: @Sendable (Int) -> StreamFault?
    private let state = Mutex<(count: Int, proxies: [StreamProxy])>((0, []))
    /// More than there are connections: those before are done.
    private static let kept = 64

    /// - Parameter fault: what happens on a connection for data, counted from 0.
    init(_ fault: @escaping @Sendable (Int) -> StreamFault?) { self.fault = fault }

    /// How many ports were opened.
    var count: Int { state.withLock { $0.count } }

    /// What the client is told: `229 Entering Extended Passive Mode (|||PORT|)` (RFC 2428) with another port.
    func moved(_ said: [UInt8]) -> [UInt8] {
        let text = String(decoding: said, as: UTF8.self)
        guard let match = text.firstMatch(of: /229 [^\r\n]*\|\|\|([0-9]+)\|/), let port = UInt16(match.1) else {
            return said
        }
        let moved = state.withLock { state -> UInt16? in
            let fault = fault(state.count)
            state.count += 1
            guard let proxy = try? StreamProxy(before: port, { _ in fault }) else { return nil }
            state.proxies = state.proxies.suffix(Self.kept) + [proxy]
            return proxy.port
        }
        guard let moved else { return said }
        var answer = text
        answer.replaceSubrange(match.1.startIndex..<match.1.endIndex, with: "\(moved)")
        return Array(answer.utf8)
    }
}
