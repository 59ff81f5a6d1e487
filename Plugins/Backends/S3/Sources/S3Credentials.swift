import Glibc
import VitrineKit

/// A key of S3, its secret, and what comes with both while they are lent.
struct S3Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var accessKey: String
    var secretKey: String
    var sessionToken: String?

    /// Nothing of them: logs and dumps are read by others.
    var description: String { "a key of S3" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }

    /// Looks in the usual places: the settings, the environment, the files of AWS's own tools.
    /// - Parameters:
    ///   - settings: `access-key`, `secret-key`, `session-token`.
    ///   - profile: the section of the files.
    /// - Returns: `nil` when there are none.
    static func find(_ settings: [String: String], _ profile: AWSProfile) throws(PluginError) -> S3Credentials? {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        let places: [(String?, String?, String?)] = [
            (settings["access-key"], settings["secret-key"], settings["session-token"]),
            (environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"), environment("AWS_SESSION_TOKEN")),
            (
                profile.value("aws_access_key_id"), profile.value("aws_secret_access_key"),
                profile.value("aws_session_token")
            ),
        ]
        for case (let key?, let secret?, let token) in places where !key.isEmpty && !secret.isEmpty {
            let texts = [key, token ?? ""]
            guard texts.allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) else {
                throw PluginError(
                    .invalidArgument, "an access key or session token of S3 holds a blank or a letter of another script"
                )
            }
            return S3Credentials(
                accessKey: key, secretKey: secret, sessionToken: token.flatMap { $0.isEmpty ? nil : $0 })
        }
        return nil
    }
}
