public import VitrineKit

/// One line of the list of plugins: also those that cannot be used are named, with the reason.
public struct PluginListing: Hashable, Sendable {
    /// Whether a plugin can be used.
    public enum State: Hashable, Sendable {
        /// It will be loaded when it is needed.
        case ready
        /// It will not be loaded; the error's sentence says why and what to do.
        case refused(PluginError)
        /// A plugin with the same id lies in a folder that is searched earlier, as somebody who names one in
        /// `$VITRINE_PLUGIN_PATH` wants it; that one's folder.
        case overridden(by: String)
        /// The user switched it off.
        case disabled
    }

    /// The folder that it lies in, absolute.
    public let folder: String
    /// What it says about itself, when that could be read.
    public let manifest: PluginManifest?
    /// Its library, absolute, when it was found.
    public let libraryPath: String?
    /// Whether it can be used.
    public let state: State
    /// Whether it is a thumbnailer of another project.
    public var isForeign = false

    /// Its id, when its manifest could be read.
    public var id: String? { manifest?.id }
}
