import Transfer
import VitrineKit
import XML

/// What a server says in the body of a failure: "Error Responses" of the Amazon S3 API Reference.
struct S3Error {
    private(set) var code = ""
    /// Where the bucket lies, of answers that say so.
    private var region = ""

    /// - Returns: `nil` when the body says nothing of the kind.
    init?(_ body: [UInt8]) {
        let reader = XMLReader("an error of S3")
        var open: [String] = []
        // What was cut off does not matter: the code stands first.
        guard let events = try? reader.events(from: body, isLast: false) else { return nil }
        for event in events {
            switch event {
            case .start(let name, _): open.append(name.local)
            case .text(let text):
                if open == ["Error", "Code"] { code = text }
                if open == ["Error", "Region"] { region = text }
            case .end: open.removeLast()
            }
        }
        guard !code.isEmpty else { return nil }
    }

    /// - Parameter head: of the answer whose body it is.
    /// - Returns: `nil` when the status says it as well.
    func error(_ purpose: String, bucket: String, head: ResponseHead) -> PluginError? {
        let (kind, reason): (PluginError.Code, String)
        switch code {
        case "NoSuchBucket": (kind, reason) = (.notFound, "there is no bucket '\(bucket)'")
        case "InvalidAccessKeyId": (kind, reason) = (.unauthorized, "the server does not know the access key")
        case "SignatureDoesNotMatch": (kind, reason) = (.unauthorized, "the secret key is wrong")
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
            (kind, reason) = (.unauthorized, "the session token has expired: log in again")
        case "RequestTimeTooSkewed": (kind, reason) = (.unauthorized, "the clock of this machine is wrong")
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed":
            let right = [region, head.value("x-amz-bucket-region") ?? ""].first(where: Self.isRegion) ?? ""
            (kind, reason) = (
                .invalidArgument,
                right.isEmpty
                    ? "the bucket '\(bucket)' lies in another region: name it with 'region='"
                    : "the bucket '\(bucket)' lies in another region: write 'region=\(right)' behind the '?' "
                        + "of the source, or into its settings"
            )
        case "InvalidObjectState":
            (kind, reason) = (.forbidden, "the object lies in an archive and must be restored first")
        default: return nil
        }
        return PluginError(kind, "\(purpose): \(reason) (status \(head.status), \(DisplayText.of(code)))")
    }

    /// Whether people can be told to write a text of the server's as a region: it has small letters, digits and dashes.
    private static func isRegion(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    }
}
