import Arguments
import PluginHost
import Vitrine
import VitrineKit

/// `vitrine account`
enum AccountCommand: Command {
    static let name = "account"
    static let summary = "Keep what servers want to know before they let Vitrine in."
    static let usage = "[list] | add NAME URI [OPTIONS] | login NAME [OPTIONS] | remove NAME"
    static let details = """
        An account serves every source at its URI and below; the longest URI that fits counts. Secrets are asked for, or
        read from standard input, a line for each, in the order of --secret; they are never taken from the command line.
        They go into the keyring of your desktop, or, where there is none, into a file that only you can read. Where a
        service logs people in by itself, as Box does, you are told which page to open; 'login' does that again. Of any
        other account 'login' asks for the secrets anew, in the order in which 'list' shows them: for a password that was
        changed. Removing an account ends a log-in, and forgets what was listed and read with it.
        """
    static let options = [
        OptionSpecification(
            "--user", short: "-u", value: "NAME",
            "With add and login: the name of the user there, whose password is asked for."),
        OptionSpecification(
            "--set", value: "KEY=VALUE",
            "With add and login: a setting of the backend, such as region=eu-central-1; may be given several times."),
        OptionSpecification(
            "--secret", value: "KEY",
            "With add: a secret setting that is asked for: password, token, secret-key …; may be given several times."),
        OptionSpecification(
            "--login", value: "HOW", choices: .words(["browser", "code"]),
            "With add and login: in a browser of this machine (browser), or on any by a code (code). Default: what the "
                + "service can, a code before a browser."),
        OptionSpecification("--previews", "With remove: delete the previews of what lies there, too."),
        JSONOption.lines,
    ]

