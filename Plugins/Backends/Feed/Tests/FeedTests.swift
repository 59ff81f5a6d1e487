import FeedBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

/// nginx with a feed and what it points to, behind a proxy that sees what is asked.
private struct Site {
    let server: NginxServer
    let proxy: FaultProxy
    static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    init(_ feed: String, _ fault: @escaping @Sendable (ProxiedRequest) -> Fault? = { _ in nil }) throws {
        server = try NginxServer()
        proxy = try FaultProxy(before: server.port, fault)
        try TestFile.write(server.root + "/feed.xml", feed)
        try TestFile.write(Array("\(server.root)/data.bin".utf8), Self.content)
    }

    func connect(_ path: String = "/feed.xml") async throws(PluginError) -> FeedBackend {
        try await FeedBackend(
            source: SourceURI("feed:http://127.0.0.1:\(proxy.port)\(path)"), settings: BackendSettings())
    }

    /// Files by folder, as text.
    func tree(_ backend: FeedBackend) async throws -> [String: [String]] {
        var tree: [String: [String]] = [:]
        for try await page in backend.list(.root) {
            for folder in page {
                var names: [String] = []
                for try await files in backend.list(try ItemPath(folder.name)) {
                    names += files.map { String(decoding: $0.name, as: UTF8.self) }
                }
                // Without the mark.
                tree[String(String(decoding: folder.name, as: UTF8.self).dropLast(11))] = names
            }
        }
        return tree
    }
}

@Suite(.serialized, .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
struct FeedTests {
    @Test(arguments: Feeds.all) func everyKindIsRead(kind: String) async throws {
        let site = try Site(try #require(Feeds.text[kind]))
        let backend = try await site.connect()
        let tree = try await site.tree(backend)
        #expect(tree == Feeds.tree[kind], "\(tree)")
        for try await page in backend.list(.root) {
            for folder in page { #expect(folder.modified == Timestamp(seconds: 1_704_164_645), "\(folder)") }
        }
    }

    @Test func filesAreReadByRange() async throws {
        let site = try Site(Feeds.rss)
        let backend = try await site.connect()
        var folder: Entry?
        for try await page in backend.list(.root) { folder = folder ?? page.first }
        let path = try ItemPath(try #require(folder).name).appending(Array("A talk 1.mp3".utf8))
        let source = try await backend.open(path)
        #expect(source.entry.size == 200_000 && source.isPinned)
        site.proxy.clear()
        #expect(try await source.read(at: 100_001, count: 5000) == Array(Site.content[100_001..<105_001]))
        #expect(site.proxy.requests.map { $0.headers["range"] } == ["bytes=100001-105000"])
        #expect(try await source.current() == source.entry)
        try TestFile.write(site.server.root + "/data.bin", "other")
        #expect(try await source.current() != source.entry)
        await #expect { _ = try await source.read(at: 0, count: 5) } throws: { ($0 as? PluginError)?.code == .changed }
    }

    @Test func whatIsUnchangedIsNotSentAgain() async throws {
        let site = try Site(Feeds.rss)
        let backend = try await site.connect()
        let before = try await site.tree(backend)
        site.proxy.clear()
        let bytes = backend.traffic.bytesReceived
        #expect(try await site.tree(backend) == before)
        let headers = site.proxy.requests.first?.headers
        #expect(site.proxy.requests.count == 1)
        #expect(headers?["if-none-match"] != nil && headers?["if-modified-since"] != nil)
        #expect(backend.traffic.bytesReceived - bytes < 500)
        try TestFile.write(site.server.root + "/feed.xml", Feeds.atom)
        #expect(try await site.tree(backend) == Feeds.tree["atom"])
    }

    @Test func redirectsOfFilesAreFollowedAndBounded() async throws {
        let site = try Site(Feeds.rss) {
            $0.target.hasSuffix("/data.bin") && $0.number < 3 ? .redirect(to: "/data.bin?x") : nil
        }
        let backend = try await site.connect()
        #expect(try await first(of: backend).read(at: 5, count: 3) == Array(Site.content[5..<8]))
        let round = try Site(Feeds.rss) { $0.target.contains("data.bin") ? .redirect(to: "/data.bin") : nil }
        let other = try await round.connect()
        await #expect { _ = try await first(of: other) } throws: {
            ($0 as? PluginError)?.message.contains("again and again") == true
        }
        for target in ["file:///etc/passwd", "gopher://127.0.0.1/"] {
            let away = try Site(Feeds.rss) { $0.target.contains("data.bin") ? .redirect(to: target) : nil }
            let third = try await away.connect()
            await #expect { _ = try await first(of: third) } throws: { ($0 as? PluginError)?.code == .forbidden }
        }
    }

    private func first(of backend: FeedBackend) async throws -> any ByteSource {
        for try await page in backend.list(.root) {
            for folder in page {
                let folder = try ItemPath(folder.name)
                for try await files in backend.list(folder) {
                    if let file = files.first { return try await backend.open(try folder.appending(file.name)) }
                }
            }
        }
        throw PluginError(.notFound, "the feed is empty")
    }

    @Test func whatIsNoFeedIsRefused() async throws {
        let cases: [(String, PluginError.Code)] = [
            ("<html/>", .invalidArgument), ("no XML", .corrupt), ("<!DOCTYPE x><rss/>", .corrupt),
            ("<rss>" + String(repeating: "<a>", count: 100), .corrupt),
        ]
        for (text, code) in cases {
            let site = try Site(text)
            await #expect("\(text.prefix(20))") { _ = try await site.connect() } throws: {
                ($0 as? PluginError)?.code == code
            }
        }
        let site = try Site(Feeds.rss)
        await #expect { _ = try await site.connect("/missing") } throws: { ($0 as? PluginError)?.code == .notFound }
        let backend = try await site.connect()
        for path in ["missing", "missing/file"] {
            await #expect { _ = try await backend.open(try ItemPath(path)) } throws: {
                ($0 as? PluginError)?.code == .notFound
            }
        }
    }

    @Test func longFeedsAreCut() async throws {
        let items = (0..<3000).map { "<item><title>\($0)</title><guid>\($0)</guid><enclosure url='/\($0)'/></item>" }
        let site = try Site("<rss><channel>" + items.joined() + "</channel></rss>")
        let backend = try await site.connect()
        var count = 0
        for try await page in backend.list(.root) { count += page.count }
        #expect(count == 2000)
    }
}
