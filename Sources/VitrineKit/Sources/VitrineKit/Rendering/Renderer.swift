/// Turns an item's bytes into pixels and facts.
///
/// A renderer lives in a worker process that holds nothing else: it may use libraries that are not
/// thread-safe, keep them warm between calls, and crash at the cost of one item. One thread makes it and
/// calls it, one call at a time. Deadlines, limits, scaling to several sizes and encoding are the worker's
/// business.
///
/// Conforming types pass `RendererConformance` of VitrineTesting, which is the contract in code.
public protocol Renderer: SendableMetatype {
    /// Warms up: loads what the library loads late (fonts, coders, colour tables), before the worker locks
    /// itself down. After this call no new file may be opened, save those that the containment profile names.
    ///
    /// Workers may be forked of the process that made the renderer. What forks would share belongs into ``begin()``:
    /// memory that is mapped as shared and writable, and open descriptors. A renderer that makes such here, or starts
    /// threads, has workers that are started one by one.
    /// - Parameter environment: folders and limits.
    /// - Throws: `pluginUnavailable` when the library or its data are not there.
    init(_ environment: RendererEnvironment) throws(PluginError)

    /// Makes what belongs to one worker alone. Called once in each worker, after the warm-up and before the lock-down.
    /// Default: does nothing.
    /// - Throws: `pluginUnavailable`.
    func begin() throws(PluginError)

    /// Draws one page or moment of an item.
    ///
    /// - Parameters:
    ///   - input: the item's bytes; valid during the call only.
    ///   - request: what to draw, and how large.
    /// - Returns: a bitmap that fits ``RenderRequest/box`` (a library that cannot scale well itself may return a
    ///   larger one: the worker scales it down), upright, in sRGB unless ``Rendering/convertColors`` brings it there, and
    ///   what is known about the item.
    /// - Throws: `corrupt`, `encrypted`, `locked`, `empty`, `unsupported` or `limitExceeded`, with a sentence; `invalidArgument` for
    ///   a page or moment that the item does not have, see ``RenderRequest/checkPage(of:in:unit:)`` and
    ///   ``RenderRequest/refuseMoment(in:)``.
    func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering
}

extension Renderer {
    /// Does nothing.
    public func begin() throws(PluginError) {}
}

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
