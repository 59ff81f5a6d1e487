/// What is known of a file before it is written.
public struct FileDraft: Hashable, Sendable {
    /// Bytes of content; `nil` when only its end will tell. No more than these are appended.
    public var size: Int64?
    /// When its content last changed.
    public var modified: Timestamp?
    /// Its MIME type.
    public var contentType: String?
    /// Stands for the content: whoever writes with the same token into the same folder writes the same bytes. 1 to 64 of
    /// `a-z 0-9`. `nil` when nothing is to be gone on with.
    public var token: String?

    /// Creates a draft.
    public init(
        size: Int64? = nil, modified: Timestamp? = nil, contentType: String? = nil, token: String? = nil
    ) {
        self.size = size
        self.modified = modified
        self.contentType = contentType
        self.token = token
    }
}
