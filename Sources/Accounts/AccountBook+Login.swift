import Glibc
public import VitrineKit

// Accounts for which somebody logged in with OAuth 2.
extension AccountBook {
    /// Secrets that no backend is told: what it needs of a log-in it gets as ``VitrineKit/AccessTokens``.
    static let loginKeys: Set<String> = [TokenSet.key, "client-secret"]

    /// Looks whether an account of that name could be added, before anybody is asked to log in for it.
    /// - Throws: what ``add(_:_:values:secrets:)`` would throw of the name and the address.
    public func checkNew(_ name: String, _ address: SourceURI) throws(PluginError) {
        try Account.check(name: name)
        try address.checkNoPassword()
        if try accounts().contains(where: { $0.name == name }) { throw taken(name) }
    }

    /// Keeps an account for which somebody logged in.
    /// - Parameters:
    ///   - tokens: what the service gave.
    ///   - clientSecret: of the program; `nil` where it needs none.
    /// - Returns: the account, which says where its secrets are.
    /// - Throws: as ``add(_:_:values:secrets:)`` does.
    public func add(
        _ name: String, _ address: SourceURI, values: [String: String], tokens: TokenSet, clientSecret: String?
    ) throws(PluginError) -> Account {
        var secrets = [TokenSet.key: tokens.kept]
        if let clientSecret, !clientSecret.isEmpty { secrets["client-secret"] = clientSecret }
        return try add(name, address, values: values, secrets: secrets)
    }

    /// Keeps the tokens of another log-in for an account that is there, in place of the old ones.
    /// - Parameter clientSecret: of the program, when it is another one now. Default: what is kept of it stays.
    /// - Throws: `notFound` when the account is gone, what the keyring or the files throw.
    public func renew(_ name: String, _ tokens: TokenSet, clientSecret: String? = nil) throws(PluginError) {
        let lock = try lockLogin(of: name)
        defer { withExtendedLifetime(lock) {} }
        if let clientSecret {
            try declare("client-secret", of: name)
            try store(of: try account(named: name)).set(clientSecret, for: "client-secret", of: name)
        }
        try keep(tokens, of: name)
    }

    /// The tokens and the program's secret of an account.
    /// - Throws: `unauthorized` when they are not there any more, or the keyring stays locked.
    public func login(of name: String) throws(PluginError) -> AccountLogin {
        let account = try account(named: name)
        let store = store(of: account)
        guard let tokens = try store.secret(for: TokenSet.key, of: name).flatMap(TokenSet.init(kept:)) else {
            throw PluginError(
                .unauthorized,
                "the log-in of account '\(name)' is not there any more; 'vitrine account login \(name)' logs in anew")
        }
        let isSecret = account.secrets.contains("client-secret")
        return AccountLogin(
            tokens: tokens, clientSecret: isSecret ? try store.secret(for: "client-secret", of: name) : nil)
    }

    /// Keeps other processes from renewing the tokens of an account, or removing it, as long as the lock is held. A minute
    /// is waited for it: whoever holds it waits for one answer of a server, and for the keyring, which may ask its user.
    func lockLogin(of name: String) throws(PluginError) -> FileLock {
        try FileLock(beside: loginPath(of: name), patience: 60)
    }

    /// Takes the lock's file away with the account.
    func removeLock(of name: String) { unlink(loginPath(of: name) + ".lock") }

    /// Keeps new tokens. Called under the lock, so that nobody brings back what was removed.
    func keep(_ tokens: TokenSet, of name: String) throws(PluginError) {
        try store(of: try account(named: name)).set(tokens.kept, for: TokenSet.key, of: name)
    }

    /// An account by its name.
    /// - Throws: `notFound` when there is none.
    public func account(named name: String) throws(PluginError) -> Account {
        guard let account = try accounts().first(where: { $0.name == name }) else {
            throw PluginError(
                .notFound, "there is no account '\(DisplayText.of(name))'; 'vitrine account list' names those there are"
            )
        }
        return account
    }

    private func loginPath(of name: String) -> String {
        secretsPath[..<(secretsPath.lastIndex(of: "/") ?? secretsPath.startIndex)] + "/login-\(name)"
    }
}

extension Account {
    /// Whether somebody logged in for it with OAuth 2.
    public var hasLogin: Bool { secrets.contains(TokenSet.key) }
}