    static func choices(of operand: String, after action: String?) -> ValueChoices {
        operand == "NAME" && action != "add" ? .accounts : commonChoices(of: operand)
    }

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        guard let book = AccountBook(environment: PluginSearchPath.environment) else {
            throw PluginError(.notFound, "there is no place for accounts: HOME is not set")
        }
        let operands = arguments.operands.dropFirst()
        let word = arguments.operands.first.map { String(decoding: $0, as: UTF8.self) } ?? "list"
        let allowed: [String: Set<String>] = [
            "add": ["--user", "--set", "--secret", "--login"], "list": [JSONOption.name],
            "login": ["--user", "--set", "--login"], "remove": ["--previews"],
        ]
        try LibraryContext.check(arguments, options, allowed: allowed[word] ?? [], word: word)
        do throws(PluginError) { try await run(word, operands, book, arguments) } catch {
            guard error.code == .cancelled else { throw error }
            Console.error("vitrine account: \(error.message); nothing was kept")
            return ExitCode.interrupted
        }
        return ExitCode.done
    }

    private static func run(
        _ word: String, _ operands: ArraySlice<[UInt8]>, _ book: AccountBook, _ arguments: ParsedArguments
    ) async throws(PluginError) {
        switch (word, operands.count) {
        case ("list", 0): try list(book, json: JSONOption.isGiven(arguments))
        case ("add", 2):
            try await add(try LibraryContext.text(operands[1]), try LibraryContext.text(operands[2]), book, arguments)
        case ("login", 1): try await logIn(try LibraryContext.text(operands[1]), book, arguments)
        case ("remove", 1):
            try await remove(
                try LibraryContext.text(operands[1]), book, keepsPreviews: !arguments.has("--previews"))
        default:
            throw Action.wrongUsage(
                word, of: name, among: ["list", "add", "login", "remove"],
                "write 'list', 'add NAME URI', 'login NAME' or 'remove NAME'")
        }
    }

    /// What may help who was not let in; `nil` for another error, and where a service says by itself what to do.
    /// - Parameter uri: what could not be read.
    static func hint(of error: PluginError, at uri: String) -> String? {
        guard error.code == .unauthorized, let source = try? SourceURI(uri),
            let book = AccountBook(environment: PluginSearchPath.environment)
        else { return nil }
        do throws(PluginError) {
            if let account = try book.account(for: source) {
                guard !account.hasLogin, !account.secrets.isEmpty else { return nil }
                // One that cannot be had, as from a keyring that is locked, is no wrong one; that says by itself what to do.
                _ = try book.values(for: source)
                return
                    "'vitrine account login \(account.name)' asks for another \(account.secrets.joined(separator: " and "))"
            }
        } catch { return nil }
        return
            "'vitrine account add NAME URI --user USER' says who asks there, and keeps the password; --set and --secret "
            + "are for what else a server wants to know"
    }

    private static func add(
        _ name: String, _ uri: String, _ book: AccountBook, _ arguments: ParsedArguments
    ) async throws(PluginError) {
        let address = try SourceURI(uri)
        let plugins = PluginDirectory(scanning: .standard(), settings: try CommandContext.settings())
        try plugins.check(schemeOf: address)
        try book.checkNew(name, address)
        let values = try values(arguments)
        var wanted: [String] = []
        for bytes in arguments.all("--secret") { wanted.append(try LibraryContext.text(bytes)) }
        if wanted.isEmpty, values["user"] != nil { wanted = ["password"] }
        // The engine itself opens archives, as whoever may read them where they lie.
        guard let manifest = BackendFactory(plugins).plugin(for: address.scheme)?.manifest else {
            throw PluginError(
                .invalidArgument,
                "nobody logs in to '\(address.scheme):'; add an account for the storage that the archive lies on")
        }
        for key in values.keys.sorted() + wanted { try check(key, of: manifest) }
        // Who gives a token or a password of his own need not log in.
        let others = wanted.filter { $0 != "client-secret" }
        if others.isEmpty, let service = try service(of: address, values) {
            try await add(name, address, values, service, book, how: arguments.text("--login"))
            return
        }
        guard !arguments.has("--login") else { throw noLogin(address, givesSecret: !others.isEmpty) }
        var secrets: [String: String] = [:]
        for key in wanted {
            try Account.check(key: key)
            secrets[key] = try ask(key, for: address.text)
        }
        let account = try book.add(name, address, values: values, secrets: secrets)
        Console.print("'\(account.name)' is \(DisplayText.of(account.address.text))\(place(account))")
    }

    /// Refuses a setting that a backend would never read: most are slips of the pen.
    static func check(_ key: String, of manifest: PluginManifest) throws(PluginError) {
        try Account.check(key: key)
        guard let known = manifest.knownSettings, !known.contains(key) else { return }
        throw PluginError(
            .invalidArgument,
            "'\(key)' is no setting of '\(manifest.id)'\(Spelling.guess(key, among: known)); "
                + (known.isEmpty ? "it has none" : "there are \(known.joined(separator: ", "))"))
    }

    /// The settings of the command line that are no secrets.
    static func values(_ arguments: ParsedArguments) throws(PluginError) -> [String: String] {
        var values: [String: String] = [:]
        for bytes in arguments.all("--set") {
            let text = try LibraryContext.text(bytes)
            guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
                throw PluginError(.invalidArgument, "'\(DisplayText.of(text))' is no setting: write KEY=VALUE")
            }
            let key = String(text[..<mark])
            guard !Account.secretKeys.contains(key) else {
                throw PluginError(
                    .invalidArgument,
                    "'\(key)' does not belong on a command line, which others can see: write --secret \(key)")
            }
            values[key] = String(text[text.index(after: mark)...])
        }
        if let user = arguments.text("--user") { values["user"] = user }
        return values
    }

    /// Asks for a secret.
    static func ask(_ key: String, for whom: String) throws(PluginError) -> String {
        guard let secret = SecretPrompt.ask("\(key) for \(DisplayText.of(whom)): "), !secret.isEmpty else {
            throw PluginError(.invalidArgument, "no \(key) was given")
        }
        return secret
    }

    /// Where an account's secrets are, as the end of a sentence.
    static func place(_ account: Account) -> String {
        if account.secrets.isEmpty { return "; it has no secrets" }
        switch account.place {
        case .secretService: return "; its secrets are in your keyring"
        case .file: return "; its secrets are in a file that only you can read, since no keyring answers"
        }
    }

    private struct Line: Encodable {
        var name: String
        var uri: String
        var settings: [String: String]
        var secrets: [String]
        var secretsIn: String
    }

    private static func list(_ book: AccountBook, json: Bool) throws(PluginError) {
        let accounts = try book.accounts()
        if json {
            for account in accounts {
                try JSONText.show(
                    Line(
                        name: account.name, uri: account.address.text, settings: account.values,
                        secrets: account.secrets, secretsIn: account.place.rawValue))
            }
            return
        }
        if accounts.isEmpty {
            Console.error("there is no account; 'vitrine account add NAME URI' adds one")
            return
        }
        Table.show(
            [["name", "uri", "settings", "secrets"]]
                + accounts.map { account in
                    let settings = account.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                    let secrets = account.secrets.joined(separator: ", ")
                    return [
                        account.name, DisplayText.of(account.address.text),
                        DisplayText.of(settings.joined(separator: " ")),
                        secrets.isEmpty ? "none" : "\(secrets) (\(account.place.rawValue))",
                    ]
                })
    }

    private static func remove(_ name: String, _ book: AccountBook, keepsPreviews: Bool) async throws(PluginError) {
        let account = try book.account(named: name)
        let pipeline = try CommandContext.pipeline()
        // Once no run is at work: the secrets first, so that nobody is let in with them any more, and the account last, so
        // that whoever is interrupted can remove it again. The service is told when nothing is left to be lost.
        var login: Result<AccountLogin, PluginError>?
        let result = try await pipeline.logOut(account, keepsPreviews: keepsPreviews) { () throws(PluginError) in
            login = try book.removeSecrets(of: name)
        }
        _ = try book.remove(name)
        await pipeline.end()
        for notice in result.notices { Console.error("vitrine: \(DisplayText.of(notice))") }
        Console.print("Account '\(account.name)' and its secrets are forgotten, and what was listed and read with it.")
        if !keepsPreviews {
            let count = result.previews == 1 ? "1 preview was" : "\(result.previews) previews were"
            Console.print("\(count) deleted (\(Quantity.bytes(result.bytes))).")
        }
        if let revoked = await revoke(ended(login, of: account)) { Console.print(revoked) }
    }
}
