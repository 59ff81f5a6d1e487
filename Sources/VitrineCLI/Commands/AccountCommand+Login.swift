import PluginHost
import Vitrine
import VitrineKit

// Services that log people in by themselves (OAuth 2).
extension AccountCommand {
    /// Where an account's service logs people in; `nil` when its plugin knows no such log-in.
    static func service(
        of address: SourceURI, _ values: [String: String]
    ) throws(PluginError) -> OAuthService? {
        guard let manifest = try manifest(for: address) else { return nil }
        return try OAuthService(manifest, values)
    }

    /// Why `--login` makes no sense.
    static func noLogin(_ address: SourceURI, givesSecret: Bool) -> PluginError {
        PluginError(
            .invalidArgument,
            givesSecret
                ? "--login makes no sense beside a secret that lets you in without it"
                : "'\(DisplayText.of(address.scheme)):' knows no log-in in a browser; give --user or --secret")
    }

    /// Logs in, and keeps the account.
    static func add(
        _ name: String, _ address: SourceURI, _ values: [String: String], _ service: OAuthService, _ book: AccountBook,
        how: String?
    ) async throws(PluginError) {
        // Before anybody is asked for anything, or sent anywhere.
        for key in values.keys { try Account.check(key: key) }
        try OAuthLogin.check(service)
        let byCode = try isByCode(how, service)
        let secret = service.needsSecret ? try ask("client-secret", for: service.name) : nil
        let tokens = try await wait(for: try OAuthLogin(service, clientSecret: secret), byCode: byCode)
        let account: Account
        do throws(PluginError) {
            account = try book.add(name, address, values: values, tokens: tokens, clientSecret: secret)
        } catch {
            // Nobody keeps these tokens.
            _ = await revoke(.success(EndedLogin(service: service, tokens: tokens, secret: secret)))
            throw error
        }
        Console.print("'\(account.name)' is \(DisplayText.of(account.address.text))\(place(account))")
    }

    /// Logs in again for an account that is there, or asks for its secrets anew.
    static func logIn(_ name: String, _ book: AccountBook, _ arguments: ParsedArguments) async throws(PluginError) {
        let account = try book.account(named: name)
        guard account.hasLogin else {
            try renew(account, book, arguments)
            return
        }
        let changed = ["--user", "--set"].first { arguments.has($0) }
        if let changed {
            throw PluginError(.invalidArgument, "\(changed) does not go with an account that a service logged in")
        }
        guard let service = try service(of: account.address, account.values) else {
            throw noLogin(account.address, givesSecret: false)
        }
        let byCode = try isByCode(arguments.text("--login"), service)
        // What was kept of the program is used again; it is asked for when it is damaged, or the service knows another one.
        let kept = (try? book.login(of: name))?.clientSecret
        var given = service.needsSecret && kept == nil ? try ask("client-secret", for: service.name) : nil
        let login = try OAuthLogin(service, clientSecret: given ?? kept)
        let tokens: TokenSet
        do throws(PluginError) { tokens = try await wait(for: login, byCode: byCode) } catch {
            guard login.wasProgramRefused, kept != nil else { throw error }
            Console.error("vitrine: \(error.message)")
            given = try ask("client-secret", for: service.name)
            tokens = try await wait(for: try OAuthLogin(service, clientSecret: given), byCode: byCode)
        }
        do throws(PluginError) { try book.renew(name, tokens, clientSecret: given) } catch {
            // Nobody keeps these tokens.
            _ = await revoke(.success(EndedLogin(service: service, tokens: tokens, secret: given ?? kept)))
            throw error
        }
        Console.print("'\(account.name)' is logged in anew\(place(account))")
    }

