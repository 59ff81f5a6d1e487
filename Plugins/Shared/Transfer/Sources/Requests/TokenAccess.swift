public import VitrineKit

/// Lets requests in with a bearer token (RFC 6750): one that the user logged in for, renewed once when it is refused, or one
/// that is given in the setting `token`.
///
/// The policy of the client that sends the requests names no credentials of its own.
public struct TokenAccess: Sendable {
    private let tokens: (any AccessTokens)?
    private let fixed: String?

    /// Takes what the source is told.
    /// - Throws: `unauthorized` when there is neither, `invalidArgument` for a token with a control character.
    public init(_ settings: BackendSettings, service: String) throws(PluginError) {
        tokens = settings.accessTokens
        fixed = tokens == nil ? settings.values["token"] : nil
        guard tokens != nil || fixed?.isEmpty == false else {
            throw PluginError(
                .unauthorized,
                "nobody is logged in to \(service): 'vitrine account add NAME URI' does that, see docs/accounts.md")
        }
        if let fixed { try Self.check(fixed) }
    }

    /// Sends a request with a token, and once more with a new one when that is refused.
    /// - Parameters:
    ///   - request: without a token.
    ///   - send: sends it.
    public func run<T>(
        _ request: TransferRequest, _ send: (TransferRequest) async throws(PluginError) -> T
    ) async throws(PluginError) -> T {
        guard let tokens else { return try await send(Self.sign(request, fixed ?? "")) }
        let token = try await tokens.current()
        do throws(PluginError) {
            return try await send(Self.sign(request, token))
        } catch {
            guard error.code == .unauthorized else { throw error }
            return try await send(Self.sign(request, try await tokens.renewed(insteadOf: token)))
        }
    }

    private static func sign(_ request: TransferRequest, _ token: String) throws(PluginError) -> TransferRequest {
        try check(token)
        var request = request
        request.set("Authorization", "Bearer \(token)")
        return request
    }

    private static func check(_ token: String) throws(PluginError) {
        guard token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw PluginError(.invalidArgument, "the access token holds what no header may: log in again")
        }
    }
}
