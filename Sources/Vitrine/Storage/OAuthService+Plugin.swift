public import Accounts
public import PluginHost
public import VitrineKit

extension OAuthService {
    /// Where a backend's service logs people in, as its manifest says and an account's settings change it.
    /// - Returns: `nil` when the backend knows no such log-in.
    /// - Throws: `invalidArgument` for settings that make no sense.
    public init?(_ manifest: PluginManifest, _ values: [String: String]) throws(PluginError) {
        guard let oauth = manifest.oauth else { return nil }
        let declared = OAuthService(
            name: manifest.name, authorization: oauth.authorization, token: oauth.token, device: oauth.device,
            revocation: oauth.revocation, scopes: oauth.scopes, clientID: oauth.clientID,
            needsSecret: oauth.needsSecret,
            redirectPort: oauth.redirectPort)
        self = try declared.changed(by: values)
    }
}

extension PluginManifest {
    /// The settings that an account for this backend may have; `nil` when nobody knows them.
    public var knownSettings: [String]? {
        settings.map { Set($0).union(oauth == nil ? [] : OAuthService.settings).sorted() }
    }
}
