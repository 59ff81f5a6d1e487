import Glibc
import Synchronization
import TestServers
import Testing
import VitrineKit

@testable import Accounts
@testable import VitrineTesting

/// What a browser was shown.
private actor Pages {
    private(set) var all: [String] = []
    func add(_ page: String) { all.append(page) }
}

/// Logging in at a stub of an authorization server.
@Suite(.enabled(if: ServiceStub.canLogIn, "python3 or curl is not installed: 'make test' installs them"))
struct LoginTests {
    let stub: ServiceStub

    init() throws { stub = try ServiceStub.oauth() }

    private func service(secret: Bool = false) -> OAuthService {
        OAuthService(
            name: "Test", authorization: stub.url + "/oauth2/authorize", token: stub.url + "/oauth2/token",
            device: stub.url + "/oauth2/device", revocation: stub.url + "/oauth2/revoke", scopes: ["read", "offline"],
            clientID: "vitrine-test", needsSecret: secret)
    }

    /// Fails with a code and a word in the sentence, and with nothing that is secret.
    private func fails(_ code: PluginError.Code, _ word: String, _ body: () async throws -> Void) async {
        await #expect { try await body() } throws: {
            guard let error = $0 as? PluginError else { return false }
            let isTold = error.message.contains("access-") || error.message.contains("refresh-")
            return error.code == code && error.message.contains(word) && !isTold
        }
    }

    // MARK: By a browser

    @Test func `a browser of this machine comes back with a code`() async throws {
        let shown = Mutex("")
        let tokens = try await OAuthLogin(service()).byBrowser { step in
            guard case .open(let address) = step else { return }
            shown.withLock { $0 = address }
            Task { _ = Browser.open(address) }
        }
        #expect(tokens.access.hasPrefix("access-") && tokens.refresh?.hasPrefix("refresh-") == true && tokens.isFresh())
        let address = shown.withLock { $0 }
        #expect(address.contains("code_challenge_method=S256") && address.contains("scope=read%20offline"))
        #expect(address.contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
        #expect("\(tokens)" == "tokens" && String(reflecting: tokens) == "tokens")
        var dumped = ""
        dump(tokens, to: &dumped)
        #expect(!dumped.contains("access-"))
    }

    @Test func `whoever comes back without the state is turned away`() async throws {
        let pages = Pages()
        let tokens = try await OAuthLogin(service()).byBrowser { step in
            guard case .open(let address) = step else { return }
            Task {
                let good = Browser.target(of: address)
                let base = String(good.prefix { $0 != "?" })
                for bad in [
                    base, base + "?code=x", base + "?code=x&state=wrong", base + "favicon.ico", base + "?state=%",
                    good.replacing("state=", with: "state=x"),
                ] { await pages.add(Browser.open(bad)) }
                await pages.add(Browser.open(good))
            }
        }
        #expect(tokens.access.hasPrefix("access-"))
        let seen = await pages.all
        #expect(seen.count >= 6 && seen.prefix(6).allSatisfy { $0.contains("not the log-in") })
    }

    @Test func `a refusal in the browser is told`() async throws {
        try stub.configure(#"{"deny": true}"#)
        await fails(.unauthorized, "not allowed") {
            _ = try await OAuthLogin(service()).byBrowser { step in
                if case .open(let address) = step { Task { _ = Browser.open(address) } }
            }
        }
    }

    @Test func `a browser is not cut off before it has sent all of its head`() async throws {
        let redirect = try LoopbackRedirect(port: 0)
        let port = try #require(redirect.address.split(separator: ":").last.flatMap { UInt16($0.dropLast()) })
        let browser = try #require(LoopbackSocket(port: port))
        let line = "X-Long: \(String(repeating: "x", count: 12_000))"
        #expect(browser.send(Array("GET /?state=s&code=c HTTP/1.1\r\n\(line)\r\n\r\n".utf8)))
        #expect(try await redirect.answer(state: "s", "Test", patience: .seconds(60))["code"] == "c")
        // What has been answered is closed by now: a reset would be noted.
        var (error, length): (CInt, socklen_t) = (0, socklen_t(MemoryLayout<CInt>.size))
        getsockopt(browser.descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        #expect(error == 0 && String(decoding: browser.receive(), as: UTF8.self).contains("You are logged in to Test"))
    }

    @Test func `nobody has to wait for a browser`() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let work = Task { try await OAuthLogin(service()).byBrowser { _ in begin.finish() } }
        for await _ in begun {}
        work.cancel()
        await fails(.cancelled, "stop") { _ = try await work.value }
    }

    @Test func `a port that is taken is named`() async throws {
        var service = service()
        service.redirectPort = stub.port
        let taken = service
        await fails(.io, "redirect-port") { _ = try await OAuthLogin(taken).byBrowser { _ in } }
    }

    @Test func `the challenge is that of the standard's example`() {
        // RFC 7636, appendix B.
        #expect(
            OAuthLogin.challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        let (one, other) = (OAuthLogin.random(), OAuthLogin.random())
        #expect(one != other && one.utf8.count == 43)
    }

    // MARK: By a code

    /// Logs in by a code; tells how long was waited before each question.
    private func byCode(_ service: OAuthService) async throws -> (tokens: TokenSet, waits: [Duration]) {
        let waits = Mutex<[Duration]>([])
        let login = try OAuthLogin(service) { wait in waits.withLock { $0.append(wait) } }
        let tokens = try await login.byCode {
            #expect($0 == .write(code: "WDJB-MJHT", address: "https://example.com/device"))
        }
        return (tokens, waits.withLock { $0 })
    }

    @Test func `a code is asked for in the time that the server wants`() async throws {
        try stub.configure(
            #"{"device": ["authorization_pending", "slow_down", "authorization_pending"], "interval": 7}"#)
        let (tokens, waits) = try await byCode(service())
        #expect(tokens.access.hasPrefix("access-"))
        #expect(waits == [.seconds(7), .seconds(7), .seconds(12), .seconds(12)])
        // No hurry, whatever a server says, and no sleep for ever.
        try stub.configure(#"{"interval": 0}"#)
        #expect(try await byCode(service()).waits == [.seconds(1)])
        try stub.configure(#"{"interval": 100000, "device_expires_in": 1000000}"#)
        #expect(try await byCode(service()).waits == [.seconds(60)])
    }

    @Test func `a code that is refused, too old or never written ends it`() async throws {
        try stub.configure(#"{"device": ["access_denied"]}"#)
        await fails(.unauthorized, "not allowed") { _ = try await byCode(service()) }
        try stub.configure(#"{"device": ["x", "expired_token"]}"#)
        await fails(.unauthorized, "too old") { _ = try await byCode(service()) }
        let pending = Array(repeating: #""authorization_pending""#, count: 200).joined(separator: ",")
        try stub.configure(#"{"device": [\#(pending)], "device_expires_in": 60}"#)
        await fails(.unauthorized, "in time") { _ = try await byCode(service()) }
    }

    // MARK: Who asks

    @Test func `what the program must say of itself is asked for`() async throws {
        var unknown = service()
        unknown.clientID = nil
        #expect(throws: PluginError.self) { try OAuthLogin(unknown) }
        #expect(throws: PluginError.self) { try OAuthLogin(service(secret: true)) }
        try stub.configure(#"{"secret": "hush"}"#)
        await fails(.unauthorized, "client-id") {
            _ = try await OAuthLogin(service(secret: true), clientSecret: "wrong") { _ in }.byCode { _ in }
        }
        let wrong = try OAuthLogin(service(secret: true), clientSecret: "wrong") { _ in }
        #expect(!wrong.wasProgramRefused)
        _ = try? await wrong.byCode { _ in }
        #expect(wrong.wasProgramRefused)
        let login = try OAuthLogin(service(secret: true), clientSecret: "hush") { _ in }
        #expect(try await login.byCode { _ in }.access.hasPrefix("access-") && !login.wasProgramRefused)
    }

    @Test(arguments: [
        "http://example.com/token", "https://user:pw@example.com/token", "ftp://example.com/", "https:///token",
        "token",
        "https://example.com/a#b", "https://example.com/a b", "http://127.0.0.1.example.com/",
    ])
    func `an address that is not safe is refused`(address: String) {
        #expect(throws: PluginError.self) { try service().changed(by: ["token-url": address]) }
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/token", "http://localhost/token", "http://[::1]:1/token",
        "https://example.com/token?a=b",
    ])
    func `others are taken`(address: String) throws {
        #expect(try service().changed(by: ["token-url": address]).token == address)
    }
}
