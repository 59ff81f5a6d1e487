public import VitrineKit

/// Who asks a storage: an address, what is said to it openly, and what is kept secret.
///
/// It serves every source at its address and below. The longest address that fits is the one that counts.
public struct Account: Hashable, Sendable {
    /// What the user calls it; unique. 1 to 64 of letters, digits, `.`, `_`, `@` and `-`.
    public var name: String
    /// The storage: `davs://cloud.example/remote.php`, `s3://bucket`, `rclone:drive:`.
    public var address: SourceURI
    /// Settings of the backend that are no secrets, such as `user` and `region`: what
    /// ``VitrineKit/BackendSettings/values`` holds.
    public var values: [String: String]
    /// The names of the settings that are secrets, such as `password`; sorted.
    public var secrets: [String]
    /// Where these are kept.
    public var place: Place

    /// Where secrets are kept.
    public enum Place: String, Sendable {
        /// In the user's keyring.
        case secretService = "secret-service"
        /// In a file that only the user can read.
        case file
    }

    /// Describes an account.
    public init(name: String, address: SourceURI, values: [String: String], secrets: [String], place: Place) {
        self.name = name
        self.address = address
        self.values = values
        self.secrets = secrets.sorted()
        self.place = place
    }

    /// The settings that are never kept openly, nor taken from a command line.
    public static let secretKeys: Set<String> = [
        "password", "token", "refresh-token", "client-secret", "secret-key", "session-token", "passphrase",
        TokenSet.key,
    ]

    /// Checks a name that a user gives.
    /// - Throws: `invalidArgument` when it is none.
    public static func check(name: String) throws(PluginError) {
        let isGood = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "@"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard 1...64 ~= name.utf8.count, isGood else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(name))' is no name for an account: 1 to 64 letters, digits, '.', '_', '@' and '-' are"
            )
        }
    }

    /// Checks the name of a setting.
    /// - Throws: `invalidArgument` when it is none.
    public static func check(key: String) throws(PluginError) {
        let isGood = key.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "-")
        }
        guard 1...64 ~= key.utf8.count, isGood, !AccountBook.ownKeys.contains(key) else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(key))' is no name of a setting: 1 to 64 small letters, digits and '-' are")
        }
    }

    /// Whether a source lies at its address or below.
    public func serves(_ source: SourceURI) -> Bool { coverage(of: source) != nil }

    /// How many bytes of a source's URI the address covers; `nil` when the source is somewhere else.
    func coverage(of source: SourceURI) -> Int? {
        guard address.scheme == source.scheme, address.authority == source.authority else { return nil }
        let (mine, its) = (address.path, source.path)
        guard its.starts(with: mine) else { return nil }
        let slash = UInt8(ascii: "/")
        let isBelow =
            its.count == mine.count || mine.isEmpty || mine.last == slash || mine.last == UInt8(ascii: ":")
            || its[mine.count] == slash
        return isBelow ? mine.count : nil
    }
}