    /// Keeps other secrets, and settings that go with them, of an account whose storage logs nobody in.
    private static func renew(
        _ account: Account, _ book: AccountBook, _ arguments: ParsedArguments
    ) throws(PluginError) {
        guard !arguments.has("--login") else { throw noLogin(account.address, givesSecret: !account.secrets.isEmpty) }
        let values = try values(arguments)
        if let manifest = try manifest(for: account.address) {
            for key in values.keys.sorted() { try check(key, of: manifest) }
        }
        guard !account.secrets.isEmpty || !values.isEmpty else {
            throw PluginError(
                .invalidArgument, "account '\(account.name)' has no secrets to ask for; --set gives it other settings")
        }
        if let key = values.keys.first(where: account.secrets.contains) {
            throw PluginError(
                .invalidArgument,
                "'\(key)' is a secret of '\(account.name)': it is asked for, and not taken from the command line")
        }
        var secrets: [String: String] = [:]
        for key in account.secrets { secrets[key] = try ask(key, for: account.address.text) }
        let renewed = try book.renew(account.name, values: values, secrets: secrets)
        Console.print("'\(renewed.name)' asks with that from now on\(place(renewed))")
    }

    /// The plugin that reads an account's storage; `nil` when there is none.
    static func manifest(for address: SourceURI) throws(PluginError) -> PluginManifest? {
        let plugins = PluginDirectory(scanning: .standard(), settings: try CommandContext.settings())
        return BackendFactory(plugins).plugin(for: address.scheme)?.manifest
    }

    /// Whether `--login` means a code; without it a code comes first, since it works on any machine.
    private static func isByCode(_ how: String?, _ service: OAuthService) throws(PluginError) -> Bool {
        switch how {
        case nil: return service.device != nil
        case "code"?: return true
        case "browser"?: return false
        default: throw PluginError(.invalidArgument, "--login is one of browser and code")
        }
    }

    /// Shows what there is to do, and waits. Ctrl-C ends it.
    private static func wait(for login: OAuthLogin, byCode: Bool) async throws(PluginError) -> TokenSet {
        let work = InterruptibleWork { () -> Result<TokenSet, PluginError> in
            do throws(PluginError) {
                return .success(try await byCode ? login.byCode(show) : login.byBrowser(show))
            } catch { return .failure(error) }
        }
        let result = await work.value
        return try result.get()
    }

    /// On the error stream: what is printed as a result is for programs, too.
    private static func show(_ step: OAuthLogin.Step) {
        switch step {
        case .open(let address):
            Console.error("Open this address in a browser of this machine, and agree there:\n\n    \(address)\n")
        case .write(let code, let address):
            Console.error(
                "Open this address in any browser:\n\n    \(DisplayText.of(address))\n\nand write this code there:\n\n"
                    + "    \(DisplayText.of(code))\n")
        }
        Console.error("Waiting for it. Ctrl-C ends the wait.")
    }

    // MARK: Logging out

    /// A log-in that is to be ended, with what is needed to tell the service.
    struct EndedLogin {
        var service: OAuthService
        var tokens: TokenSet
        var secret: String?
    }

    /// A log-in that was an account's, with the service that is to be told.
    /// - Returns: `nil` when it had none; a failure when there is no way to tell the service.
    static func ended(
        _ login: Result<AccountLogin, PluginError>?, of account: Account
    ) -> Result<EndedLogin, PluginError>? {
        guard let login else { return nil }
        do throws(PluginError) {
            guard let service = try service(of: account.address, account.values) else {
                throw PluginError(.pluginUnavailable, "its plugin does not know log-ins any more")
            }
            let login = try login.get()
            return .success(EndedLogin(service: service, tokens: login.tokens, secret: login.clientSecret))
        } catch { return .failure(error) }
    }

    /// Tells the service that a log-in is over. What fails is said, and holds up nothing; Ctrl-C ends the wait.
    /// - Returns: a sentence when the service took its tokens back.
    static func revoke(_ login: Result<EndedLogin, PluginError>?) async -> String? {
        guard let login else { return nil }
        do throws(PluginError) {
            let login = try login.get()
            let work = InterruptibleWork { () -> PluginError? in
                do throws(PluginError) {
                    try await login.service.revoke(login.tokens, clientSecret: login.secret)
                    return nil
                } catch { return error }
            }
            let failure = await work.value
            if let failure { throw failure }
            return "\(login.service.name) took its tokens back."
        } catch {
            Console.error(
                "vitrine: the service was not told to forget the log-in: \(DisplayText.of(error.message)). Its own pages "
                    + "can end it.")
            return nil
        }
    }
}
