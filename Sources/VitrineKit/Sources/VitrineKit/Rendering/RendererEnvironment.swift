/// What a renderer finds around it.
public struct RendererEnvironment: Sendable {
    /// The plugin's own folder, with the data files that it ships; readable during the warm-up.
    public var pluginFolder: String
    /// An empty folder of this worker alone, readable and writable for as long as it lives, or `nil` for
    /// renderers whose containment profile allows no files.
    public var privateFolder: String?
    /// The most pixels that a decoded picture may have before it is scaled.
    public var maximumPixels: Int
    /// The most bytes that the process may map; libraries with caches of their own are told less than this.
    public var addressSpace: Int64

    /// Creates an environment.
    public init(
        pluginFolder: String, privateFolder: String? = nil, maximumPixels: Int = 256_000_000,
        addressSpace: Int64 = 2 << 30
    ) {
        self.pluginFolder = pluginFolder
        self.privateFolder = privateFolder
        self.maximumPixels = maximumPixels
        self.addressSpace = addressSpace
    }
}
