/// One thing in a folder, as a backend lists or stats it. What a storage does not know is `nil`.
@frozen
public struct Entry: Hashable, Sendable {
    /// What an entry is.
    @frozen
    public enum Kind: UInt8, Sendable {
        /// A regular file: something that can be rendered.
        case file
        /// Something that can be listed.
        case folder
        /// A symbolic link; it is not followed unless the user asks.
        case link
        /// A pipe, device, socket or the like: never opened.
        case special
    }

    /// The bytes of its name: one component, without `/`.
    public var name: [UInt8]
    /// What it is.
    public var kind: Kind
    /// Bytes of content.
    public var size: Int64?
    /// When the content last changed.
    public var modified: Timestamp?
    /// The storage's own mark of a version, compared only for equality.
    public var etag: String?
    /// A number that stays when the file is renamed: the inode, or a drive's file id hashed.
    public var identifier: UInt64?
    /// The file system or volume that it lies on; differs where another one is mounted.
    public var volume: UInt64?
    /// The MIME type that the storage claims. A hint: the content is sniffed all the same.
    public var contentType: String?

    /// Creates an entry; set what else is known afterwards.
    public init(name: [UInt8], kind: Kind, size: Int64? = nil, modified: Timestamp? = nil) {
        self.name = name
        self.kind = kind
        self.size = size
        self.modified = modified
    }

    /// Whether content that was read under `other` may differ from content read under this: size, time, etag or identifier
    /// are not the same.
    public func differs(from other: Entry) -> Bool {
        size != other.size || modified != other.modified || etag != other.etag || identifier != other.identifier
    }
}
