/// A plugin that can be used: its manifest is in order and its library is there. Nothing of it is mapped yet.
public struct InstalledPlugin: Hashable, Sendable {
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

    init(manifest: PluginManifest, folder: String, libraryPath: String, foreign: ForeignThumbnailer? = nil) {
        self.manifest = manifest
        self.folder = folder
        self.libraryPath = libraryPath
        self.foreign = foreign
        limitsFingerprint = manifest.limits.fingerprint
    }
}
