import JSON
import Settings
public import VitrineKit

/// A key of a manifest that says nothing, because no field is called so.
public struct UnknownManifestKey: Hashable, Sendable {
    /// Where it stands: `limits.secnds`, `magic[0].ofset`.
    public let path: String
    /// What it is called.
    public let name: String
    /// What fields are called there.
    public let fields: [String]
}

/// A field of a manifest that says nothing, because plugins of that kind have no use for it.
public struct IdleManifestKey: Hashable, Sendable {
    /// Where it stands: `types`, `limits.pages`.
    public let path: String
    /// Why, as the end of a sentence that names it.
    public let clause: String
}

extension PluginManifest {
    /// The keys of the manifest in a plugin's folder that are passed over. A newer version of Vitrine may know them; most
    /// are slips of the pen, after which a plugin behaves as if nothing had been said.
    /// - Parameter folder: the plugin's folder, absolute.
    /// - Throws: what reading the file throws; `notFound` when there is none.
    public static func unknownKeys(in folder: String) throws(PluginError) -> [UnknownManifestKey] {
        unknownKeys(json: try content(inFolder: folder))
    }

    /// The same for the content of a manifest; empty for what is no JSON.
    static func unknownKeys(json: [UInt8]) -> [UnknownManifestKey] {
        guard let root = try? value(of: json) else { return [] }
        return check(root, Schema.manifest, at: "")
    }

    /// The fields of the manifest in this plugin's folder that have nothing to say about a plugin of its kind, in their
    /// order.
    /// - Parameter folder: the plugin's folder, absolute.
    /// - Throws: as ``unknownKeys(in:)``.
    public func idleKeys(in folder: String) throws(PluginError) -> [IdleManifestKey] {
        idleKeys(json: try Self.content(inFolder: folder))
    }

    /// The same for the content of the manifest; empty for what is no JSON.
    func idleKeys(json: [UInt8]) -> [IdleManifestKey] {
        guard let root = try? Self.value(of: json) else { return [] }
        let clause = "means nothing for a \(kind.rawValue)"
        var found = Field.allCases.filter { idleFields.contains($0) && root[$0.rawValue] != nil }
            .map { IdleManifestKey(path: $0.rawValue, clause: clause) }
        let limits = root[Field.limits.rawValue]
        for setting in PluginSetting.allCases where idleSettings.contains(setting) {
            guard let name = PluginLimits.field(setting)?.rawValue, limits?[name] != nil else { continue }
            // Any other plugin that has workers may have one.
            let isUnused = setting == .privateFolder && kind != .backend
            found.append(
                IdleManifestKey(
                    path: "\(Field.limits.rawValue).\(name)",
                    clause: isUnused ? "means nothing without 'privateFolder' in 'containment'" : clause))
        }
        return found
    }

    private static func check(_ value: JSONValue, _ schema: Schema, at path: String) -> [UnknownManifestKey] {
        var found: [UnknownManifestKey] = []
        guard case .object(let members) = value else { return [] }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let here = (path.isEmpty ? "" : path + ".") + DisplayText.of(name)
            guard schema.fields.contains(name) else {
                found.append(
                    UnknownManifestKey(path: here, name: DisplayText.of(name), fields: schema.fields.sorted()))
                continue
            }
            guard let inner = schema.inner[name] else { continue }
            found += check(value, inner, at: here)
            for (index, element) in (value.list ?? []).enumerated() {
                found += check(element, inner, at: "\(here)[\(index)]")
            }
        }
        return found
    }

    /// What keys an object may have, and those of the objects in it.
    private struct Schema {
        var fields: Set<String>
        var inner: [String: Schema] = [:]

        init<Field: RawRepresentable<String> & CaseIterable>(_ fields: Field.Type) {
            self.fields = Set(fields.allCases.map(\.rawValue))
        }

        static var manifest: Schema {
            var magic = Schema(MagicPattern.Field.self)
            let part = Schema(MagicPattern.Part.Field.self)
            magic.fields.formUnion(part.fields)
            magic.inner["and"] = part
            var manifest = Schema(PluginManifest.Field.self)
            manifest.inner = [
                "magic": magic, "limits": Schema(PluginLimits.Field.self), "oauth": Schema(OAuthDeclaration.Field.self),
                "containment": Schema(ContainmentField.self),
            ]
            return manifest
        }
    }
}
