/// What a renderer returns.
public struct Rendering {
    /// The picture.
    public var bitmap: Bitmap
    /// What is known about the item.
    public var facts: Facts
    /// What the picture is, when it lay ready inside the item: "EXIF thumbnail", "cover". `nil`: it was drawn or decoded from
    /// the item itself.
    public var embedded: String?
    /// Whether the renderer knows that the item shows nothing: a page without content, or with a white picture alone. One
    /// whose manifest says `doubtsBlank` is believed then. Default: no.
    public var isKnownBlank = false

    /// Draws the same for a smaller ``RenderRequest/box``, where a picture that is scaled down would show less: with lines
    /// that are too thin, or letters that are too small. Called in the same process, before anything else is rendered, for
    /// each smaller size that is wanted; it returns what ``Renderer/render(_:_:)`` would for that box alone. What has another
    /// shape than ``bitmap`` is not used. Default: none, and ``bitmap`` is scaled down.
    public var drawSmaller: ((_ box: Int) throws(PluginError) -> Bitmap)?

    /// Brings a picture from the colours that it was stored in to sRGB, once it is as small as a preview and takes that much
    /// less time. Called in the same process, before anything else is rendered, once for each size that is wanted, with its
    /// pixels: four bytes each, R, G, B, A, colours not multiplied by alpha, without room between rows; to be changed in
    /// place. Default: none, and ``bitmap`` is in sRGB.
    public var convertColors: ((_ pixels: UnsafeMutableRawBufferPointer) -> Void)?

    /// Creates a result.
    public init(_ bitmap: Bitmap, facts: Facts = Facts()) {
        self.bitmap = bitmap
        self.facts = facts
    }
}
