/// The bytes that a `[…]` of a pattern stands for.
struct ByteSet: Hashable, Sendable {
    private var words = SIMD4<UInt64>()

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    mutating func insert(_ bytes: some Sequence<UInt8>) { for byte in bytes { insert(byte) } }

    /// All the others.
    var inverted: ByteSet {
        var copy = self
        copy.words = ~words
        return copy
    }

    /// The classes of POSIX, of ASCII only, as git has them.
    static let classes: [String: [UInt8]] = {
        func of(_ ranges: ClosedRange<UInt8>...) -> [UInt8] { ranges.flatMap { Array($0) } }
        let (lower, upper, digit) = (of(0x61...0x7A), of(0x41...0x5A), of(0x30...0x39))
        return [
            "alnum": lower + upper + digit, "alpha": lower + upper, "blank": [0x20, 0x09],
            "cntrl": of(0x00...0x1F, 0x7F...0x7F), "digit": digit, "graph": of(0x21...0x7E), "lower": lower,
            "print": of(0x20...0x7E), "punct": of(0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E),
            "space": of(0x09...0x0D, 0x20...0x20), "upper": upper,
            "xdigit": of(0x30...0x39, 0x41...0x46, 0x61...0x66),
        ]
    }()
}
