public import Containment
import Settings
import VitrineKit

/// What a plugin says about itself in its `plugin.json`, which is read without mapping its library.
///
/// The fields, their ranges and defaults are described for authors in docs/writing-a-plugin.md.
public struct PluginManifest: Hashable, Sendable {
    /// What a plugin is.
    public enum Kind: String, Hashable, Sendable {
        /// It draws items; its library is mapped by workers only.
        case renderer
        /// It lists and reads storages; its library is mapped by the host.
        case backend
        /// It lists and unpacks containers, such as archives; its library is mapped by workers only.
        case container
    }

    /// Short name, unique among the plugins that are installed: a–z 0–9 `.` `_` `-`, at most 64.
    public let id: String
    /// Name for people. Default: the id.
    public let name: String
    /// Version of the plugin. Failures are remembered under it and tried again when it changes.
    public let version: String
    /// Plugin ABI that the library was built for.
    public let abi: UInt32
    /// What the plugin is.
    public let kind: Kind
    /// File of the library, relative to the plugin's folder.
    public let library: String
    /// MIME types that a renderer draws or a container reader reads, in lower case, in the manifest's order. Empty for a backend.
    public let types: [String]
    /// The same as the manifest spells them. Types are compared without regard to case here, and with it by some desktops.
    public let spelledTypes: [String]
    /// URI schemes that a backend serves, in lower case, in the manifest's order. Empty for a renderer.
    public let schemes: [String]
    /// Bytes by which the types are known. Empty by default.
    public let magic: [MagicPattern]
    /// Which of several plugins for a type or scheme is asked first: the higher one. −1000 to 1000, default 100.
    public internal(set) var priority: Int
    /// Those of a renderer's types for which it is asked before others of the same priority, in lower case. Default: none.
    public let firstFor: Set<String>
    /// Whether a file with nothing in it is ordinary among a renderer's types, so that it is skipped and not a failure.
    /// Default: `false`.
    public let skipsEmpty: Bool
    /// Whether a picture of one colour is not believed as long as another renderer takes the type: the next one is asked
    /// too, and what it draws is taken if it shows anything. Default: `false`.
    public let doubtsBlank: Bool
    /// A name that renderers have in common whose workers come of one template, because they load the same libraries.
    /// Default: none, a template of its own.
    public let template: String?
    /// How much a worker may use, and how long a backend may take.
    public internal(set) var limits: PluginLimits
    /// What a worker's library needs beyond the strictest containment. Default: nothing.
    public let containment: ContainmentProfile
    /// Where a backend's service logs people in. Default: nowhere.
    public let oauth: OAuthDeclaration?
    /// The settings of an account that a backend reads, secrets among them, besides those of its `oauth`. Default: `nil`, nobody
    /// knows which, and whatever an account has is told.
    public let settings: [String]?

    /// The most bytes that a manifest may have.
    public static let maximumSize = 65_536
}

extension PluginManifest {
    enum Field: String, CaseIterable {
        case id, name, version, abi, kind, library, types, schemes, magic, priority, firstFor, skipsEmpty, doubtsBlank,
            template, limits, containment, oauth, settings
    }

