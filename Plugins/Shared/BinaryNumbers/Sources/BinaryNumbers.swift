/// Numbers in the bytes of a file, wherever they lie. They are read without a check of their own: the caller knows that all their
/// bytes are inside, which in loops over millions of them is found out once.
extension UnsafeRawBufferPointer {
    /// A whole number of a fixed size.
    /// - Parameters:
    ///   - type: how many bytes it has, and whether it has a sign.
    ///   - offset: its first byte.
    ///   - isBigEndian: whether the most significant byte is the first one. Default: the last one.
    @inlinable @inline(__always) package func number<Number: FixedWidthInteger>(
        _ type: Number.Type, at offset: Int, isBigEndian: Bool = false
    ) -> Number {
        let stored = loadUnaligned(fromByteOffset: offset, as: Number.self)
        return isBigEndian ? Number(bigEndian: stored) : Number(littleEndian: stored)
    }

    /// A number of IEEE 754 in four bytes.
    /// - Parameters:
    ///   - offset: its first byte.
    ///   - isBigEndian: whether the most significant byte is the first one. Default: the last one.
    @inlinable @inline(__always) package func float(at offset: Int, isBigEndian: Bool = false) -> Float {
        Float(bitPattern: number(UInt32.self, at: offset, isBigEndian: isBigEndian))
    }

    /// A number of IEEE 754 in eight bytes.
    /// - Parameters:
    ///   - offset: its first byte.
    ///   - isBigEndian: whether the most significant byte is the first one. Default: the last one.
    @inlinable @inline(__always) package func double(at offset: Int, isBigEndian: Bool = false) -> Double {
        Double(bitPattern: number(UInt64.self, at: offset, isBigEndian: isBigEndian))
    }
}
