import TestServers
import Testing
import Transfer
import VitrineKit
import VitrineTesting

/// nginx with a file of 100,000 bytes, behind a proxy that misbehaves as it is told.
private struct Site {
    let server: NginxServer
    let proxy: FaultProxy
    let client: TransferClient
    static let content = (0..<100_000).map { UInt8($0 % 251) }

    init(
        _ change: (inout TransferPolicy) -> Void = { _ in }, _ fault: @escaping @Sendable (ProxiedRequest) -> Fault?
    ) throws {
        server = try NginxServer()
        try TestFile.write(Array("\(server.root)/data.bin".utf8), Self.content)
        proxy = try FaultProxy(before: server.port, fault)
        var policy = TransferPolicy(schemes: ["http", "https"])
        policy.backOff = .milliseconds(1)
        // More than any answer takes on a busy machine; tests of what stalls take less.
        policy.stallTimeout = .seconds(300)
        change(&policy)
        client = TransferClient(policy, name: "localhost")
    }

    func request(_ path: String = "data.bin") throws -> TransferRequest {
        TransferRequest(try TransferURL("http://localhost:\(proxy.port)/\(path)"), purpose: "cannot read '\(path)'")
    }

    /// The failure of a request.
    func failure(_ path: String = "data.bin") async throws -> PluginError? {
        do throws(PluginError) {
            _ = try await client.collect(
                try TransferRequest(
                    TransferURL("http://localhost:\(proxy.port)/\(path)"), purpose: "cannot read '\(path)'"))
            return nil
        } catch { return error }
    }
}

