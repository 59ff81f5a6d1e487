/// Numbers that look random and are the same in each run, so that a seed tells what a test did: SplitMix64, see G. Steele,
/// D. Lea and C. Flood, "Fast splittable pseudorandom number generators", 2014.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter seed: any number; the same one gives the same numbers.
    public init(seed: UInt64) { state = seed }

    /// The next number, any of 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// So many bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255, using: &self) } }
}
