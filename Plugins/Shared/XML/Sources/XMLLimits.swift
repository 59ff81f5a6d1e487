/// What a document may take.
public struct XMLLimits: Sendable {
    /// Bytes of the whole document. Default: 1 GiB, which a stream may have.
    public var bytes: Int64
    /// Elements in one another.
    public var depth: Int
    /// Bytes of one text, name or attribute.
    public var text: Int

    /// Creates limits.
    public init(bytes: Int64 = 1 << 30, depth: Int = 64, text: Int = 64 << 10) {
        self.bytes = bytes
        self.depth = depth
        self.text = text
    }
}
