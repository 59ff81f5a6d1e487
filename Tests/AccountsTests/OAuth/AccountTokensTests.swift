import Foundation
import TestServers
import TestSupport
import Testing
import VitrineKit

@testable import Accounts

/// Tokens of accounts on a machine without a keyring.
@Suite(.enabled(if: ServiceStub.canLogIn, "python3 or curl is not installed: 'make test' installs them"))
struct AccountTokensTests {
    let scratch: TemporaryFolder
    let book: AccountBook
    let stub: ServiceStub
    let address: SourceURI

    init() throws {
        scratch = try TemporaryFolder()
        book = try #require(
            AccountBook(environment: [
                "XDG_CONFIG_HOME": scratch.path + "/config", "XDG_DATA_HOME": scratch.path + "/data",
            ]))
        stub = try ServiceStub.oauth()
        address = try SourceURI("box:")
    }

    private var service: OAuthService {
        OAuthService(
            name: "Test", token: stub.url + "/oauth2/token", device: stub.url + "/oauth2/device",
            revocation: stub.url + "/oauth2/revoke", clientID: "vitrine-test")
    }

    private func logIn(_ name: String = "a") async throws {
        let tokens = try await OAuthLogin(service) { _ in }.byCode { _ in }
        _ = try book.add(name, address, values: ["client-id": "vitrine-test"], tokens: tokens, clientSecret: "hush")
    }

    private var renewals: Int { stub.seen.count { $0.contains("refresh_token") && $0.contains("\"token\"") } }

    @Test func `a token is kept as long as it is good`() async throws {
        try await logIn()
        let tokens = AccountTokens(of: "a", from: service, in: book)
        let first = try await tokens.current()
        #expect(try await tokens.current() == first && renewals == 0)
        let second = try await tokens.renewed(insteadOf: first)
        #expect(second != first && renewals == 1)
        // Who comes later with the old one gets the new one without a request.
        #expect(try await tokens.renewed(insteadOf: first) == second && renewals == 1)
        #expect(try book.login(of: "a").tokens.access == second)
        // Neither the backend nor the file of accounts knows any of it.
        #expect(try book.values(for: address) == ["client-id": "vitrine-test"])
        #expect(try !String(contentsOfFile: book.path, encoding: .utf8).contains("access-"))
    }

    @Test func `a token that is about to end is renewed before it is used`() async throws {
        try stub.configure(#"{"expires_in": 30}"#)
        try await logIn()
        let tokens = AccountTokens(of: "a", from: service, in: book)
        let old = try book.login(of: "a").tokens.access
        #expect(try await tokens.current() != old)
    }

    /// Refresh tokens of this server serve once: without the lock, all but one would lose the account.
    @Test func `many processes that renew at once lose nothing`() async throws {
        try stub.configure(#"{"delay": 0.2}"#)
        try await logIn()
        let old = try book.login(of: "a").tokens.access
        let (service, book) = (service, book)
        // Each has a lock and a memory of its own, as processes have.
        let got = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask { try await AccountTokens(of: "a", from: service, in: book).renewed(insteadOf: old) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(got.count == 1 && !got.contains(old) && renewals == 1)
    }

    @Test func `who leaves while a token is renewed does not lose it`() async throws {
        try stub.configure(#"{"delay": 0.5}"#)
        try await logIn()
        let tokens = AccountTokens(of: "a", from: service, in: book)
        let old = try book.login(of: "a").tokens.access
        let work = Task { try await tokens.renewed(insteadOf: old) }
        // Until the server has been asked, and works on it.
        while try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/data/vitrine")
            .allSatisfy({ !$0.hasPrefix("login-") })
        { await Task.yield() }
        work.cancel()
        await #expect(throws: PluginError.self) { try await work.value }
        try stub.configure("{}")
        let new = try await AccountTokens(of: "a", from: service, in: book).renewed(insteadOf: old)
        #expect(new != old && renewals == 1)
    }

    @Test func `a log-in that has ended says what to do`() async throws {
        try await logIn()
        let kept = try book.login(of: "a").tokens
        try await service.revoke(kept, clientSecret: nil)
        let tokens = AccountTokens(of: "a", from: service, in: book)
        await #expect { try await tokens.renewed(insteadOf: kept.access) } throws: {
            guard let error = $0 as? PluginError else { return false }
            return error.code == .unauthorized && error.message.contains("vitrine account login a")
                && !error.message.contains(kept.refresh ?? "-")
        }
        // A server that is away is no reason to log in.
        var away = service
        away.token = "http://127.0.0.1:1/token"
        let lost = AccountTokens(of: "a", from: away, in: book)
        await #expect { try await lost.renewed(insteadOf: kept.access) } throws: {
            ($0 as? PluginError)?.code == .offline
        }
    }

    @Test func `logging out ends it everywhere`() async throws {
        try await logIn()
        let kept = try book.login(of: "a")
        #expect(kept.clientSecret == "hush")
        #expect(try book.remove("a").hasLogin)
        try await service.revoke(kept.tokens, clientSecret: kept.clientSecret)
        #expect(stub.seen.contains { $0.contains("\"revoke\"") && $0.contains("refresh_token") })
        #expect(throws: PluginError.self) { try book.login(of: "a") }
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.path) {
            let bytes = FileManager.default.contents(atPath: scratch.path + "/" + name) ?? Data()
            #expect(bytes.range(of: Data(kept.tokens.access.utf8)) == nil, "\(name) holds the token")
        }
        try stub.configure(#"{"revoke_status": 500}"#)
        await #expect(throws: PluginError.self) { try await service.revoke(kept.tokens, clientSecret: nil) }
    }

    @Test func `who renews does not bring back what was removed`() async throws {
        try stub.configure(#"{"delay": 0.5}"#)
        try await logIn()
        let old = try book.login(of: "a").tokens.access
        let (service, book) = (service, book)
        async let renewed = AccountTokens(of: "a", from: service, in: book).renewed(insteadOf: old)
        while try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/data/vitrine")
            .allSatisfy({ !$0.hasPrefix("login-") })
        { await Task.yield() }
        _ = try book.remove("a")
        _ = try? await renewed
        #expect(try !String(contentsOfFile: book.secretsPath, encoding: .utf8).contains("access-"))
    }

    @Test func `an account can be logged in anew`() async throws {
        try await logIn()
        let old = try book.login(of: "a").tokens
        try book.renew("a", try await OAuthLogin(service) { _ in }.byCode { _ in })
        let new = try book.login(of: "a")
        #expect(new.tokens != old && new.clientSecret == "hush")
        #expect(throws: PluginError.self) { try book.checkNew("a", address) }
        #expect(throws: PluginError.self) { try book.renew("b", new.tokens) }
    }
}
