/// A whole number as so many bytes, the least first.
public func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// A whole number as so many bytes, the most significant first.
public func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }
