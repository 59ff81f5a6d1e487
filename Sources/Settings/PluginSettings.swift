/// What the user set for one plugin; everything else is as its `plugin.json` says.
public struct PluginSettings: Hashable, Sendable {
    private var values: [PluginSetting: SettingValue] = [:]

    /// Nothing is set.
    public init() {}

    /// What is set for a key; `nil` when nothing is.
    public subscript(key: PluginSetting) -> SettingValue? { values[key] }

    /// Whether the user switched the plugin off.
    public var isDisabled: Bool { values[.enabled] == .flag(false) }

    /// A whole number or a size in MiB that is set.
    public func number(_ key: PluginSetting) -> Int? {
        switch values[key] {
        case .whole(let number), .size(let number): number
        case .flag, .time, nil: nil
        }
    }

    /// The seconds that are set.
    public var seconds: Double? {
        guard case .time(let seconds) = values[.seconds] else { return nil }
        return seconds
    }

    /// Sets a key to what a user wrote.
    /// - Returns: whether that is an accepted value; nothing is set otherwise.
    public mutating func set(_ key: PluginSetting, to text: String) -> Bool {
        guard let value = key.value(text) else { return false }
        values[key] = value
        return true
    }

    /// Whether it can be a plugin's id: 1 to 64 of a–z 0–9 `.` `_` `-`, the first a letter or digit.
    public static func isPluginID(_ text: String) -> Bool {
        func isLowerOrDigit(_ byte: UInt8) -> Bool {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        return 1...64 ~= text.utf8.count && text.utf8.first.map(isLowerOrDigit) == true
            && text.utf8.allSatisfy { isLowerOrDigit($0) || "._-".utf8.contains($0) }
    }
}
