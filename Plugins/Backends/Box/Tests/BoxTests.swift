import Glibc
import Synchronization
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@testable import BoxBackend

@Suite(.serialized, .enabled(if: ServiceStub.isInstalled, "python3 is not installed: 'make test' installs it"))
struct BoxTests {
    private func names(_ backend: BoxBackend, _ folder: String = "") async throws -> Set<String> {
        var names: Set<String> = []
        for try await page in backend.list(try ItemPath(folder)) {
            names.formUnion(page.map { DisplayText.of($0.name) })
        }
        return names
    }

    private func read(_ backend: BoxBackend, _ path: String) async throws -> String {
        String(decoding: try await backend.open(try ItemPath(path)).read(at: 0, count: 1000), as: UTF8.self)
    }

    @Test func namesThatClashOrHoldSlashesAreToldApart() async throws {
        let stub = try ServiceStub.box()
        for name in ["one", "two", "three"] { try TestFile.write("\(stub.root)/\(name)", "content \(name)") }
        try TestFile.makeFolder(stub.root + "/folder")
        try TestFile.write(stub.root + "/folder/x", "inside")
        try TestFile.write(
            stub.root + ".names.json",
            #"{"one": "same.txt", "two": "same.txt", "three": "a/b.txt", "folder": ".."}"#)
        let backend = try await connect(stub)
        let found = try await names(backend)
        #expect(found.isSuperset(of: ["same.txt", "a%2Fb.txt", "%2E%2E"]) && found.count == 4)
        let other = try #require(found.first { $0.hasPrefix("same%~") && $0.hasSuffix(".txt") })
        let contents = Set([try await read(backend, "same.txt"), try await read(backend, other)])
        #expect(contents == ["content one", "content two"])
        #expect(try await read(backend, "a%2Fb.txt") == "content three")
        #expect(try await read(backend, "%2E%2E/x") == "inside")
        // Such a folder may be a source; in a URI its `%` is encoded as any other.
        #expect(try await read(try await connect(stub, path: "/%252E%252E"), "x") == "inside")
    }

    @Test func whatIsMovedIsFoundWhereItIs() async throws {
        let stub = try ServiceStub.box()
        for name in ["a", "b"] { try TestFile.makeFolder("\(stub.root)/\(name)") }
        try TestFile.write(stub.root + "/a/x.txt", "content")
        let backend = try await connect(stub)
        let before = try await backend.stat(try ItemPath("a/x.txt"))
        try #require(rename(stub.root + "/a/x.txt", stub.root + "/b/y.txt") == 0)
        await #expect { _ = try await backend.stat(try ItemPath("a/x.txt")) } throws: {
            ($0 as? PluginError)?.code == .notFound
        }
        let after = try await backend.stat(try ItemPath("b/y.txt"))
        #expect(after.identifier == before.identifier && after.etag == before.etag)
    }

    @Test func filesCostFewRequests() async throws {
        let stub = try ServiceStub.box()
        try TestFile.write(Array("\(stub.root)/data.bin".utf8), BackendSample.data)
        let backend = try await connect(stub)
        var listed: Entry?
        for try await page in backend.list(.root) { listed = page.first }
        let entry = try #require(listed)
        #expect(entry.size == Int64(BackendSample.data.count) && entry.etag != nil && entry.modified != nil)
        var before = backend.traffic.requests
        let file = try await backend.open(try ItemPath("data.bin"), listedAs: entry)
        #expect(backend.traffic.requests == before)
        #expect(try await file.read(at: 1000, count: 2000).elementsEqual(BackendSample.data[1000..<3000]))
        // Where it is handed out, and the range; afterwards the range alone.
        #expect(backend.traffic.requests == before + 2)
        before = backend.traffic.requests
        _ = try await file.read(at: 5000, count: 10)
        #expect(backend.traffic.requests == before + 1)
        // An address that does not hold any more is asked for again.
        try stub.configure(#"{"links": 1}"#)
        #expect(try await file.read(at: 200_000, count: 100).elementsEqual(BackendSample.data[200_000..<200_100]))
        let opened = try await backend.open(try ItemPath("data.bin"))
        #expect(opened.head?.elementsEqual(BackendSample.data.prefix(64 << 10)) == true && opened.isPinned)
    }

    @Test func theTokenGoesToTheServiceAlone() async throws {
        let stub = try ServiceStub.box()
        try TestFile.write(stub.root + "/a.txt", "content")
        let proxy = try FaultProxy(before: stub.downloadPort) { _ in nil }
        let front = try FaultProxy(before: stub.port) { request in
            // The files are handed out behind the other proxy, which looks at what it is sent.
            guard request.target.contains("/content") else { return nil }
            return .redirect(to: "http://127.0.0.1:\(proxy.port)/d/1/0123/download")
        }
        let values = ["download-hosts": "127.0.0.1:\(proxy.port)"]
        let backend = try await connect(stub, values, port: front.port)
        await #expect(throws: PluginError.self) { _ = try await read(backend, "a.txt") }
        #expect(!proxy.requests.isEmpty && proxy.requests.allSatisfy { $0.headers["authorization"] == nil })
        #expect(front.requests.allSatisfy { $0.headers["authorization"] == "Bearer developer" })
    }

    @Test func aTokenThatIsRefusedIsRenewedOnce() async throws {
        let stub = try ServiceStub.box()
        let tokens = ChangingTokens(["refused", "developer"])
        let settings = BackendSettings(values: [
            "api-url": stub.url + "/2.0", "download-hosts": "127.0.0.1:\(stub.downloadPort)",
        ])
        var told = settings
        told.accessTokens = tokens
        let backend = try await BoxBackend(source: SourceURI("box:"), settings: told)
        #expect(try await names(backend) == [] && tokens.renewals == 1)
        told.accessTokens = ChangingTokens(["refused", "refused-too", "developer"])
        for settings in [told, settings] {
            await #expect { _ = try await BoxBackend(source: SourceURI("box:"), settings: settings) } throws: {
                guard let error = $0 as? PluginError else { return false }
                return error.code == .unauthorized && !error.message.contains("refused")
            }
        }
    }
}

/// Tokens one after the other.
private final class ChangingTokens: AccessTokens {
    private let left: Mutex<[String]>
    private let count = Mutex(0)
    init(_ tokens: [String]) { left = Mutex(tokens) }
    var renewals: Int { count.withLock { $0 } }
    func current() async throws(PluginError) -> String { left.withLock { $0.first ?? "" } }
    func renewed(insteadOf token: String) async throws(PluginError) -> String {
        count.withLock { $0 += 1 }
        return left.withLock { left in
            if left.first == token { left.removeFirst() }
            return left.first ?? ""
        }
    }
}
