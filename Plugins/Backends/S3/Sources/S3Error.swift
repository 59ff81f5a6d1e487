import VitrineKit
import XML

/// What a server says in the body of a failure: "Error Responses" of the Amazon S3 API Reference.
struct S3Error {
    private(set) var code = ""

    /// - Returns: `nil` when the body says nothing of the kind.
    init?(_ body: [UInt8]) {
        let reader = XMLReader("an error of S3")
        var open: [String] = []
        // What was cut off does not matter: the code stands first.
        guard let events = try? reader.events(from: body, isLast: false) else { return nil }
        for event in events {
            switch event {
            case .start(let name, _): open.append(name.local)
            case .text(let text): if open == ["Error", "Code"] { code = text }
            case .end: open.removeLast()
            }
        }
        guard !code.isEmpty else { return nil }
    }

    /// - Returns: `nil` when the status says it as well.
    func error(_ purpose: String, bucket: String, status: Int) -> PluginError? {
        let (kind, reason): (PluginError.Code, String)
        switch code {
        case "NoSuchBucket": (kind, reason) = (.notFound, "there is no bucket '\(bucket)'")
        case "InvalidAccessKeyId": (kind, reason) = (.unauthorized, "the server does not know the access key")
        case "SignatureDoesNotMatch": (kind, reason) = (.unauthorized, "the secret key is wrong")
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
            (kind, reason) = (.unauthorized, "the session token has expired: log in again")
        case "RequestTimeTooSkewed": (kind, reason) = (.unauthorized, "the clock of this machine is wrong")
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed":
            (kind, reason) = (.invalidArgument, "the bucket '\(bucket)' lies in another region: name it with 'region='")
        case "InvalidObjectState":
            (kind, reason) = (.forbidden, "the object lies in an archive and must be restored first")
        default: return nil
        }
        return PluginError(kind, "\(purpose): \(reason) (status \(status), \(DisplayText.of(code)))")
    }
}
