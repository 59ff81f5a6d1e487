import TestServers
import Testing
import Transfer
import VitrineKit
import VitrineTesting

@testable import MailBackend

@Suite(
    .serialized,
    .enabled(if: DovecotServer.isInstalled, "dovecot is not installed, or this is not root: 'make test' installs it"))
struct ServerMailTests {
    private static let login = ["user": "bob", "password": DovecotServer.password]
    private static let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    private func connect(_ uri: String, _ values: [String: String] = login) async throws(PluginError) -> MailBackend {
        try await MailBackend(source: SourceURI(uri), settings: BackendSettings(values: values))
    }

    private func conforms(_ uri: (DovecotServer) -> String) async throws {
        let server = try DovecotServer()
        let place = uri(server)
        let suite = BackendConformance(names: .text, many: 400, leavesOut: AttachmentTree.leavesOut) { sample in
            for (number, message) in AttachmentTree.messages(sample).enumerated() {
                try server.deliver(message, name: "\(number).host")
            }
            return try await AttachmentTree(connect(place), sample)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test func conformsOverIMAP() async throws { try await conforms { "imap://127.0.0.1:\($0.imap)/INBOX" } }
    @Test func conformsOverPOP3() async throws { try await conforms { "pop3://127.0.0.1:\($0.pop3)" } }

    @Test func theFolderOfAMessageIsARootAsWell() async throws {
        let server = try DovecotServer()
        try server.deliver(
            MailSample.message(subject: "50 % off?", files: [.init(Array("a.pdf".utf8), Array("%PDF one".utf8))]),
            name: "1.host")
        for mailbox in ["imap://127.0.0.1:\(server.imap)/INBOX", "pop3://127.0.0.1:\(server.pop3)"] {
            try await AttachmentTree.isReached(from: mailbox) { (uri) throws(PluginError) in
                try await self.connect(uri)
            }
        }
    }

    @Test func nothingIsMarkedAsRead() async throws {
        let server = try DovecotServer()
        for number in 0..<3 {
            try server.deliver(
                MailSample.message(subject: "\(number)", files: [.init(Array("a.txt".utf8), Array("text".utf8))]),
                name: "\(number).host")
        }
        for uri in ["imap://127.0.0.1:\(server.imap)", "pop3://127.0.0.1:\(server.pop3)"] {
            let backend = try await connect(uri)
            for name in try await Tree.of(backend) {
                let path = try ItemPath(name)
                guard try await backend.stat(path).kind == .file else { continue }
                _ = try await backend.open(path).read(at: 0, count: 1000)
            }
        }
        let names =
            try LocalPlace.names(in: Array((server.maildir + "/new").utf8))
            + LocalPlace.names(in: Array((server.maildir + "/cur").utf8))
        #expect(names.count == 3)
        #expect(names.allSatisfy { !String(decoding: $0, as: UTF8.self).contains(/:2,.*[ST]/) }, "\(names)")
    }

    @Test func onlyWhatIsReadTravels() async throws {
        let server = try DovecotServer()
        try server.deliver(
            MailSample.message(subject: "big", files: [.init(Array("big.bin".utf8), Self.content)]), name: "1.host")
        let backend = try await connect("imap://127.0.0.1:\(server.imap)/INBOX")
        let path = try ItemPath(try #require(await Tree.of(backend).first { $0.hasSuffix("big.bin") }))
        let source = try await backend.open(path)
        #expect(source.entry.size == 3_000_000 && source.isPinned)
        #expect(try await source.read(at: 2_000_001, count: 5000) == Array(Self.content[2_000_001..<2_005_001]))
        #expect(try await source.read(at: 2_999_999, count: 5000) == [Self.content[2_999_999]])
        #expect(backend.traffic.bytesReceived < 20_000)
        #expect(try await !source.current().differs(from: source.entry))
    }

    @Test func mailboxesHaveNames() async throws {
        let server = try DovecotServer()
        for folder in [".Work.2024", ".&AOQ-rger", ".&ZeVnLIqe-"] {
            try server.deliver(MailSample.message(subject: "in \(folder.count)"), in: folder, name: "1.host")
        }
        let names = try await Tree.of(connect("imap://127.0.0.1:\(server.imap)"))
        #expect(Set(names).isSuperset(of: ["INBOX", "Work", "Work/2024", "ärger", "日本語"]), "\(names)")
        #expect(names.contains { $0.hasPrefix("ärger/2024-01-31 in 10 (") })
        let inner = try await Tree.of(connect("imap://127.0.0.1:\(server.imap)/Work"))
        #expect(inner.first == "2024" && inner.count == 2, "\(inner)")
        await #expect { _ = try await connect("imap://127.0.0.1:\(server.imap)/Nowhere") } throws: {
            ($0 as? PluginError)?.code == .notFound
        }
    }

    @Test func connectionsAreEncryptedAndServersProven() async throws {
        let server = try DovecotServer()
        try server.deliver(MailSample.message(subject: "one"), name: "1.host")
        let trusting = Self.login.merging(["ca-file": server.authority]) { $1 }
        for uri in [
            "imaps://localhost:\(server.imaps)/INBOX", "imap://localhost:\(server.imap)/INBOX?tls=always",
            "pop3s://localhost:\(server.pop3s)", "pop3://localhost:\(server.pop3)?tls=always",
        ] {
            #expect(try await Tree.of(connect(uri, trusting)).count == 1, "\(uri)")
            await #expect("\(uri)") { _ = try await connect(uri) } throws: {
                let error = $0 as? PluginError
                return error?.code == .offline && error?.message.contains("certificate") == true
            }
        }
        // What offers no TLS gets no password.
        let bare = try DovecotServer(options: "ssl = no")
        await #expect { _ = try await connect("imap://localhost:\(bare.imap)/?tls=always") } throws: {
            ($0 as? PluginError)?.code == .offline
        }
        for uri in ["imap://example.org", "pop3://example.org"] {
            let server = try MailServer(SourceURI(uri), BackendSettings())
            #expect(server.security == .always)
        }
    }

