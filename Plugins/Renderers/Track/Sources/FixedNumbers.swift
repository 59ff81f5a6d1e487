extension UnsafeRawBufferPointer {
    /// A whole number of a fixed size.
    /// - Parameters:
    ///   - type: how many bytes it has, and whether it has a sign.
    ///   - at: its first byte; all of them must be inside.
    ///   - isBigEndian: whether the most significant byte is the first. Default: the last.
    func number<Number: FixedWidthInteger>(_ type: Number.Type, at: Int, isBigEndian: Bool = false) -> Number {
        let number = loadUnaligned(fromByteOffset: at, as: Number.self)
        return isBigEndian ? Number(bigEndian: number) : Number(littleEndian: number)
    }

    /// A number of IEEE 754 in eight bytes, the least significant one first.
    /// - Parameter at: its first byte; all of them must be inside.
    func double(at: Int) -> Double { Double(bitPattern: number(UInt64.self, at: at)) }
}
