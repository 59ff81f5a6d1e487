internal import VitrineKit

/// A JPEG file inside of a raw one.
struct EmbeddedPreview {
    var offset: Int64
    var count: Int
    /// Pixels of its longer side; `nil` when its head does not tell.
    var side: Int?

    /// The most bytes of one.
    private static let longest = 96 << 20
    /// Where the size stands, unless a head is crowded.
    private static let headSize = 64 << 10

    /// Looks at what is said to be one.
    /// - Returns: `nil` for what is none, or is the sensor's data in lossless JPEG.
    /// - Throws: what the input throws.
    init?(_ input: any RandomAccessInput, offset: Int, count: Int) throws(PluginError) {
        guard offset > 0, 256...Self.longest ~= count, Int64(offset) < input.size - 256 else { return nil }
        self.offset = Int64(offset)
        self.count = Int(min(Int64(count), input.size - Int64(offset)))
        let head = try input.bytes(at: Int64(offset), count: min(count, Self.headSize))
        guard head.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var at = 2
        while at + 9 < head.count, head[at] == 0xFF {
            let marker = head[at + 1]
            // SOF0 to SOF2 (ITU-T T.81, table B.1): others are what sensors' data come in.
            if 0xC0...0xC2 ~= marker {
                side = max(Int(bigEndianBytes: head[at + 5..<at + 7]), Int(bigEndianBytes: head[at + 7..<at + 9]))
                return
            }
            if 0xC3...0xCF ~= marker, marker != 0xC4, marker != 0xC8, marker != 0xCC { return nil }
            at += 2 + max(2, Int(bigEndianBytes: head[at + 2..<at + 4]))
        }
    }

    /// The one to decode: the smallest that is large enough, else the largest.
    static func best(_ previews: [EmbeddedPreview], box: Int) -> EmbeddedPreview? {
        let enough = previews.filter { ($0.side ?? 0) >= box }
        return enough.min { ($0.side ?? 0, $0.count) < ($1.side ?? 0, $1.count) }
            ?? previews.max { ($0.side ?? 0, $0.count) < ($1.side ?? 0, $1.count) }
    }
}
