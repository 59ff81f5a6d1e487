/// What the user set about encrypted files: the content of `[passwords]`. What is not set is `nil`.
public struct PasswordSettings: Hashable, Sendable {
    /// A key of the group.
    public enum Key: String, CaseIterable, Sendable {
        /// The command that is asked for passwords.
        case command
        /// Whether previews of encrypted files are kept in the cache.
        case cacheEncrypted = "cache-encrypted"
    }

    /// Run by `/bin/sh -c`, with the item's URI and a line feed on its standard input; the first line of its output is
    /// the password. Default: nobody is asked, and what needs a password has no preview.
    public var command: String?
    /// Keeps previews of encrypted files in the cache, where every program of the user finds them. Default: no.
    public var cachesEncrypted: Bool?

    /// Nothing is set.
    public init() {}

    /// Sets a key to what a user wrote.
    /// - Returns: whether that is an accepted value; nothing is set otherwise.
    public mutating func set(_ key: Key, to text: String) -> Bool {
        switch key {
        case .command:
            guard 1...4096 ~= text.utf8.count, text.contains(where: { !$0.isWhitespace }) else { return false }
            command = text
        case .cacheEncrypted:
            guard let flag = SettingText.flag(text) else { return false }
            cachesEncrypted = flag
        }
        return true
    }

    /// The accepted values of a key in words, to follow "write".
    public static func wanted(_ key: Key) -> String {
        switch key {
        case .command: "a command of the shell, of at most 4096 bytes"
        case .cacheEncrypted: "true or false"
        }
    }
}
