/// The letters of a font that are of a script without a specimen of its own: Adlam, Lisu, Khojki, and what Unicode will still get.
struct OtherScript {
    /// How many there are.
    let count: Int
    /// A pair of them that shows their shapes.
    let main: [UInt32]
    /// Some more.
    let line: [UInt32]

    /// Looks for such letters.
    /// - Parameters:
    ///   - letters: all that the font has, in their order.
    ///   - known: where those of scripts with specimens lie.
    /// - Returns: `nil` when there are none.
    init?(_ letters: [UInt32], besides known: [ClosedRange<UInt32>]) {
        let known = known + Self.varieties
        let others = letters.filter { letter in !known.contains { $0.contains(letter) } }
            .compactMap(Unicode.Scalar.init).filter { Self.isLetter($0.properties.generalCategory) }
        // Unicode has scripts in blocks. Where a font has several of them, that with the most letters is shown.
        let blocks = Dictionary(grouping: others) { $0.value / Self.blockSize }
        let largest = blocks.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        guard let block = largest?.value, block.count > 1 else { return nil }
        count = others.count
        let capital = block.first { $0.properties.generalCategory == .uppercaseLetter }
        let small = block.filter { $0.properties.generalCategory == .lowercaseLetter }.dropFirst().first
        let pair = [capital, small].compactMap { $0?.value }
        let main = pair.count == 2 ? pair : block.prefix(2).map(\.value)
        self.main = main
        line = Array(block.map(\.value).filter { !main.contains($0) }.prefix(8))
    }

    private static let blockSize: UInt32 = 128

    /// Letters that stand by themselves: no marks, signs or digits, and none that only change what is beside them.
    private static func isLetter(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter: true
        default: false
        }
    }

    /// Blocks with further letters of scripts that have specimens, and with the same letters in other styles: phonetic, raised,
    /// wide, mathematical.
    private static let varieties: [ClosedRange<UInt32>] = [
        0x00...0xFF, 0x250...0x2FF, 0x860...0x8FF, 0x1380...0x139F, 0x18B0...0x18FF, 0x1C80...0x1CBF,
        0x1CD0...0x1DFF, 0x2000...0x2BFF, 0x2C60...0x2C7F, 0x2D00...0x2D2F, 0x2D80...0x303F, 0x3100...0x33FF,
        0xA640...0xA69F, 0xA700...0xA7FF, 0xA8E0...0xA8FF, 0xA960...0xA97F, 0xAB00...0xABBF, 0xD7B0...0xD7FF,
        0xF900...0xFB4F, 0xFF00...0xFFEF, 0x1B000...0x1B16F, 0x1D400...0x1D7FF, 0x1EE00...0x1EEFF,
        0x30000...0x3FFFF,
    ]
}
