/// The access tokens of a log-in with OAuth 2 (RFC 6749), which last for an hour or so and are then replaced.
///
/// The engine makes it for a backend whose manifest says where its service logs people in (`oauth`). It keeps the tokens,
/// has them renewed, and keeps other processes from doing so at the same time; a backend only sends them. May be used from
/// many tasks at once.
public protocol AccessTokens: Sendable {
    /// A token that should be good; a new one when the last one is about to expire.
    /// - Throws: `unauthorized` when somebody has to log in again, `offline` and the like when it cannot be renewed now.
    func current() async throws(PluginError) -> String

    /// A token instead of one that the service has refused. Who asks with a token that was replaced meanwhile gets the new
    /// one without a further request.
    /// - Parameter token: what was refused.
    /// - Throws: as ``current()`` does.
    func renewed(insteadOf token: String) async throws(PluginError) -> String
}