    @Test func whoIsNotLetInHearsWhy() async throws {
        let server = try DovecotServer(options: "mail_max_userip_connections = 1")
        let wrong = ["user": "bob", "password": "wrong secret"]
        for uri in ["imap://127.0.0.1:\(server.imap)", "pop3://127.0.0.1:\(server.pop3)"] {
            await #expect("\(uri)") { _ = try await connect(uri, wrong) } throws: {
                let error = $0 as? PluginError
                return error?.code == .unauthorized && error?.message.contains("secret") == false
            }
            let first = try await connect(uri)
            await #expect("\(uri)") { _ = try await connect(uri) } throws: { ($0 as? PluginError)?.code == .throttled }
            _ = try await first.stat(.root)
        }
        for uri in [
            "imap://bob:secret@127.0.0.1", "imap://127.0.0.1?x=y", "imaps://127.0.0.1?tls=never", "pop3://127.0.0.1/x",
        ] {
            await #expect("\(uri)") { _ = try await connect(uri) } throws: {
                let error = $0 as? PluginError
                return error?.code == .invalidArgument && error?.message.contains("secret") == false
            }
        }
    }

    @Test func aServerThatEndsIsOffline() async throws {
        var server: DovecotServer? = try DovecotServer()
        let port = try #require(server?.imap)
        let backend = try await connect("imap://127.0.0.1:\(port)")
        server = nil
        await #expect { _ = try await Tree.of(backend) } throws: {
            [.offline, .io].contains(($0 as? PluginError)?.code)
        }
    }

    @Test func messagesThatComeAndGoAreNoticed() async throws {
        let server = try DovecotServer()
        try server.deliver(MailSample.message(subject: "one"), name: "1.host")
        for uri in ["imap://127.0.0.1:\(server.imap)/INBOX", "pop3://127.0.0.1:\(server.pop3)"] {
            let backend = try await connect(uri)
            let before = try await Tree.of(backend)
            try server.deliver(MailSample.message(subject: "later"), name: "\(server.imap)\(uri.count).host")
            // The server looks at a folder again only when its time is another one, in seconds.
            let deadline = ContinuousClock.now + .seconds(300)
            var after = try await Tree.of(backend)
            while after.count == before.count, ContinuousClock.now < deadline { after = try await Tree.of(backend) }
            #expect(after.count == before.count + 1 && Set(after).isSuperset(of: before), "\(uri): \(after)")
            let missing = try ItemPath(before[0].replacing(/\([a-z0-9]+\)/, with: "(99)"))
            await #expect { _ = try await backend.stat(missing) } throws: { ($0 as? PluginError)?.code == .notFound }
        }
    }

    @Test func messagesAreFoundByTheirSenders() async throws {
        let server = try DovecotServer()
        let files = [MailSample.File(Array("a.txt".utf8), Array("text".utf8))]
        try server.deliver(
            MailSample.message(subject: "[A] one", text: "Words.\r\nMore.\n", files: files), in: ".Work", name: "1.host"
        )
        try server.deliver(MailSample.message(from: "malice@example.org", subject: "[A] two"), name: "2.host")
        try server.deliver(MailSample.message(subject: "no brackets"), name: "3.host")
        try server.deliver(MailSample.message(subject: "=?utf-8?q?=5B=C3=84=5D_four?="), name: "4.host")
        for (uri, subjects) in [
            ("imap://127.0.0.1:\(server.imap)", ["[A] one", "[Ä] four"]),
            ("pop3://127.0.0.1:\(server.pop3)", ["[Ä] four"]),
        ] {
            let backend = try await connect(uri)
            var found: [SentMessage] = []
            var others = 0
            for try await page in backend.messages(from: ["alice@example.org"]) {
                found += page.messages
                others += page.others
            }
            #expect(found.map(\.subject).sorted() == subjects && others == 1, "\(uri): \(found) \(others)")
            #expect(Set(found.map(\.identity)).count == found.count)
            guard let one = found.first(where: { $0.subject == "[A] one" }) else { continue }
            let content = try await backend.content(of: one)
            #expect(content.text == "Words.\nMore." && content.attachments.count == 1)
            for path in content.attachments {
                #expect(try await backend.open(path).read(at: 0, count: 9) == Array("text".utf8))
            }
        }
    }
}