    /// Takes a manifest and checks every field. Fields that are not known are passed over, so that a newer manifest can be
    /// read.
    init(_ fields: ManifestObject<Field>) throws(ManifestFault) {
        func check(_ field: Field, _ holds: Bool, _ clause: @autoclosure () -> String) throws(ManifestFault) {
            if !holds { throw fields.fault(field, clause()) }
        }
        func names(
            _ field: Field, _ isOne: (String) -> Bool, _ wanted: String
        ) throws(ManifestFault) -> [String] {
            let all = try fields.texts(field).map { $0.lowercased() }
            try check(field, !all.isEmpty, "it is empty; name at least one")
            try check(field, all.count <= 512, "it has \(all.count) elements; 512 are allowed")
            for name in all { try check(field, isOne(name), "'\(ManifestText.shown(name))' is no \(wanted)") }
            var seen: Set<String> = []
            return all.filter { seen.insert($0).inserted }
        }

        id = try fields.text(.id)
        try check(
            .id, ManifestText.isID(id),
            "'\(ManifestText.shown(id))' is no id: 1 to 64 of a-z 0-9 . _ -, the first a letter or digit")
        name = try fields.optionalText(.name) ?? id
        try check(.name, ManifestText.isName(name), "1 to 200 bytes without control characters are wanted")
        version = try fields.text(.version)
        try check(
            .version, ManifestText.isVersion(version),
            "'\(ManifestText.shown(version))' is no version: 1 to 64 of letters, digits and . + - ~ _")
        let abi = try fields.wholeNumber(.abi)
        try check(.abi, UInt32(exactly: abi) != nil, "\(abi) is out of range")
        self.abi = UInt32(truncatingIfNeeded: abi)
        let kindName = try fields.text(.kind)
        let kind = Kind(rawValue: kindName)
        try check(
            .kind, kind != nil,
            "'\(ManifestText.shown(kindName))' is not known; it may be 'renderer', 'backend' or 'container'")
        self.kind = kind ?? .renderer
        library = try fields.text(.library)
        let objection = ManifestText.objection(toLibrary: library)
        try check(.library, objection == nil, objection ?? "")

        let hasTypes = self.kind != .backend
        types = hasTypes ? try names(.types, ManifestText.isMIMEType, "MIME type such as image/png") : []
        spelledTypes = hasTypes ? try fields.texts(.types) : []
        schemes = hasTypes ? [] : try names(.schemes, ManifestText.isScheme, "URI scheme such as file")
        var magic: [MagicPattern] = []
        if hasTypes {
            for pattern in try fields.objects(.magic, of: MagicPattern.Field.self) {
                magic.append(try MagicPattern(pattern))
            }
        }
        self.magic = magic
        try check(.magic, magic.count <= 512, "it has \(magic.count) elements; 512 are allowed")
        for pattern in magic {
            try check(.magic, types.contains(pattern.type), "'\(pattern.type)' is not among the types")
        }
        priority = try fields.wholeNumber(.priority, default: 100)
        try check(.priority, -1000...1000 ~= priority, "\(priority) is out of range; it may be -1000 to 1000")
        let first = self.kind == .renderer ? try fields.optionalTexts(.firstFor) ?? [] : []
        firstFor = Set(first.map { $0.lowercased() })
        for type in firstFor.sorted() {
            try check(.firstFor, types.contains(type), "'\(ManifestText.shown(type))' is not among the types")
        }
        skipsEmpty = try fields.boolean(.skipsEmpty, default: false)
        doubtsBlank = try fields.boolean(.doubtsBlank, default: false)
        template = try fields.optionalText(.template)
        try check(
            .template, template.map(ManifestText.isID) ?? true,
            "'\(ManifestText.shown(template ?? ""))' is no name: 1 to 64 of a-z 0-9 . _ -, the first a letter or digit")
        var limits = PluginLimits()
        if let given = try fields.object(.limits, of: PluginLimits.Field.self) { try limits.take(given) }
        if !hasTypes, !limits.stated.contains(.seconds) { limits.seconds = PluginLimits.secondsOfBackends }
        self.limits = limits
        let login = hasTypes ? nil : try fields.object(.oauth, of: OAuthDeclaration.Field.self)
        if let login { oauth = try OAuthDeclaration(login) } else { oauth = nil }
        settings = hasTypes ? nil : try fields.optionalTexts(.settings)
        try check(.settings, settings?.count ?? 0 <= 64, "it has \(settings?.count ?? 0) elements; 64 are allowed")
        for key in settings ?? [] {
            try check(
                .settings, ManifestText.isSetting(key),
                "'\(ManifestText.shown(key))' is no setting: 1 to 64 of a-z 0-9 -")
        }
        if let needs = try fields.object(.containment, of: ContainmentField.self) {
            containment = try Self.containment(needs, fields)
        } else {
            containment = .strictest
        }
    }

    /// What a library may need beyond the strictest containment. What that means is the profile's to say.
    enum ContainmentField: String, CaseIterable { case calls, threads, read, privateFolder, loadsLibraries }

    private static func containment(
        _ needs: ManifestObject<ContainmentField>, _ fields: ManifestObject<Field>
    ) throws(ManifestFault) -> ContainmentProfile {
        let calls = try needs.optionalTexts(.calls) ?? []
        let threads = try needs.boolean(.threads, default: false)
        let read = try needs.optionalTexts(.read) ?? []
        let privateFolder = try needs.boolean(.privateFolder, default: false)
        let loadsLibraries = try needs.boolean(.loadsLibraries, default: false)
        do {
            return try ContainmentProfile(
                calls: calls, threads: threads, read: read, privateFolder: privateFolder, loadsLibraries: loadsLibraries
            )
        } catch {
            throw fields.fault(.containment, error.message)
        }
    }
}
