import TestServers
import Testing
import VitrineKit
import VitrineTesting
import WebDAVBackend

@Suite(.serialized, .enabled(if: ApacheServer.isInstalled, "apache2 is not installed: 'make test' installs it"))
struct LoginTests {
    private static let right = ["user": "bob ü", "password": "se:cret"]

    @Test(arguments: [ApacheServer.Login.basic, .digest], ["any", "same"])
    func logsIn(login: ApacheServer.Login, auth: String) async throws {
        let server = try ApacheServer(login)
        try TestFile.write(server.root + "/a.txt", "here")
        let proxy = try FaultProxy(before: server.port) { _ in nil }
        var values = Self.right
        if auth == "same" { values["auth"] = login.rawValue }
        let backend = try await connect(proxy.port, values)
        for _ in 0..<10 {
            let file = try await backend.open(try ItemPath("a.txt"))
            #expect(try await file.read(at: 0, count: 10) == Array("here".utf8))
        }
        // What was negotiated once holds: 21 requests, and a few until that is known.
        #expect(proxy.requests.count <= 25)
        let passwords = proxy.requests.compactMap { $0.headers["authorization"] }
        #expect(passwords.allSatisfy { $0.lowercased().hasPrefix(login.rawValue) } && passwords.count >= 21)
    }

    @Test(arguments: [ApacheServer.Login.basic, .digest])
    func wrongPasswordsAreUnauthorized(login: ApacheServer.Login) async throws {
        let server = try ApacheServer(login)
        for values in [[:], ["user": "bob ü", "password": "wrong"], ["token": "wrong"]] {
            await #expect { try await connect(server.port, values) } throws: {
                guard let error = $0 as? PluginError else { return false }
                return error.code == .unauthorized && !error.message.contains("wrong") && !error.message.contains("bob")
            }
        }
    }

    @Test func tokensAreSent() async throws {
        let server = try ApacheServer()
        let proxy = try FaultProxy(before: server.port) { _ in nil }
        _ = try await connect(proxy.port, ["token": "abc.def"])
        #expect(proxy.requests.map { $0.headers["authorization"] } == ["Bearer abc.def"])
    }

    @Test func passwordsInAddressesAreRefused() async throws {
        for text in ["dav://bob:secret@127.0.0.1:1/", "dav://127.0.0.1:1/?secret"] {
            await #expect {
                _ = try await WebDAVBackend(source: SourceURI(text), settings: BackendSettings())
            } throws: {
                guard let error = $0 as? PluginError else { return false }
                return error.code == .invalidArgument && !error.message.contains("secret")
            }
        }
    }
}
