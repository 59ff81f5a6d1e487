import FoundationEssentials
import Glibc

/// What a service gave to somebody who logged in. Kept as one secret, so that no half of it is ever kept alone.
public struct TokenSet: Hashable, Sendable {
    /// What requests are let in with.
    var access: String
    /// What a new set is had for; `nil` when the service gives none.
    var refresh: String?
    /// When `access` ends, in seconds since 1970; `nil` when the service does not say.
    var expires: Int64?

    /// The name of the secret.
    static let key = "oauth-tokens"

    /// Whether it is good for the next minute at least.
    func isFresh(now: Int64 = Int64(time(nil))) -> Bool { expires.map { now < $0 - 60 } ?? true }
}

extension TokenSet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That they are tokens, and nothing of them.
    public var description: String { "tokens" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing: dumps are logged.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TokenSet: Codable {
    private enum CodingKeys: String, CodingKey { case access, refresh, expires }

    /// As it is kept.
    init?(kept text: String) {
        guard let tokens = try? JSONDecoder().decode(TokenSet.self, from: Data(text.utf8)) else { return nil }
        self = tokens
    }

    /// How it is kept: JSON on one line.
    var kept: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// What a service that gives out tokens answers (RFC 6749, section 5; RFC 8628, section 3).
struct OAuthAnswer: Decodable {
    /// A number, or a number in quotes, as some services write it.
    struct Seconds: Decodable {
        let value: Int64

        init(from decoder: any Decoder) throws {
            let box = try decoder.singleValueContainer()
            let number = (try? box.decode(Double.self)) ?? (try? box.decode(String.self)).flatMap { Double($0) }
            guard let number, 0...1e9 ~= number else {
                throw DecodingError.dataCorruptedError(in: box, debugDescription: "no number of seconds")
            }
            value = Int64(number)
        }
    }

    var accessToken: String?
    var refreshToken: String?
    var tokenType: String?
    var expiresIn: Seconds?
    var error: String?
    var errorDescription: String?
    var deviceCode: String?
    var userCode: String?
    var verificationURI: String?
    var interval: Seconds?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case error
        case errorDescription = "error_description"
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case interval
    }

    /// A refusal that came in another way, as the browser brings it.
    init(error: String) { self.error = error }

    /// Reads an answer; `nil` when it is none.
    init?(_ bytes: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(OAuthAnswer.self, from: Data(bytes)) else { return nil }
        self = answer
    }

    /// The tokens of it.
    /// - Parameter old: the token that a new one was asked with; it stays good when no other comes (RFC 6749, section 6).
    /// - Returns: `nil` when there is none, or none that a request can carry.
    func tokens(replacing old: String? = nil, now: Int64 = Int64(time(nil))) -> TokenSet? {
        guard let accessToken, Self.isToken(accessToken), tokenType.map({ $0.lowercased() == "bearer" }) ?? true,
            refreshToken.map(Self.isToken) ?? true
        else { return nil }
        return TokenSet(access: accessToken, refresh: refreshToken ?? old, expires: expiresIn.map { now + $0.value })
    }

    private static func isToken(_ text: String) -> Bool {
        1...16_384 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
