import Containment
import FoundationEssentials
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
        guard let json = try content(of: folder + "/plugin.json") else {
            throw PluginError(.notFound, "there is no '\(DisplayText.of(folder))/plugin.json'")
        }
        return unknownKeys(json: json)
    }

    /// The same for the content of a manifest; empty for what is no JSON.
    static func unknownKeys(json: [UInt8]) -> [UnknownManifestKey] {
        guard let root = try? JSONDecoder().decode(Tree.self, from: Data(json)) else { return [] }
        return check(root, Schema.manifest, at: "")
    }

    /// The fields of the manifest in this plugin's folder that have nothing to say about a plugin of its kind, in their
    /// order.
    /// - Parameter folder: the plugin's folder, absolute.
    /// - Throws: as ``unknownKeys(in:)``.
    public func idleKeys(in folder: String) throws(PluginError) -> [IdleManifestKey] {
        guard let json = try Self.content(of: folder + "/plugin.json") else {
            throw PluginError(.notFound, "there is no '\(DisplayText.of(folder))/plugin.json'")
        }
        return idleKeys(json: json)
    }

    /// The same for the content of the manifest; empty for what is no JSON.
    func idleKeys(json: [UInt8]) -> [IdleManifestKey] {
        guard let root = try? JSONDecoder().decode(Tree.self, from: Data(json)) else { return [] }
        let clause = "means nothing for a \(kind.rawValue)"
        var found = Field.allCases.filter { idleFields.contains($0) && root.children[$0.stringValue] != nil }
            .map { IdleManifestKey(path: $0.stringValue, clause: clause) }
        let limits = root.children[Field.limits.stringValue]?.children ?? [:]
        for setting in PluginSetting.allCases where idleSettings.contains(setting) {
            guard let name = PluginLimits.field(setting)?.stringValue, limits[name] != nil else { continue }
            // Any other plugin that has workers may have one.
            let isUnused = setting == .privateFolder && kind != .backend
            found.append(
                IdleManifestKey(
                    path: "\(Field.limits.stringValue).\(name)",
                    clause: isUnused ? "means nothing without 'privateFolder' in 'containment'" : clause))
        }
        return found
    }

    private static func check(_ tree: Tree, _ schema: Schema, at path: String) -> [UnknownManifestKey] {
        var found: [UnknownManifestKey] = []
        for (name, value) in tree.children.sorted(by: { $0.key < $1.key }) {
            let here = (path.isEmpty ? "" : path + ".") + DisplayText.of(name)
            guard schema.fields.contains(name) else {
                found.append(
                    UnknownManifestKey(path: here, name: DisplayText.of(name), fields: schema.fields.sorted()))
                continue
            }
            guard let inner = schema.inner[name] else { continue }
            found += check(value, inner, at: here)
            for (index, element) in value.elements.enumerated() {
                found += check(element, inner, at: "\(here)[\(index)]")
            }
        }
        return found
    }

    /// What keys an object may have, and those of the objects in it.
    private struct Schema {
        var fields: Set<String>
        var inner: [String: Schema] = [:]

        init<Field: CodingKey & CaseIterable>(_ fields: Field.Type) {
            self.fields = Set(fields.allCases.map(\.stringValue))
        }

        init(_ fields: [String]) { self.fields = Set(fields) }

        static var manifest: Schema {
            var magic = Schema(MagicPattern.Field.self)
            let part = Schema(MagicPattern.Part.Field.self)
            magic.fields.formUnion(part.fields)
            magic.inner["and"] = part
            var manifest = Schema(PluginManifest.Field.self)
            manifest.inner = [
                "magic": magic, "limits": Schema(PluginLimits.Field.self), "oauth": Schema(OAuthDeclaration.Field.self),
                "containment": Schema(ContainmentProfile.keys),
            ]
            return manifest
        }
    }

    /// The keys of any JSON.
    private struct Tree: Decodable {
        var children: [String: Tree] = [:]
        var elements: [Tree] = []

        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: AnyKey.self) {
                for key in object.allKeys { children[key.stringValue] = try object.decode(Tree.self, forKey: key) }
            } else if var list = try? decoder.unkeyedContainer() {
                while !list.isAtEnd { elements.append(try list.decode(Tree.self)) }
            }
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
