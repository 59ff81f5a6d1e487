/// A file that a renderer is tested with.
public struct RendererSample: Sendable {
    /// What it is called in explanations.
    public var name: String
    /// Its MIME type, one of those in the plugin's manifest.
    public var mimeType: String
    /// Its content.
    public var bytes: [UInt8]
    /// How many pages the renderer must find, or `nil` for formats that have none: another page than
    /// the first is then to be refused too.
    public var pages: Int?

    /// Creates a sample.
    /// - Parameters:
    ///   - name: what it is called in explanations.
    ///   - mimeType: its type.
    ///   - bytes: its content; a few kilobytes are enough and keep the suite quick.
    ///   - pages: how many pages the renderer must find; default: the format has none.
    public init(_ name: String, mimeType: String, bytes: [UInt8], pages: Int? = nil) {
        self.name = name
        self.mimeType = mimeType
        self.bytes = bytes
        self.pages = pages
    }
}
