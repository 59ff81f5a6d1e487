/// Lists and unpacks one kind of *container*: a file that holds others, its *members*, as an archive does.
///
/// The engine shows members as items of a storage, so that every renderer can draw them. A reader lives in a worker
/// process that holds nothing else, as a ``Renderer`` does: it may use libraries that are not thread-safe, and crash at
/// the cost of one container. One thread makes it and calls it, one call at a time. It keeps nothing between two calls:
/// the next one may be about another container. Names are never used to open anything; what they lead to is the
/// engine's business.
public protocol ContainerReader: SendableMetatype {
    /// Warms up, before the worker locks itself down. After this call no new file may be opened, save those that the
    /// containment profile names.
    /// - Parameter environment: folders and limits.
    /// - Throws: `pluginUnavailable` when the library or its data are not there.
    init(_ environment: RendererEnvironment) throws(PluginError)

    /// Lists all members, in the container's own order.
    ///
    /// - Parameters:
    ///   - input: the container's bytes; valid during the call only.
    ///   - take: is given one member after the other; throws `limitExceeded` when there are more than are listed, which
    ///     is to be passed on.
    /// - Returns: how members are read, and what ended the list too early.
    /// - Throws: `corrupt` when nothing can be listed, `locked` when even the names are, `limitExceeded`, or what the
    ///   input throws.
    func list(
        _ input: any RandomAccessInput, _ take: (ContainerMember) throws(PluginError) -> Void
    ) throws(PluginError) -> ContainerOutline

    /// Unpacks some members, in one pass through the container.
    ///
    /// - Parameters:
    ///   - places: the ``ContainerMember/place`` of each, as ``list(_:_:)`` told them of the same bytes, in the order in
    ///     which it did. Anything may stand there all the same.
    ///   - input: the container's bytes; valid during the call only.
    ///   - output: takes the content of each.
    /// - Throws: `corrupt`, `limitExceeded` and the like for what concerns all members, or what the input throws.
    func unpack(
        _ places: [UInt64], of input: any RandomAccessInput, into output: any MemberOutput
    ) throws(PluginError)
}
