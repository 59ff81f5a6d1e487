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
