import VitrineKit

/// Where the service of a backend logs people in with OAuth 2, as `plugin.json` says it. The engine logs in and keeps the
/// tokens; the backend gets them as ``VitrineKit/AccessTokens``.
public struct OAuthDeclaration: Hashable, Sendable {
    /// The page on which people agree (RFC 6749, section 3.1). Default: none.
    public let authorization: String?
    /// Where tokens are given out (RFC 6749, section 3.2).
    public let token: String
    /// Where codes for people are given out (RFC 8628). Default: none.
    public let device: String?
    /// Where tokens are taken back (RFC 7009). Default: nowhere.
    public let revocation: String?
    /// What is asked for. Default: what the service gives by itself.
    public let scopes: [String]
    /// What the service calls the program. Default: the user says it.
    public let clientID: String?
    /// Whether the program needs a secret. Default: `false`.
    public let needsSecret: Bool
    /// The port of this machine that the browser comes back to; 0 is any. Default: 0.
    public let redirectPort: UInt16
}

extension OAuthDeclaration {
    enum Field: String, CaseIterable {
        case authorization, token, device, revocation, scopes, clientID, needsSecret, redirectPort
    }

    /// Takes it and checks every field.
    init(_ fields: ManifestObject<Field>) throws(ManifestFault) {
        func check(_ field: Field, _ holds: Bool, _ clause: String) throws(ManifestFault) {
            if !holds { throw fields.fault(field, clause) }
        }
        func address(_ field: Field) throws(ManifestFault) -> String? {
            guard let text = try fields.optionalText(field) else { return nil }
            let uri = try? SourceURI(text)
            let isHost = uri?.authority.map { !$0.isEmpty && !$0.contains("@") } ?? false
            let isPlain = text.utf8.count <= 2048 && text.utf8.allSatisfy { 0x21...0x7E ~= $0 } && !text.contains("#")
            try check(
                field, isPlain && isHost && uri?.scheme == "https",
                "'\(ManifestText.shown(text))' is no address such as https://host/path")
            return text
        }
        authorization = try address(.authorization)
        token = try address(.token) ?? ""
        try check(.token, !token.isEmpty, "it is missing")
        device = try address(.device)
        revocation = try address(.revocation)
        try check(.authorization, authorization != nil || device != nil, "there is neither this nor 'device'")
        scopes = try fields.optionalTexts(.scopes) ?? []
        let areScopes =
            scopes.count <= 64
            && scopes.allSatisfy { scope in
                1...256 ~= scope.utf8.count && scope.utf8.allSatisfy { 0x21...0x7E ~= $0 }
            }
        try check(.scopes, areScopes, "at most 64 words of 1 to 256 letters of ASCII are wanted")
        clientID = try fields.optionalText(.clientID)
        try check(
            .clientID, clientID.map { 1...256 ~= $0.utf8.count && ManifestText.isName($0) } ?? true,
            "it is no client id")
        needsSecret = try fields.boolean(.needsSecret, default: false)
        let port = try fields.wholeNumber(.redirectPort, default: 0)
        try check(.redirectPort, 0...65_535 ~= port, "\(port) is out of range; it may be 0 to 65535")
        redirectPort = UInt16(clamping: port)
    }
}
