import CGIO
import Glibc

/// When a desktop throws thumbnails away: GNOME's housekeeping does so daily, by age and by the size of the whole
/// store, whoever made them.
public struct PurgePolicy: Hashable, Sendable {
    /// Days; negative: never.
    public var maximumAge: Int
    /// Megabytes of all together; negative: any.
    public var maximumSize: Int
    /// Whether the program that does it is installed.
    public var isInForce: Bool

    static let schema = "org.gnome.desktop.thumbnail-cache"

    /// What is set for this user; `nil` where GNOME's schema is not installed.
    public static var ofGNOME: PurgePolicy? {
        guard let source = g_settings_schema_source_get_default(),
            let schema = g_settings_schema_source_lookup(source, schema, 1)
        else { return nil }
        defer { g_settings_schema_unref(schema) }
        guard g_settings_schema_has_key(schema, "maximum-age") != 0,
            g_settings_schema_has_key(schema, "maximum-size") != 0,
            let settings = g_settings_new_full(schema, nil, nil)
        else { return nil }
        defer { g_object_unref(settings) }
        let daemons = ["/usr/libexec/gsd-housekeeping", "/usr/lib/gnome-settings-daemon/gsd-housekeeping"]
        return PurgePolicy(
            maximumAge: Int(g_settings_get_int(settings, "maximum-age")),
            maximumSize: Int(g_settings_get_int(settings, "maximum-size")),
            isInForce: daemons.contains { access($0, X_OK) == 0 })
    }

    /// Compares the policy with what is there.
    /// - Parameters:
    ///   - bytes: of the whole store.
    ///   - isCut: whether there are more than were counted.
    func finding(bytes: Int64, isCut: Bool) -> Finding {
        let used = (isCut ? "more than " : "") + FreeSpace.text(bytes)
        let age = maximumAge < 0 ? "any age" : "\(maximumAge) days"
        let size = maximumSize < 0 ? "any size" : "\(maximumSize) MB"
        let limits = "GNOME keeps thumbnails up to \(age) and \(size) in all; \(used) are there"
        guard isInForce else {
            return Finding(.cache, "purge", .ok, "\(limits) (its housekeeping is not installed here)")
        }
        if maximumSize >= 0, isCut || bytes > Int64(maximumSize) * 800_000 {
            return Finding(
                .cache, "purge", .warning, "\(limits), so that the oldest will go",
                command: "gsettings set \(Self.schema) maximum-size \(max(2048, maximumSize * 4))")
        }
        return Finding(.cache, "purge", .ok, limits)
    }
}
