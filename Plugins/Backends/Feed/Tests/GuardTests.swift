import TestServers
import Testing
import Transfer
import VitrineKit

@testable import FeedBackend

struct GuardTests {
    @Test(arguments: [
        "127.0.0.1", "127.1", "0x7f000001", "2130706433", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254",
        "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[fe80::1]", "[fc00::1]",
        "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::a00:1]", "[64:ff9b:1:a00:0:100:808:808]", "[2002:7f00:1::]",
        "[2001:db8::1]", "[ff02::1]",
    ])
    func whatOnlyThisMachineReachesIsRefused(host: String) async throws {
        let url = try TransferURL("http://\(host)/x")
        let guardian = FeedGuard(isInside: false)
        #expect(!guardian.allows(url))
        await #expect { try await guardian.check(url, "cannot read") } throws: {
            ($0 as? PluginError)?.code == .forbidden
        }
        #expect(FeedGuard(isInside: true).allows(url))
    }

    @Test func namesOfThisMachineAreRefused() async throws {
        let url = try TransferURL("http://localhost/x")
        await #expect { try await FeedGuard(isInside: false).check(url, "cannot read") } throws: {
            ($0 as? PluginError)?.code == .forbidden
        }
    }

    @Test(arguments: ["8.8.8.8", "172.15.0.1", "172.32.0.1", "[2606:4700::1]", "[64:ff9b::808:808]"])
    func whatEverybodyReachesIsAllowed(host: String) async throws {
        let url = try TransferURL("https://\(host)/x")
        #expect(FeedGuard(isInside: false).allows(url))
        try await FeedGuard(isInside: false).check(url, "cannot read")
    }

    @Test func onlyTheWebIsAllowed() throws {
        for text in ["ftp://example.com/", "file:///etc/passwd", "data:x", "gopher://example.com/"] {
            guard let url = try? TransferURL(text) else { continue }
            #expect(!FeedGuard(isInside: true).allows(url), "\(text)")
        }
    }

    /// A name may mean another address by the time of the connection.
    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
    func connectionsAreLookedAtWhenTheyAreMade() async throws {
        let server = try NginxServer()
        try TestFile.write(server.root + "/x", "content")
        for isInside in [false, true] {
            let guardian = FeedGuard(isInside: isInside)
            let url = try TransferURL("http://localhost:\(server.port)/x")
            var request = TransferRequest(url, purpose: "cannot read")
            request.configure = { guardian.configure($0) }
            var policy = TransferPolicy(schemes: ["http"])
            policy.tries = 1
            let client = TransferClient(policy, name: "localhost")
            let body = try? await client.collect(request).body
            #expect(body == (isInside ? Array("content".utf8) : nil))
        }
    }

    @Test func datesOfManyKindsAreRead() {
        let expected = Timestamp(seconds: 1_704_164_645)
        for text in [
            "Tue, 02 Jan 2024 03:04:05 GMT", "2 Jan 2024 03:04:05 +0000", "Mon, 1 Jan 2024 22:04:05 EST",
            " 2024-01-02T03:04:05Z\n", "2024-01-02T04:04:05+01:00", "Tue, 2 January 2024 03:04:05 UT",
        ] {
            #expect(MailDate.parse(text) == expected, "\(text)")
        }
        #expect(MailDate.parse("2024-01-02") == Timestamp(seconds: 1_704_153_600))
        for text in ["", "yesterday", "32 Jan 2024 00:00:00 GMT", "1 Foo 2024 00:00:00 GMT", "1 Jan 2024"] {
            #expect(MailDate.parse(text) == nil, "\(text)")
        }
    }

    @Test func marksStay() {
        #expect(StableMark.of("https://example.com/1") == StableMark.of("https://example.com/1"))
        #expect(StableMark.of("a") != StableMark.of("b") && StableMark.of("").count == 8)
        #expect(FeedIndex.name("../a/\u{0}b\n", longest: 99) == "_.. a b")
        #expect(FeedIndex.name(String(repeating: "é", count: 99), longest: 9).utf8.count == 8)
    }
}
