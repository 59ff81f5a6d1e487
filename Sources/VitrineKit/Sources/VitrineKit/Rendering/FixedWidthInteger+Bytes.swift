// Numbers as files store them, in as many bytes as their formats say.
extension FixedWidthInteger {
    /// The number in bytes of which the first is the most significant one.
    /// - Parameter bytes: all of the number and nothing else. No bytes are 0; of more than this type holds the last ones count.
    @inlinable public init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }

    /// The number in bytes of which the first is the least significant one.
    /// - Parameter bytes: all of the number and nothing else. No bytes are 0; of more than this type holds the first ones count.
    @inlinable public init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
        self.init(bigEndianBytes: bytes.reversed())
    }
}
