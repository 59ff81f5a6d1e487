import CGIO
public import VitrineKit

/// Logs somebody in to a service, once, with the help of a browser: on this machine or, by a code, on another one.
///
/// Nothing is kept: who gets the tokens keeps them (``AccountBook``).
public struct OAuthLogin: Sendable {
    /// What somebody has to do in a browser.
    public enum Step: Hashable, Sendable {
        /// Open an address on this machine.
        case open(address: String)
        /// Open an address on any machine, and write a code there.
        case write(code: String, address: String)
    }

    private let endpoint: OAuthEndpoint
    private let pause: @Sendable (Duration) async throws -> Void
    private var service: OAuthService { endpoint.service }

    /// Whether the service has said that it does not know the program, or not its secret.
    public var wasProgramRefused: Bool { endpoint.refusedProgram.isSet }

    /// How long somebody may take.
    private static let patience = Duration.seconds(900)

    /// Prepares a log-in.
    /// - Parameters:
    ///   - service: where; with a client id.
    ///   - clientSecret: of the program. Default: none.
    ///   - pause: waits. Default: as long as it is told to; tests have their own.
    /// - Throws: `invalidArgument` when the client id or the secret is missing.
    public init(
        _ service: OAuthService, clientSecret: String? = nil,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws(PluginError) {
        try Self.check(service)
        guard !service.needsSecret || clientSecret?.isEmpty == false else {
            throw PluginError(
                .invalidArgument, "\(service.name) wants the secret of the program: give its client-secret")
        }
        endpoint = OAuthEndpoint(service: service, clientSecret: clientSecret?.isEmpty == false ? clientSecret : nil)
        self.pause = pause
    }

    /// Checks that the service can be asked at all.
    /// - Throws: `invalidArgument` when nobody has said what it calls the program.
    public static func check(_ service: OAuthService) throws(PluginError) {
        guard service.clientID?.isEmpty != false else { return }
        let redirect =
            service.redirectPort > 0 && service.authorization != nil
            ? " with the redirect URI http://127.0.0.1:\(service.redirectPort)/" : ""
        throw PluginError(
            .invalidArgument,
            "\(service.name) wants to know which program asks: register one there\(redirect), and give its id with --set "
                + "client-id=ID; docs/accounts.md says more")
    }

    private var doing: String { "cannot log in to \(service.name)" }

    // MARK: By a code (RFC 8628)

    /// Shows a code that somebody writes on a page of the service, and waits until that is done.
    /// - Throws: `unauthorized` when it was not allowed or took too long, `cancelled`.
    public func byCode(_ show: @Sendable (Step) -> Void) async throws(PluginError) -> TokenSet {
        guard let address = service.device else {
            throw PluginError(.invalidArgument, "\(doing): it knows no log-in by a code; use --login browser")
        }
        let begin = try await endpoint.post(scopes, to: address, doing)
        guard begin.status == 200 else { throw endpoint.failure(begin, doing) }
        guard let answer = begin.json, let code = answer.deviceCode, let shown = answer.userCode,
            let page = answer.verificationURI, 1...64 ~= shown.utf8.count, 1...2048 ~= code.utf8.count
        else { throw senseless("it holds no code, or one that is none") }
        try OAuthService.check(page)
        show(.write(code: shown, address: page))
        // The bounds are ours: a service may neither be asked in a hurry nor for ever.
        var interval = Duration.seconds(min(max(answer.interval?.value ?? 5, 1), 60))
        let patience = min(Self.patience, .seconds(answer.expiresIn?.value ?? 900))
        var waited = Duration.zero
        while waited < patience {
            try await wait(interval)
            waited += interval
            let form = [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code)]
            let polled: OAuthEndpoint.Answer
            do throws(PluginError) { polled = try await endpoint.post(form, to: service.token, doing) } catch {
                // A network that is away for a moment does not end it (section 3.5).
                guard error.code == .offline else { throw error }
                interval = min(interval * 2, .seconds(60))
                continue
            }
            if polled.status == 200 { return try tokens(polled) }
            switch polled.json?.error {
            case "authorization_pending"?: continue
            case "slow_down"?: interval += .seconds(5)
            default: throw endpoint.failure(polled, doing)
            }
        }
        throw PluginError(.unauthorized, "\(doing): nobody wrote the code in time; begin again")
    }

