import VitrineTesting

/// Changes inputs at random, in the ways that break parsers: bits, lengths at their limits, parts that are missing,
/// doubled or from another input.
struct ByteMutator {
    private var numbers: SeededNumbers
    private let pool: [[UInt8]]
    private let words: [[UInt8]]
    private let maximumLength: Int
    private let keepsMarkup: Bool

    /// - Parameters:
    ///   - pool: inputs to begin with.
    ///   - words: words of the format.
    ///   - maximumLength: the most bytes of what comes out.
    ///   - keepsMarkup: whether most changes are made to words and numbers only, so that what is between them still
    ///     holds the text together.
    ///   - seed: the same seed gives the same inputs.
    init(pool: [[UInt8]], words: [String] = [], maximumLength: Int, keepsMarkup: Bool = false, seed: UInt64) {
        self.pool = pool.isEmpty ? [[]] : pool
        self.words = words.map { Array($0.utf8) }
        self.maximumLength = maximumLength
        self.keepsMarkup = keepsMarkup
        numbers = SeededNumbers(seed: seed)
    }

    /// The next input.
    mutating func next() -> [UInt8] {
        var bytes = pool[numbers.below(pool.count)]
        // Mostly few changes, so that the rest stays sound enough to be read; now and then many.
        let changes = 1 << numbers.below(bytes.count < 4096 ? 3 : 5)
        let isMild = keepsMarkup && numbers.below(8) > 0
        for _ in 0..<changes {
            if isMild { changeWord(&bytes) } else { change(&bytes) }
        }
        return Array(bytes.prefix(maximumLength))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = numbers.below(bytes.count + 1)
        switch numbers.below(10) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(numbers.below(8)) }
        case 1: if place < bytes.count { bytes[place] = UInt8(numbers.below(256)) }
        case 2: overwrite(&bytes, at: place, with: number())
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + length(bytes.count)))
        case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + length(bytes.count))], at: place)
        case 5: bytes.insert(contentsOf: number(), at: place)
        case 6: bytes.removeSubrange(place...)
        case 7:
            let other = pool[numbers.below(pool.count)]
            let start = numbers.below(other.count + 1)
            overwrite(&bytes, at: place, with: Array(other[start..<min(other.count, start + length(other.count))]))
        case 8:
            let filler = UInt8([0, 0xFF, 0x20, 0x7F][numbers.below(4)])
            overwrite(&bytes, at: place, with: [UInt8](repeating: filler, count: length(64)))
        default:
            guard !words.isEmpty else { return overwrite(&bytes, at: place, with: number()) }
            bytes.insert(contentsOf: words[numbers.below(words.count)], at: place)
        }
    }

    /// Puts another word in the place of one.
    private mutating func changeWord(_ bytes: inout [UInt8]) {
        guard let old = word(in: bytes) else { return }
        let other = pool[numbers.below(pool.count)]
        if numbers.below(2) == 0, !words.isEmpty {
            bytes.replaceSubrange(old, with: words[numbers.below(words.count)])
        } else if let new = word(in: other) {
            bytes.replaceSubrange(old, with: other[new])
        }
    }

    /// A run of letters, digits, points and signs.
    private mutating func word(in bytes: [UInt8]) -> Range<Int>? {
        func isPart(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x23: true
            default: false
            }
        }
        let place = numbers.below(bytes.count + 1)
        guard let start = bytes[place...].firstIndex(where: isPart) else { return nil }
        return start..<(bytes[start...].firstIndex { !isPart($0) } ?? bytes.count)
    }

    /// Short more often than long.
    private mutating func length(_ most: Int) -> Int { 1 + numbers.below(1 + numbers.below(max(1, most))) }

    /// A number at the limit of some width, in either byte order.
    private mutating func number() -> [UInt8] {
        let width = [1, 2, 4, 8][numbers.below(4)]
        let bits = UInt64(8 * width)
        let all = bits == 64 ? UInt64.max : (1 << bits) - 1
        let edges: [UInt64] = [0, 1, all, all - 1, all >> 1, (all >> 1) + 1, UInt64(numbers.below(4096)), bits]
        let value = edges[numbers.below(edges.count)]
        let little = (0..<UInt64(width)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return numbers.below(2) == 0 ? little : little.reversed()
    }

    private func overwrite(_ bytes: inout [UInt8], at place: Int, with other: [UInt8]) {
        bytes.replaceSubrange(place..<min(bytes.count, place + other.count), with: other)
    }
}

extension SeededNumbers {
    /// A number below a bound, which is above 0.
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
