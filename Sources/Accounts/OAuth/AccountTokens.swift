import Dispatch
import Synchronization
public import VitrineKit

/// The tokens of one account, renewed when they end or are refused. All sources of an account in a process share one.
///
/// A refresh token may serve once only: whoever renews holds a lock against other processes, looks whether another one
/// has done it already, and keeps the new tokens before anybody gets them.
public final class AccountTokens: AccessTokens {
    private let book: AccountBook
    private let account: String
    private let service: OAuthService
    private let known = Mutex<TokenSet?>(nil)
    private let renewing = SharedWork<String, TokenSet>()

    /// - Parameters:
    ///   - account: one that somebody logged in for.
    ///   - service: where tokens are renewed.
    ///   - book: where they are kept.
    public init(of account: String, from service: OAuthService, in book: AccountBook) {
        self.account = account
        self.service = service
        self.book = book
    }

    /// A token that should be good for another minute.
    public func current() async throws(PluginError) -> String {
        if let tokens = known.withLock({ $0 }), tokens.isFresh() { return tokens.access }
        return try await renew(insteadOf: "")
    }

    /// A token instead of one that was refused.
    public func renewed(insteadOf token: String) async throws(PluginError) -> String {
        if let tokens = known.withLock({ $0 }), tokens.isFresh(), tokens.access != token { return tokens.access }
        return try await renew(insteadOf: token)
    }

    private func renew(insteadOf refused: String) async throws(PluginError) -> String {
        let tokens = try await renewing.value(for: refused) { () throws(PluginError) in
            try await self.renewAlone(insteadOf: refused)
        }
        known.withLock { $0 = tokens }
        return tokens.access
    }

    /// What happens under the lock. It ends by itself, also when nobody waits for it any more: a token that was given out
    /// and not kept would be lost, and the account with it.
    private func renewAlone(insteadOf refused: String) async throws(PluginError) -> TokenSet {
        let work = Task { () -> Result<TokenSet, PluginError> in
            do throws(PluginError) {
                let lock = try await self.aside { () throws(PluginError) in try self.book.lockLogin(of: self.account) }
                defer { withExtendedLifetime(lock) {} }
                let kept = try await self.aside { () throws(PluginError) in try self.book.login(of: self.account) }
                if kept.tokens.isFresh(), kept.tokens.access != refused { return .success(kept.tokens) }
                let new = try await self.ask(kept)
                try await self.aside { () throws(PluginError) in try self.book.keep(new, of: self.account) }
                return .success(new)
            } catch { return .failure(error) }
        }
        return try await work.value.get()
    }

    private func ask(_ kept: (tokens: TokenSet, clientSecret: String?)) async throws(PluginError) -> TokenSet {
        let doing = "cannot renew the log-in of account '\(account)'"
        let again = "; 'vitrine account login \(account)' logs in anew"
        guard let refresh = kept.tokens.refresh else {
            throw PluginError(.unauthorized, "the log-in of account '\(account)' has ended" + again)
        }
        let endpoint = OAuthEndpoint(service: service, clientSecret: kept.clientSecret)
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
        let answer = try await endpoint.post(form, to: service.token, doing)
        guard answer.status == 200 else {
            var error = endpoint.failure(answer, doing)
            if error.code == .unauthorized { error.message += again }
            throw error
        }
        guard let tokens = answer.json?.tokens(replacing: refresh) else {
            throw PluginError(.io, "\(doing): the answer of \(service.name) makes no sense: it holds no token")
        }
        return tokens
    }

    private func aside<T: Sendable>(
        _ work: @escaping @Sendable () throws(PluginError) -> T
    ) async throws(PluginError) -> T {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<T, PluginError>, Never>) in
            DispatchQueue(label: "vitrine.tokens").async {
                do throws(PluginError) { continuation.resume(returning: .success(try work())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }.get()
    }
}

extension OAuthService {
    /// Asks the service to take tokens back (RFC 7009): the one that renews them, and with it all that it gave.
    /// - Parameter clientSecret: of the program.
    /// - Throws: when it does not; `unsupported` when it has no address for that.
    public func revoke(_ tokens: TokenSet, clientSecret: String?) async throws(PluginError) {
        guard let revocation else {
            throw PluginError(.unsupported, "\(name) has no way to take tokens back; its own pages end the log-in")
        }
        let doing = "\(name) still knows the log-in"
        let endpoint = OAuthEndpoint(service: self, clientSecret: clientSecret)
        let form = [
            ("token", tokens.refresh ?? tokens.access),
            ("token_type_hint", tokens.refresh == nil ? "access_token" : "refresh_token"),
        ]
        let answer = try await endpoint.post(form, to: revocation, doing)
        guard 200..<300 ~= answer.status else { throw endpoint.failure(answer, doing) }
    }
}
