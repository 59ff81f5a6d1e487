/// How a source proves who asks. Never part of an address, a log or an error.
public enum Credentials: Sendable {
    /// What a password is sent as.
    public enum Scheme: Sendable, Hashable {
        /// What the server asks for: Digest before Basic.
        case any
        /// The password itself: only TLS keeps it from others.
        case basic
        /// A digest of password and request.
        case digest
    }

    /// Nobody in particular.
    case none
    /// A user and a password.
    case password(user: String, password: String, scheme: Scheme = .any)
    /// A token of OAuth 2 or the like (RFC 6750).
    case bearer(String)
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What kind they are, nothing of them.
    public var description: String {
        switch self {
        case .none: "no credentials"
        case .password: "a user and a password"
        case .bearer: "a token"
        }
    }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing: dumps are logged.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
