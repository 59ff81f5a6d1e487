import VitrineKit

/// A renderer that a template warms up besides its first one.
public struct RendererSetup: Hashable, Sendable {
    /// The renderer's library, an absolute path.
    public var library: String
    /// The plugin's folder, with its manifest and data files.
    public var pluginFolder: String
    /// The most bytes of address space.
    public var addressSpace: Int64
    /// The most pixels of a decoded picture.
    public var maximumPixels: Int64

    /// The most of them in one template.
    public static let limit = 16

    /// Creates a setup.
    public init(library: String, pluginFolder: String, addressSpace: Int64, maximumPixels: Int64) {
        self.library = library
        self.pluginFolder = pluginFolder
        self.addressSpace = addressSpace
        self.maximumPixels = maximumPixels
    }

    func write(to out: inout WireWriter) {
        out.put(library)
        out.put(pluginFolder)
        out.put(addressSpace)
        out.put(maximumPixels)
    }

    init(from input: inout WireReader) throws(PluginError) {
        library = try input.text()
        pluginFolder = try input.text()
        addressSpace = try input.int64()
        maximumPixels = try input.int64()
    }
}
