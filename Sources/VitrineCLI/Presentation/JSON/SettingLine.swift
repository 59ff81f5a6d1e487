import VitrineKit

/// One value of the settings in force, and where it comes from; `docs/json.md` describes the object.
struct SettingLine: Encodable {
    /// Where a value comes from.
    enum Origin: String, Encodable {
        case file
        case manifest = "plugin.json"
        case standard = "default"

        /// Of a value that the settings file has, or has not.
        init(isSet: Bool) { self = isSet ? .file : .standard }
    }

    var group: String
    var key: String
    /// As the settings file has it; `nil` when nothing is set, or nobody should see it.
    var value: String?
    var from: Origin

    /// A value that a person reads.
    var shown: String {
        if let value, !value.isEmpty { return DisplayText.of(value) }
        return value == nil && from == .file ? "(set)" : "(nothing set)"
    }
}
