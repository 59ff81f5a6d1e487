import BaseFolders
public import VitrineKit

/// The user's accounts: one file of what is no secret, and a keyring or a second file of what is.
///
/// A value that knows places only; each call reads the files. Calls block, for as long as a keyring asks its user: make
/// them away from Swift's own threads.
public struct AccountBook: Sendable {
    /// The file of accounts, `$XDG_CONFIG_HOME/vitrine/accounts`.
    public let path: String
    /// The file of secrets, `$XDG_DATA_HOME/vitrine/secrets`; there only when there is no keyring.
    public let secretsPath: String
    private let environment: [String: String]

    /// Finds the user's files, which need not be there.
    /// - Parameter environment: variables such as `XDG_CONFIG_HOME` and `HOME`.
    /// - Returns: `nil` when there is no place for them.
    public init?(environment: [String: String]) {
        let folders = BaseFolders(environment: environment)
        guard let config = folders.config, let data = folders.data else { return nil }
        path = config + "/vitrine/accounts"
        secretsPath = data + "/vitrine/secrets"
        self.environment = environment
    }

    static let ownKeys: Set<String> = ["uri", "secrets", "secrets-in"]

    /// All accounts, by name.
    /// - Throws: `forbidden` when others may read the file, `corrupt` when it is damaged.
    public func accounts() throws(PluginError) -> [Account] {
        var accounts: [Account] = []
        for (name, values) in try KeyFile(reading: path).groups {
            try Account.check(name: name)
            guard let uri = values["uri"] else {
                throw PluginError(
                    .corrupt, "'\(DisplayText.of(path))' is damaged: account '\(name)' has no uri; mend it")
            }
            accounts.append(
                Account(
                    name: name, address: try SourceURI(uri), values: values.filter { !Self.ownKeys.contains($0.key) },
                    secrets: (values["secrets"] ?? "").split(separator: ",").map(String.init),
                    place: values["secrets-in"].flatMap(Account.Place.init) ?? .file))
        }
        return accounts.sorted { $0.name < $1.name }
    }

    /// Keeps an account and its secrets.
    /// - Parameters:
    ///   - name: unique.
    ///   - address: its storage.
    ///   - values: settings that are no secrets.
    ///   - secrets: those that are, by name.
    /// - Returns: the account, which says where its secrets are.
    /// - Throws: `exists` for a name that is taken; `invalidArgument` for one that is none, for an address with a password in it,
    ///   and for a secret among the values; what the keyring or the files throw.
    public func add(
        _ name: String, _ address: SourceURI, values: [String: String], secrets: [String: String]
    ) throws(PluginError) -> Account {
        try Account.check(name: name)
        for key in Array(values.keys) + Array(secrets.keys) { try Account.check(key: key) }
        if let key = values.keys.first(where: Account.secretKeys.contains) {
            throw PluginError(.invalidArgument, "'\(key)' is a secret, and is not kept among the other settings")
        }
        try address.checkNoPassword()
        let isTaken = taken(name)
        // Before the keyring asks anybody for anything.
        if try KeyFile(reading: path)[name] != nil { throw isTaken }
        let place: Account.Place = SecretService.isAvailable(environment) ? .secretService : .file
        let account = Account(name: name, address: address, values: values, secrets: Array(secrets.keys), place: place)
        var group = values
        group["uri"] = address.text
        group["secrets"] = account.secrets.joined(separator: ",")
        group["secrets-in"] = place.rawValue
        // The name first: of two who want it, one must not overwrite the other's secrets.
        try reserve(name, group, isTaken)
        let store = store(of: account)
        do throws(PluginError) {
            for (key, secret) in secrets { try store.set(secret, for: key, of: name) }
        } catch {
            _ = try? remove(name)
            throw error
        }
        return account
    }

    func taken(_ name: String) -> PluginError {
        PluginError(
            .exists,
            "there is an account '\(name)' already: 'vitrine account login \(name)' asks for another password of it; or "
                + "take another name")
    }

    private func reserve(
        _ name: String, _ group: [String: String], _ isTaken: PluginError
    ) throws(PluginError) {
        let lock = try FileLock(beside: path)
        defer { withExtendedLifetime(lock) {} }
        var file = try KeyFile(reading: path)
        guard file[name] == nil else { throw isTaken }
        file[name] = group
        try file.write()
    }

