/// A plugin that can be used: its manifest is in order and its library is there. Nothing of it is mapped yet.
public struct InstalledPlugin: Hashable, Sendable {
    /// What it says about itself, with the user's priority.
    public let manifest: PluginManifest
    /// The folder of its `plugin.json`, absolute.
    public let folder: String
    /// Its library, absolute.
    public let libraryPath: String
    /// The program that draws instead of a library, for thumbnailers of other projects. ``libraryPath`` is its path.
    public var foreign: ForeignThumbnailer?
}
