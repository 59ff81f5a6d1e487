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

/// One file or folder in a container, as the container tells of it.
public struct ContainerMember: Hashable, Sendable {
    /// Its path as it stands there: any bytes, which nobody vouches for. At most ``pathLimit``; of a longer one, more
    /// than that, so that it is seen to be too long.
    public var path: [UInt8]
    /// What it is.
    public var kind: Entry.Kind
    /// Bytes when unpacked, where the container says so. More is never unpacked.
    public var size: Int64?
    /// When its content last changed, where the container says so.
    public var modified: Timestamp?
    /// A checksum of its content that the container keeps, by which two versions are told apart.
    public var checksum: UInt32?
    /// Whether a password is needed for its content.
    public var isEncrypted = false
    /// Where the reader finds it again: a number whose meaning is the reader's own.
    public var place: UInt64
    /// The bytes of the container that hold its content, where they lie in one piece: they are brought near at once
    /// before it is unpacked. A hint; `nil` where there is no such piece.
    public var extent: Range<Int64>?

    /// The most bytes of a path.
    public static let pathLimit = 4096

    /// Creates a member; set what else is known afterwards.
    public init(path: [UInt8], kind: Entry.Kind, size: Int64? = nil, place: UInt64) {
        self.path = path
        self.kind = kind
        self.size = size
        self.place = place
    }
}

/// What a list of members says besides them.
public struct ContainerOutline: Hashable, Sendable {
    /// Whether one member is reached through those before it, so that several are better unpacked in one pass.
    public var isSequential: Bool
    /// What ended the list too early; `nil` when it is complete. The members before are good.
    public var failure: PluginError?

    /// Creates an outline.
    public init(isSequential: Bool, failure: PluginError? = nil) {
        self.isSequential = isSequential
        self.failure = failure
    }
}

/// Takes the contents of members, each into bounded memory. Made by the worker.
public protocol MemberOutput: AnyObject {
    /// Takes the content of one member.
    ///
    /// What is wrong with this member alone (`corrupt`, `locked`, `unsupported`, `limitExceeded`) is written down
    /// and not thrown again, so that the pass goes on.
    /// - Parameters:
    ///   - place: the member's.
    ///   - content: called at most once, and not for a place that was not asked for. It hands all bytes to the writer,
    ///     piece by piece, and passes on what that throws.
    /// - Returns: whether further members are wanted.
    /// - Throws: what else `content` throws.
    func take(
        _ place: UInt64, _ content: (any MemberWriter) throws(PluginError) -> Void
    ) throws(PluginError) -> Bool
}

/// Takes the bytes of one member. Made by the worker.
public protocol MemberWriter: AnyObject {
    /// Takes the next bytes.
    /// - Throws: `limitExceeded` when they are more than were expected.
    func write(_ bytes: UnsafeRawBufferPointer) throws(PluginError)
}