    /// Keeps other settings and secrets of an account that is there, in place of those of the same names.
    /// - Parameters:
    ///   - values: settings that are no secrets. Those that are not named stay.
    ///   - secrets: those of the account, by name. Those that are not named stay.
    /// - Returns: the account as it is now.
    /// - Throws: `notFound` when there is no such account, `invalidArgument` for a secret that it has not, or one among the values;
    ///   what the keyring or the files throw.
    public func renew(
        _ name: String, values: [String: String], secrets: [String: String]
    ) throws(PluginError) -> Account {
        for key in values.keys { try Account.check(key: key) }
        let account = try account(named: name)
        if let key = values.keys.first(where: { Account.secretKeys.contains($0) || account.secrets.contains($0) }) {
            throw PluginError(.invalidArgument, "'\(key)' is a secret, and is not kept among the other settings")
        }
        if let key = secrets.keys.first(where: { !account.secrets.contains($0) }) {
            throw PluginError(.invalidArgument, "'\(key)' is no secret of account '\(name)'")
        }
        // Nobody removes the account meanwhile.
        let lock = try FileLock(beside: path)
        defer { withExtendedLifetime(lock) {} }
        var file = try KeyFile(reading: path)
        guard file[name] != nil else { return try self.account(named: name) }
        if !values.isEmpty {
            file[name]?.merge(values) { $1 }
            try file.write()
        }
        let store = store(of: account)
        for (key, secret) in secrets { try store.set(secret, for: key, of: name) }
        return try self.account(named: name)
    }

    /// Says in the file of accounts that an account has a secret, if it does not yet.
    func declare(_ key: String, of name: String) throws(PluginError) {
        let account = try account(named: name)
        if account.secrets.contains(key) { return }
        let lock = try FileLock(beside: path)
        defer { withExtendedLifetime(lock) {} }
        var file = try KeyFile(reading: path)
        file[name]?["secrets"] = (account.secrets + [key]).joined(separator: ",")
        try file.write()
    }

    /// Deletes the secrets of an account, which itself stays: for who has more to forget before ``remove(_:)``, and may be
    /// interrupted there. Does nothing to secrets that are gone.
    /// - Returns: the log-in that was among them, as it was at last, or why it could not be read; `nil` when nobody logged
    ///   in for the account.
    /// - Throws: `notFound` when there is no account; what the keyring or the files throw.
    public func removeSecrets(of name: String) throws(PluginError) -> Result<AccountLogin, PluginError>? {
        let account = try account(named: name)
        // Who renews the tokens just now must not bring them back.
        let lock = account.hasLogin ? try lockLogin(of: name) : nil
        defer { withExtendedLifetime(lock) {} }
        var login: Result<AccountLogin, PluginError>?
        if account.hasLogin {
            do throws(PluginError) { login = .success(try self.login(of: name)) } catch { login = .failure(error) }
        }
        let store = store(of: account)
        for key in account.secrets { try store.remove(key, of: name) }
        return login
    }

    /// Forgets an account and its secrets.
    /// - Returns: the account that was.
    /// - Throws: `notFound` when there is none; what the keyring or the files throw, and then it is still there.
    public func remove(_ name: String) throws(PluginError) -> Account {
        let account = try account(named: name)
        let login = account.hasLogin ? try lockLogin(of: name) : nil
        defer { withExtendedLifetime(login) {} }
        let store = store(of: account)
        for key in account.secrets { try store.remove(key, of: name) }
        if account.hasLogin { removeLock(of: name) }
        let lock = try FileLock(beside: path)
        defer { withExtendedLifetime(lock) {} }
        var file = try KeyFile(reading: path)
        file[name] = nil
        try file.write()
        return account
    }

    /// The account that serves a source.
    public func account(for source: SourceURI) throws(PluginError) -> Account? {
        try accounts().compactMap { account in account.coverage(of: source).map { ($0, account) } }
            .max { $0.0 < $1.0 }?.1
    }

    /// All that a backend is told for a source: the settings of its account, secrets included but for those of a log-in;
    /// nothing when it has none.
    /// - Throws: `unauthorized` when a secret is not there any more or the keyring stays locked.
    public func values(for source: SourceURI) throws(PluginError) -> [String: String] {
        guard let account = try account(for: source) else { return [:] }
        var values = account.values
        let store = store(of: account)
        for key in account.secrets where !(account.hasLogin && Self.loginKeys.contains(key)) {
            guard let secret = try store.secret(for: key, of: account.name) else {
                throw PluginError(
                    .unauthorized,
                    "the \(key) of account '\(account.name)' is not there any more; 'vitrine account login \(account.name)' "
                        + "asks for it"
                )
            }
            values[key] = secret
        }
        return values
    }

    func store(of account: Account) -> any SecretStore {
        switch account.place {
        case .secretService: SecretService()
        case .file: SecretFile(path: secretsPath)
        }
    }
}
