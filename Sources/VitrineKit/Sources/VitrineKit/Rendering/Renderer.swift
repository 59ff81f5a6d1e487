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
    ///   a page or moment that the item does not have, see ``RenderRequest/checkSinglePicture(in:)``,
    ///   ``RenderRequest/checkPage(of:in:unit:)`` and ``RenderRequest/refuseMoment(in:)``.
    func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering
}

extension Renderer {
    /// Does nothing.
    public func begin() throws(PluginError) {}
}