    // MARK: By a browser of this machine (RFC 8252)

    /// Shows an address that somebody opens in a browser of this machine, and waits until the service sends that back here.
    /// - Throws: `unauthorized` when it was not allowed or took too long, `io` when the port is taken, `cancelled`.
    public func byBrowser(_ show: @Sendable (Step) -> Void) async throws(PluginError) -> TokenSet {
        guard let address = service.authorization else {
            throw PluginError(.invalidArgument, "\(doing): it knows no log-in by a browser; use --login code")
        }
        let redirect = try LoopbackRedirect(port: service.redirectPort)
        // RFC 7636: only who began can end it, with 256 bits that nobody else has seen.
        let verifier = Self.random()
        let state = Self.random()
        var query = [
            ("response_type", "code"), ("client_id", service.clientID ?? ""), ("redirect_uri", redirect.address),
            ("state", state), ("code_challenge", Self.challenge(verifier)), ("code_challenge_method", "S256"),
        ]
        query += scopes
        show(.open(address: address + (address.contains("?") ? "&" : "?") + FormEncoding.encode(query)))
        let answer = try await redirect.answer(state: state, service.name, patience: Self.patience)
        guard let code = answer["code"], answer["error"] == nil else {
            let error = OAuthEndpoint.Answer(
                address: address, status: 400, body: [], json: .init(error: answer["error"] ?? "no code came"))
            throw endpoint.failure(error, doing)
        }
        let form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect.address),
            ("code_verifier", verifier),
        ]
        let exchanged = try await endpoint.post(form, to: service.token, doing)
        guard exchanged.status == 200 else { throw endpoint.failure(exchanged, doing) }
        return try tokens(exchanged)
    }

    private var scopes: [(String, String)] {
        service.scopes.isEmpty ? [] : [("scope", service.scopes.joined(separator: " "))]
    }

    private func tokens(_ answer: OAuthEndpoint.Answer) throws(PluginError) -> TokenSet {
        guard let tokens = answer.json?.tokens() else { throw senseless("it holds no token, or one that is none") }
        return tokens
    }

    private func senseless(_ why: String) -> PluginError {
        PluginError(.io, "\(doing): its answer makes no sense: \(why)")
    }

    private func wait(_ time: Duration) async throws(PluginError) {
        do { try await pause(time) } catch { throw PluginError(.cancelled, "\(doing): somebody asked to stop") }
        guard !Task.isCancelled else { throw PluginError(.cancelled, "\(doing): somebody asked to stop") }
    }

    // MARK: Proof of who began (RFC 7636)

    /// 256 bits that nobody can guess, as 43 letters.
    static func random() -> String {
        // On Linux these are the kernel's.
        var random = SystemRandomNumberGenerator()
        return base64URL((0..<32).map { _ in UInt8.random(in: 0 ... .max, using: &random) })
    }

    /// The challenge of a verifier: its SHA-256 (RFC 7636, section 4.2).
    static func challenge(_ verifier: String) -> String {
        let checksum = g_checksum_new(G_CHECKSUM_SHA256)
        defer { g_checksum_free(checksum) }
        let bytes = Array(verifier.utf8)
        g_checksum_update(checksum, bytes, gssize(bytes.count))
        var digest = [UInt8](repeating: 0, count: 32)
        var length = gsize(digest.count)
        g_checksum_get_digest(checksum, &digest, &length)
        return base64URL(digest)
    }

    /// With the letters of addresses, and without padding (RFC 4648, section 5).
    private static func base64URL(_ bytes: [UInt8]) -> String {
        String(Base64.text(bytes).prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
}
