/// What a storage says of a file that was just written.
public struct WrittenFile: Hashable, Sendable {
    /// The checksum that the storage computed itself, and that was compared.
    public var checksum: Checksum?
    /// How many of the bytes that were appended had been there already and were not sent again.
    public var reused: Int64

    /// Creates an answer.
    public init(checksum: Checksum? = nil, reused: Int64 = 0) {
        self.checksum = checksum
        self.reused = reused
    }
}
