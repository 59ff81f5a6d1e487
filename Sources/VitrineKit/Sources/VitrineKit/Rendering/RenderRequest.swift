/// What to draw.
public struct RenderRequest: Sendable {
    /// The longest side of the largest preview that is wanted, in pixels, 1 to 16,384.
    public var box: Int
    /// The page, sheet or slide, counted from 0. Default 0.
    public var page: Int
    /// Whether somebody asked for that very page. Otherwise it is 0, and a renderer may draw another one that stands for the item,
    /// where the first is hidden or empty. Default: no.
    public var asksPage = false
    /// The moment in seconds from the start, or `nil` for the renderer's own choice.
    public var time: Double?
    /// The MIME type that the engine found; it is one of those in the manifest.
    public var mimeType: String
    /// Whether ``Facts/text`` is of use. A renderer may leave it out all the same, when it is not cheap to find.
    /// Default: no.
    public var wantsText = false
    /// Whether ``Facts/text`` must be that of the page asked for alone, as much of it as is kept, whatever it costs to find;
    /// ``wantsText`` is set with it. Default: no.
    public var wantsPageText = false { didSet { if wantsPageText { wantsText = true } } }
    /// Whether ``Facts/place`` is of use. Somebody asked for it by name; it is kept nowhere. Default: no.
    public var wantsPlace = false
    /// When a picture that lies ready inside the item is taken instead of drawing it. Default: ``EmbeddedUse/auto``.
    public var embedded = EmbeddedUse.auto
    /// What the user says opens the document, once it was found to be encrypted. A renderer that knows no passwords
    /// leaves it alone; one for which it is wrong throws `encrypted` as it does without. Default: none.
    public var password: Password?

    /// Creates a request.
    public init(box: Int, mimeType: String, page: Int = 0, time: Double? = nil) {
        self.box = box
        self.mimeType = mimeType
        self.page = page
        self.time = time
    }
}
