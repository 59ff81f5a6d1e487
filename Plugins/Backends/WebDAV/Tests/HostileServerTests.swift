import TestServers
import Testing
import VitrineKit
import VitrineTesting
import WebDAVBackend

/// Listings that no honest server sends. A real server answers all else.
@Suite(.serialized, .enabled(if: ApacheServer.isInstalled, "apache2 is not installed: 'make test' installs it"))
struct HostileServerTests {
    private static let own =
        "<D:response><D:href>/f/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/>"
        + "</D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"

    private static func child(_ href: String) -> String {
        "<D:response><D:href>\(href)</D:href><D:propstat><D:prop><D:getcontentlength>5</D:getcontentlength></D:prop>"
            + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }

    /// What a listing gives.
    private func list(_ responses: String, whole: Bool = false) async throws -> Result<[Entry], PluginError> {
        let server = try ApacheServer()
        let text =
            whole ? responses : "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\">\(responses)</D:multistatus>"
        let proxy = try FaultProxy(before: server.port) {
            $0.headers["depth"] == "1" ? .answer(status: 207, headers: [], body: text) : nil
        }
        let backend = try await connect(proxy.port)
        do throws(PluginError) {
            var entries: [Entry] = []
            for try await page in backend.list(try ItemPath("f")) { entries += page }
            return .success(entries)
        } catch { return .failure(error) }
    }

    @Test(arguments: [
        "/f/../etc", "/f/%2e%2e/etc", "/etc/passwd", "/f/a/b", "/f/a%2Fb", "http://example.com/f/a",
        "//example.com/f/a",
        "/f/a%00b", "/f/%", "/fa", "/f//a", "a", "", "/f/.", "http://127.0.0.1.example.com/f/a",
    ])
    func whatLiesElsewhereIsRefused(href: String) async throws {
        guard case .failure(let error) = try await list(Self.own + Self.child(href)) else {
            Issue.record("'\(href)' was listed")
            return
        }
        #expect(error.code == .io && error.message.contains("does not lie"))
    }

    @Test func whatLiesThereIsTaken() async throws {
        let hrefs = ["/f/a", "/f/b%FF", "http://127.0.0.1/f/c", "//127.0.0.1:99/f/d/", "/f/e?x"]
        let entries = try await list(Self.own + hrefs.map(Self.child).joined()).get()
        #expect(entries.map(\.name) == [[97], [98, 0xFF], [99], [100], [101]])
        #expect(entries.allSatisfy { $0.size == 5 && $0.kind == .file })
    }

    @Test(arguments: [
        "", "<html><body>Welcome</body></html>", "<?xml version='1.0'?><D:multistatus xmlns:D='DAV:'>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><D:multistatus xmlns:D='DAV:'>&b;</D:multistatus>",
    ])
    func whatIsNoListingIsRefused(text: String) async throws {
        guard case .failure(let error) = try await list(text, whole: true) else {
            Issue.record("it was listed")
            return
        }
        #expect(error.code == .io)
    }

    @Test func aListingWithoutItsFolderIsNotBelieved() async throws {
        guard case .failure(let error) = try await list(Self.child("/f/a")) else {
            Issue.record("it was listed")
            return
        }
        #expect(error.code == .io && error.message.contains("not believed"))
    }

    @Test func whatIsForbiddenEndsAListing() async throws {
        let gone = "<D:response><D:href>/f/a</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>"
        #expect(try await list(Self.own + gone).get() == [])
        let closed = "<D:response><D:href>/f/a</D:href><D:status>HTTP/1.1 403 Forbidden</D:status></D:response>"
        guard case .failure(let error) = try await list(Self.own + closed) else {
            Issue.record("it was listed")
            return
        }
        #expect(error.code == .forbidden)
    }

    @Test func serversWithoutRangesAreReadFromTheStart() async throws {
        let server = try NginxServer(location: "max_ranges 0;")
        try TestFile.write(Array("\(server.root)/data.bin".utf8), BackendSample.data)
        let file = try await connect(server.port).open(try ItemPath("data.bin"))
        #expect(try await file.read(at: 200_000, count: 100).elementsEqual(BackendSample.data[200_000..<200_100]))
        try TestFile.write(Array("\(server.root)/large".utf8), [UInt8](repeating: 1, count: 65 << 20))
        let large = try await connect(server.port).open(try ItemPath("large"))
        await #expect { try await large.read(at: 64 << 20, count: 100) } throws: {
            ($0 as? PluginError)?.code == .limitExceeded
        }
    }

    @Test func otherServersAreNamed() async throws {
        let server = try NginxServer(location: "return 200;")
        await #expect { try await connect(server.port) } throws: {
            guard let error = $0 as? PluginError else { return false }
            return error.code == .invalidArgument && error.message.contains("no WebDAV server")
        }
    }
}
