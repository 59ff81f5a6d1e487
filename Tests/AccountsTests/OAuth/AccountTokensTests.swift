import Foundation
import TestServers
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

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

    /// Begins to renew the tokens of account `a`, and comes back once the server is being asked for it.
    private func beginRenewing(insteadOf old: String) async throws -> Renewal {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let proxy = try FaultProxy(before: stub.port) { _ in
            ask.finish()
            return nil
        }
        var service = service
        service.token = "http://127.0.0.1:\(proxy.port)/oauth2/token"
        let tokens = AccountTokens(of: "a", from: service, in: book)
        let work = Task { try await tokens.renewed(insteadOf: old) }
        for await _ in asked {}
        return Renewal(work: work, proxy: proxy)
    }

    /// A renewal that is under way, by a proxy that lives as long.
    private struct Renewal {
        var work: Task<String, any Error>
        var proxy: FaultProxy
    }

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
        let old = try book.login(of: "a").tokens.access
        let renewal = try await beginRenewing(insteadOf: old)
        renewal.work.cancel()
        await #expect(throws: PluginError.self) { try await renewal.work.value }
        try stub.configure("{}")
        let new = try await AccountTokens(of: "a", from: service, in: book).renewed(insteadOf: old)
        #expect(new != old && renewals == 1)
        withExtendedLifetime(renewal.proxy) {}
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
    }

    @Test func `a refusal names the server that gave it`() async throws {
        try await logIn()
        let tokens = try book.login(of: "a").tokens
        try stub.configure(#"{"revoke_status": 500}"#)
        var service = service
        service.token = "https://tokens.example/"
        let asked = service
        await #expect { try await asked.revoke(tokens, clientSecret: nil) } throws: {
            guard let error = $0 as? PluginError else { return false }
            return error.message.contains("127.0.0.1:\(stub.port)") && !error.message.contains("tokens.example")
        }
    }

    @Test func `tokens that cannot be kept are used, and kept later`() async throws {
        try await logIn()
        let old = try book.login(of: "a").tokens
        // The file of secrets can be read and not written.
        let lock = book.secretsPath + ".lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let tokens = AccountTokens(of: "a", from: service, in: book, writesAgainAfter: .zero)
        let first = try await tokens.renewed(insteadOf: old.access)
        #expect(try await tokens.current() == first && renewals == 1)
        // The next renewal takes the token that is only remembered: the kept one has served.
        let second = try await tokens.renewed(insteadOf: first)
        #expect(second != first && renewals == 2)
        #expect(try book.login(of: "a").tokens == old)
        try FileManager.default.removeItem(atPath: lock)
        #expect(try await tokens.current() == second && renewals == 2)
        #expect(try book.login(of: "a").tokens.access == second)
    }

    @Test func `tokens that could not be kept are not brought back after a log-out`() async throws {
        try await logIn()
        let old = try book.login(of: "a").tokens.access
        let lock = book.secretsPath + ".lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let tokens = AccountTokens(of: "a", from: service, in: book, writesAgainAfter: .zero)
        let new = try await tokens.renewed(insteadOf: old)
        try FileManager.default.removeItem(atPath: lock)
        #expect(try book.removeSecrets(of: "a")?.get().tokens.access == old)
        _ = try? await tokens.current()
        await #expect(throws: PluginError.self) { try await tokens.renewed(insteadOf: new) }
        #expect(try !String(contentsOfFile: book.secretsPath, encoding: .utf8).contains("access-"))
        // Whoever was interrupted there removes it again.
        #expect(throws: PluginError.self) { try book.removeSecrets(of: "a")?.get() }
        #expect(try book.remove("a").name == "a")
    }

    @Test func `who renews does not bring back what was removed`() async throws {
        try stub.configure(#"{"delay": 0.5}"#)
        try await logIn()
        let old = try book.login(of: "a").tokens.access
        let renewal = try await beginRenewing(insteadOf: old)
        let book = book
        // It waits for the renewal, which goes on on the threads that tests have in common.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { _ = try book.remove("a") }) }
        }
        _ = try? await renewal.work.value
        #expect(try !String(contentsOfFile: book.secretsPath, encoding: .utf8).contains("access-"))
    }

    @Test func `an account can be logged in anew`() async throws {
        try await logIn()
        let old = try book.login(of: "a").tokens
        try book.renew("a", try await OAuthLogin(service) { _ in }.byCode { _ in })
        let new = try book.login(of: "a")
        #expect(new.tokens != old && new.clientSecret == "hush")
        try book.renew("a", old, clientSecret: "changed")
        #expect(try book.login(of: "a").clientSecret == "changed")
        // Also where there was none.
        _ = try book.add("c", try SourceURI("box://c"), values: [:], tokens: old, clientSecret: nil)
        try book.renew("c", new.tokens, clientSecret: "first")
        #expect(try book.login(of: "c").clientSecret == "first" && book.login(of: "c").tokens == new.tokens)
        #expect(throws: PluginError.self) { try book.checkNew("a", address) }
        #expect(throws: PluginError.self) { try book.renew("b", new.tokens) }
    }
}
