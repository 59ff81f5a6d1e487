/// What the user set about the cache of previews: the content of `[cache]`. What is not set is `nil`.
public struct CacheSettings: Hashable, Sendable {
    /// A key of the group.
    public enum Key: String, CaseIterable, Sendable {
        /// How much Vitrine's previews may take.
        case size
        /// How long a preview is kept that nobody uses.
        case age
    }

    /// A limit, or that there is none.
    public enum Limit: Hashable, Sendable, CustomStringConvertible {
        /// There is none: `unlimited`.
        case unlimited
        /// A size in MiB, or a time in seconds.
        case value(SettingValue)

        /// As it is written in the file.
        public var description: String {
            switch self {
            case .unlimited: "unlimited"
            case .value(let value): value.description
            }
        }
    }

    private var limits: [Key: Limit] = [:]

    /// Nothing is set.
    public init() {}

    /// What is set for a key; `nil` when nothing is.
    public subscript(key: Key) -> Limit? { limits[key] }

    /// Sets a key to what a user wrote.
    /// - Returns: whether that is an accepted value; nothing is set otherwise.
    public mutating func set(_ key: Key, to text: String) -> Bool {
        if text == "unlimited" {
            limits[key] = .unlimited
            return true
        }
        switch key {
        case .size:
            guard let mebibytes = SettingText.mebibytes(text), 1...1 << 30 ~= mebibytes else { return false }
            limits[key] = .value(.size(mebibytes))
        case .age:
            guard let seconds = SettingText.seconds(text), 3600...3650 * 86_400 ~= seconds else { return false }
            limits[key] = .value(.time(seconds))
        }
        return true
    }

    /// The accepted values of a key in words, to follow "write".
    public static func wanted(_ key: Key) -> String {
        switch key {
        case .size: "a size from 1MiB to 1024TiB, such as 2GiB, or unlimited"
        case .age: "a time from 1h to 3650d, such as 180d, or unlimited"
        }
    }
}
