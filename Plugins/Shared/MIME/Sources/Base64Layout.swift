/// How a long text of base64 is broken into lines, so that a range of what it means can be found without the rest.
///
/// Nearly every program writes lines of one length. It is told by the beginning, counted by the end, and checked by each
/// range that is read; a text that is otherwise is read from its beginning.
public struct Base64Layout: Sendable, Hashable {
    /// Letters of a line.
    private var line: Int64
    /// Bytes that end a line.
    private var lineEnd: Int64
    /// Letters of all, without those that fill the last group.
    private var letters: Int64

    /// How much of the beginning and the end is needed.
    public static let sample = 2048

    /// Bytes that the text means.
    public var size: Int64 { letters / 4 * 3 + [0, 0, 1, 2][Int(letters % 4)] }

    /// Looks at a text.
    /// - Parameters:
    ///   - head: its first bytes, ``sample`` of them or all.
    ///   - tail: its last bytes, ``sample`` of them or all.
    ///   - size: how many it has.
    /// - Returns: `nil` when its lines are not of one length.
    public init?(head: [UInt8], tail: [UInt8], size: Int64) {
        let first = head.prefix { TransferDecoder.values[Int($0)] < 64 }
        let end = head.dropFirst(first.count).prefix { $0 == 0x0D || $0 == 0x0A }
        (line, lineEnd, letters) = (Int64(first.count), Int64(end.count), 0)
        guard !first.isEmpty, first.count % 4 == 0, first.count < Self.sample,
            [[0x0A], [0x0D, 0x0A]].contains(Array(end))
        else { return nil }
        guard let last = tail.lastIndex(where: { !$0.isSpace }) else { return nil }
        var fill = 0
        var at = last
        while at >= 0, tail[at] == 0x3D {
            fill += 1
            at -= 1
        }
        // A sign that fills the group may stand alone on a line; that is for the slow way.
        guard at >= 0, fill <= 2, TransferDecoder.values[Int(tail[at])] < 64 else { return nil }
        let position = size - Int64(tail.count) + Int64(at)
        let (lines, column) = position.quotientAndRemainder(dividingBy: line + lineEnd)
        guard column < line else { return nil }
        letters = lines * line + column + 1
        guard letters % 4 != 1, fill == 0 || (letters + Int64(fill)) % 4 == 0 else { return nil }
    }

    /// The bytes of the text that hold a range of what it means.
    public func place(of range: Range<Int64>) -> Range<Int64> {
        let first = range.lowerBound / 3 * 4
        let last = min(letters, (range.upperBound + 2) / 3 * 4)
        return position(first)..<(position(max(first, last - 1)) + 1)
    }

    /// Decodes a range.
    /// - Parameters:
    ///   - text: the bytes at ``place(of:)``.
    ///   - range: what is wanted.
    /// - Returns: `nil` when the lines are not as they were taken for.
    public func decode(_ text: [UInt8], _ range: Range<Int64>) -> [UInt8]? {
        let start = place(of: range).lowerBound
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            let column = (start + Int64(index)) % (line + lineEnd)
            if column < line {
                guard TransferDecoder.values[Int(byte)] < 64 else { return nil }
                plain.append(byte)
            } else {
                let isEnd = lineEnd == 1 || column == line + 1 ? byte == 0x0A : byte == 0x0D
                guard isEnd else { return nil }
            }
        }
        let bytes = TransferCoding.base64.decode(plain)
        let skip = Int(range.lowerBound - range.lowerBound / 3 * 3)
        let wanted = Int(min(range.upperBound, size) - range.lowerBound)
        guard bytes.count >= skip + wanted, wanted >= 0 else { return nil }
        return Array(bytes[skip..<(skip + wanted)])
    }

    private func position(_ letter: Int64) -> Int64 { letter / line * (line + lineEnd) + letter % line }
}