@Suite(.serialized, .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
struct ClientTests {
    @Test func readsAndCounts() async throws {
        let site = try Site { _ in nil }
        for _ in 0..<5 {
            let (head, body) = try await site.client.collect(try site.request())
            #expect(head.status == 200 && body == Site.content)
        }
        let traffic = site.client.traffic
        #expect(traffic.requests == 5 && traffic.retries == 0 && traffic.time > .zero)
        #expect(500_000..<510_000 ~= traffic.bytesReceived)
    }

    @Test func connectionsAreReusedAndCapped() async throws {
        let site = try Site({ $0.connections = 3 }) { _ in nil }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<60 {
                group.addTask { (try? await site.client.collect(site.request()).body) == Site.content }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(site.proxy.connections <= 3)
    }

    @Test func passingFailuresAreTriedAgain() async throws {
        let faults: [Fault] = [.reset, .truncate(after: 1000), .answer(status: 502, headers: [])]
        for fault in faults {
            let site = try Site { $0.number < 2 ? fault : nil }
            #expect(try await site.client.collect(try site.request()).body == Site.content, "\(fault)")
            #expect(site.client.traffic.retries == 2)
        }
    }

    @Test func whatStallsIsLeft() async throws {
        let site = try Site({ $0.stallTimeout = .seconds(3) }) { $0.number == 0 ? .stall(after: 5000) : nil }
        #expect(try await site.client.collect(try site.request()).body == Site.content)
        // On a busy machine an answer may take as long, too.
        #expect(1...3 ~= site.client.traffic.retries)
    }

    @Test func whatDoesNotPassIsNotTriedAgain() async throws {
        let expected: [(Int, PluginError.Code)] = [
            (401, .unauthorized), (403, .forbidden), (404, .notFound), (410, .notFound), (412, .changed),
            (416, .changed), (507, .noSpace), (400, .io),
        ]
        for (status, code) in expected {
            let site = try Site { _ in .answer(status: status, headers: []) }
            let error = try await site.failure()
            #expect(error?.code == code, "\(status)")
            #expect(error?.message.contains("data.bin") == true)
            #expect(site.proxy.requests.count == 1)
        }
    }

    @Test func serversThatAskForTimeGetIt() async throws {
        let site = try Site { $0.number == 0 ? .throttle(retryAfter: 1) : nil }
        let start = ContinuousClock.now
        #expect(try await site.client.collect(try site.request()).body == Site.content)
        #expect(.now - start >= .seconds(1))
        let slow = try Site { _ in .throttle(503, retryAfter: 3600) }
        let error = try await slow.failure()
        #expect(error?.code == .throttled && error?.message.contains("3600") == true)
        #expect(slow.proxy.requests.count == 1)
    }

    @Test func endlessHeadsAreRefused() async throws {
        let site = try Site { _ in .endlessHead }
        let error = try await site.failure()
        #expect(error?.code == .io && error?.message.contains("head") == true)
        #expect(site.client.traffic.bytesReceived < 200_000)
    }

    @Test func bodiesAreBounded() async throws {
        let site = try Site { _ in nil }
        var request = try site.request()
        request.maximumBytes = 99_999
        let small = request
        await #expect { try await site.client.collect(small) } throws: {
            ($0 as? PluginError)?.code == .limitExceeded
        }
    }

    @Test func redirectsStayOnTheirHost() async throws {
        let there = try Site { $0.target == "/old" ? .redirect(to: "/data.bin") : nil }
        #expect(try await there.client.collect(try there.request("old")).body == Site.content)
        let round = try Site { _ in .redirect(to: "/old") }
        #expect(try await round.failure()?.message.contains("again and again") == true)
        #expect(round.proxy.requests.count == 6)
        let targets = [
            "http://example.com/", "//127.0.0.1/data.bin", "ftp://localhost/", "file:///etc/passwd",
            "http://localhost:1/", "gopher://localhost/", "http://bob:secret@localhost/",
        ]
        for target in targets {
            let site = try Site { _ in .redirect(to: target) }
            let error = try await site.failure()
            #expect(error?.code == .io && error?.message.contains("points to") == true, "\(target)")
            #expect(error?.message.contains("secret") == false)
            #expect(site.proxy.requests.count == 1)
        }
    }

    @Test func aSourceThatFailsRests() async throws {
        let site = try Site({ $0.tries = 1 }) { _ in .reset }
        for _ in 0..<10 { #expect(try await site.failure()?.code == .io) }
        let error = try await site.failure()
        #expect(error?.code == .offline && error?.message.contains("10 times in a row") == true)
        #expect(site.proxy.requests.count == 10)
    }

    /// Who would wait for the server would be ended by the time limit.
    @Test(.timeLimit(.minutes(10))) func cancelledRequestsEnd() async throws {
        let site = try Site({ ($0.stallTimeout, $0.timeout) = (.seconds(3600), .seconds(3600)) }) { _ in
            .stall(after: 5000)
        }
        let response = try await site.client.send(try site.request())
        let (parts, read) = AsyncStream<Int>.makeStream()
        let task = Task {
            while let part = try await response.body.next() { read.yield(part.count) }
        }
        // When all has come that comes, it waits for more.
        var count = 0
        for await part in parts {
            count += part
            if count >= 5000 { break }
        }
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? PluginError)?.code == .cancelled }
    }

    @Test func slowReadersHoldTheServerUp() async throws {
        let site = try Site { _ in nil }
        try TestFile.write(Array("\(site.server.root)/large".utf8), [UInt8](repeating: 7, count: 5 << 20))
        var request = try site.request("large")
        request.maximumBytes = .max
        let response = try await site.client.send(request)
        // Requests of others go on meanwhile.
        for _ in 0..<5 { _ = try await site.client.collect(try site.request()) }
        var count = 0
        while let part = try await response.body.next() {
            #expect(part.count <= 1 << 20)
            count += part.count
        }
        #expect(count == 5 << 20)
    }

    @Test func certificatesAreChecked() async throws {
        let valid = try NginxServer(.valid)
        let expired = try NginxServer(.expired)
        func failure(_ server: NginxServer, host: String = "localhost", authority: String?) async throws -> PluginError?
        {
            var policy = TransferPolicy(schemes: ["https"])
            policy.caFile = authority
            let client = TransferClient(policy, name: host)
            let request = TransferRequest(try TransferURL("https://\(host):\(server.port)/"), purpose: "cannot look")
            do throws(PluginError) {
                _ = try await client.collect(request)
                return nil
            } catch { return error }
        }
        try TestFile.write(valid.root + "/index.html", "here")
        #expect(try await failure(valid, authority: valid.authority) == nil)
        let unknown = try await failure(valid, authority: nil)
        #expect(unknown?.code == .offline && unknown?.message.contains("ca-file") == true)
        let old = try await failure(expired, authority: expired.authority)
        #expect(old?.code == .offline && old?.message.contains("has expired") == true)
        let other = try await failure(valid, host: "localhost.localdomain", authority: valid.authority)
        #expect(other?.code == .offline)
        let missing = try await failure(valid, authority: "/nonexistent.pem")
        #expect(missing?.code == .invalidArgument)
    }
}
