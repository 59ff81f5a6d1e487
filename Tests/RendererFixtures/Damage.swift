import VitrineTesting

/// A file some bytes of which are others.
/// - Parameters:
///   - seed: the same one damages the same file in the same way.
///   - changes: how many bytes are changed, at most.
///   - start: where the first one is that may be.
public func damaged(_ bytes: [UInt8], seed: Int, changes: Int, from start: Int = 0) -> [UInt8] {
    var (random, out) = (SeededNumbers(seed: UInt64(seed)), bytes)
    for _ in 0..<changes {
        out[.random(in: start..<out.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    return out
}
