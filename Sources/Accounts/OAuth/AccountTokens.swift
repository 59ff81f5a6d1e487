import Dispatch
import Synchronization
public import VitrineKit

/// The tokens of one account, renewed when they end or are refused. All sources of an account in a process share one.
///
/// A refresh token may serve once only: whoever renews holds a lock against other processes, looks whether another one
/// has done it already, and keeps the new tokens before anybody gets them. Tokens that cannot be kept, since a disk is full
/// or a keyring locked, are used all the same: the old ones may be dead already. They are kept as soon as that works.
public final class AccountTokens: AccessTokens {
    private let book: AccountBook
    private let account: String
    private let service: OAuthService
    private let known = Mutex<TokenSet?>(nil)
    private let renewing = SharedWork<String, TokenSet>()
    private let unwritten = Mutex<Unwritten?>(nil)
    private let writesAgainAfter: Duration

    /// Tokens that could not be kept.
    private struct Unwritten {
        var tokens: TokenSet
        /// What is kept instead. Once that is anything else, somebody logged in anew or out.
        var replaced: TokenSet
        var nextAttempt: ContinuousClock.Instant
    }

    /// - Parameters:
    ///   - account: one that somebody logged in for.
    ///   - service: where tokens are renewed.
    ///   - book: where they are kept.
    ///   - writesAgainAfter: how long tokens that could not be kept wait for the next attempt. Default: 10 s.
    public init(
        of account: String, from service: OAuthService, in book: AccountBook,
        writesAgainAfter: Duration = .seconds(10)
    ) {
        self.writesAgainAfter = writesAgainAfter
        self.account = account
        self.service = service
        self.book = book
    }

    /// A token that should be good for another minute.
    public func current() async throws(PluginError) -> String {
        let isDue = unwritten.withLock { $0.map { $0.nextAttempt <= .now } ?? false }
        if !isDue, let tokens = known.withLock({ $0 }), tokens.isFresh() { return tokens.access }
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
                var login = kept
                login.tokens = try await self.written(over: kept.tokens)
                if login.tokens.isFresh(), login.tokens.access != refused { return .success(login.tokens) }
                let new = try await self.ask(login)
                try await self.write(new, over: kept.tokens)
                return .success(new)
            } catch {
                // Who has good tokens need not be kept out by a keyring that is locked.
                guard error.code != .notFound, let tokens = self.postponed(), tokens.isFresh(), tokens.access != refused
                else { return .failure(error) }
                return .success(tokens)
            }
        }
        return try await work.value.get()
    }

    /// The tokens that count: those that are kept, or those that could not be, for which it is tried again.
    private func written(over kept: TokenSet) async throws(PluginError) -> TokenSet {
        guard let tokens = unwritten.withLock({ $0?.replaced == kept ? $0?.tokens : nil }) else {
            unwritten.withLock { $0 = nil }
            return kept
        }
        try await write(tokens, over: kept)
        return tokens
    }

    /// Keeps tokens, or remembers that they are not kept yet.
    /// - Throws: `notFound` when the account is gone: nobody is to use them.
    private func write(_ tokens: TokenSet, over kept: TokenSet) async throws(PluginError) {
        do throws(PluginError) {
            try await aside { () throws(PluginError) in try self.book.keep(tokens, of: self.account) }
            unwritten.withLock { $0 = nil }
        } catch {
            if error.code == .notFound { throw error }
            unwritten.withLock {
                $0 = Unwritten(tokens: tokens, replaced: kept, nextAttempt: .now + writesAgainAfter)
            }
        }
    }

    /// The tokens that are not kept, for which it is tried again later.
    private func postponed() -> TokenSet? {
        unwritten.withLock {
            $0?.nextAttempt = .now + writesAgainAfter
            return $0?.tokens
        }
    }

    private func ask(_ kept: AccountLogin) async throws(PluginError) -> TokenSet {
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
