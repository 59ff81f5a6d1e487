internal import VitrineKit

/// The first block of a WavPack file ("WavPack 4 & 5 Binary File / Block Format", 2.0 and 3.0).
enum WavPackBlock {
    /// Bytes of a file in which it is looked at: what lies before its samples is short.
    static let reach = 4096

    private static let headerLength = 32
    private static let samples: UInt8 = 0x0A
    private static let corrections: UInt8 = 0x0B

    /// Whether a file holds what another one, which can be played by itself, lacks to be without loss (`.wvc`): a block with
    /// corrections of samples, but no samples.
    /// - Parameter head: its first bytes.
    static func isCorrection(_ head: [UInt8]) -> Bool {
        guard head.starts(with: "wvpk".utf8), head.count >= headerLength else { return false }
        let length = Int(littleEndianBytes: head[4..<8]) + 8
        var rest = head[headerLength...].prefix(max(0, length - headerLength))
        var correctsSamples = false
        while rest.count >= 2, let name = rest.first {
            // Lengths are of two bytes each, and have three bytes themselves where the highest bit is set.
            let isLong = name & 0x80 != 0
            guard rest.count >= (isLong ? 4 : 2) else { break }
            let words = Int(littleEndianBytes: rest.dropFirst().prefix(isLong ? 3 : 1))
            if name & 0x3F == samples { return false }
            if name & 0x3F == corrections { correctsSamples = true }
            rest = rest.dropFirst((isLong ? 4 : 2) + 2 * words)
        }
        return correctsSamples
    }
}
