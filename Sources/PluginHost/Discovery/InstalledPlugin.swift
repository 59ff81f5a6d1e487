/// A plugin that can be used: its manifest is in order and its library is there. Nothing of it is mapped yet.
///
/// A class, for it says much and every item is handed some of them.
public final class InstalledPlugin: Hashable, Sendable {
    /// What it says about itself, with the user's priority.
    public let manifest: PluginManifest
    /// The folder of its `plugin.json`, absolute.
    public let folder: String
    /// Its library, absolute.
    public let libraryPath: String
    /// The program that draws instead of a library, for thumbnailers of other projects. ``libraryPath`` is its path.
    public let foreign: ForeignThumbnailer?
    /// The fingerprint of its limits, which every item of a run asks for.
    public let limitsFingerprint: String
    /// The other renderers whose workers come of the same template; none of them names any here.
    public let companions: [InstalledPlugin]

    init(
        manifest: PluginManifest, folder: String, libraryPath: String, foreign: ForeignThumbnailer? = nil,
        companions: [InstalledPlugin] = []
    ) {
        self.manifest = manifest
        self.folder = folder
        self.libraryPath = libraryPath
        self.foreign = foreign
        self.companions = companions
        limitsFingerprint = manifest.limits.fingerprint
    }

    /// The same plugin, with those of others whose workers come of the same template.
    func sharingTemplate(among others: [InstalledPlugin]) -> InstalledPlugin {
        let companions = others.filter { sharesTemplate(with: $0) }
        guard !companions.isEmpty else { return self }
        return InstalledPlugin(
            manifest: manifest, folder: folder, libraryPath: libraryPath, foreign: foreign, companions: companions)
    }

    /// Whether both say the same.
    public static func == (a: InstalledPlugin, b: InstalledPlugin) -> Bool {
        a === b
            || (a.manifest, a.folder, a.libraryPath, a.foreign) == (b.manifest, b.folder, b.libraryPath, b.foreign)
                && a.companions == b.companions
    }

    /// Takes what tells one from another.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(manifest.id)
        hasher.combine(libraryPath)
    }

    /// Whether workers of another plugin may come of the same template: both name the same one, may do the same, and lie
    /// in folders beside each other, as plugins do that were installed together. Nobody else's library is loaded into it.
    func sharesTemplate(with other: InstalledPlugin) -> Bool {
        func place(_ folder: String) -> Substring { folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)] }
        let (own, theirs) = (manifest, other.manifest)
        return own.template != nil && own.template == theirs.template && own.id != theirs.id
            && (own.kind, theirs.kind) == (.renderer, .renderer) && own.containment == theirs.containment
            && place(folder) == place(other.folder)
    }
}
