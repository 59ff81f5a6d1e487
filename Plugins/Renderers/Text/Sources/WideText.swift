/// A text in UTF-16 or UTF-32.
struct WideText {
    let text: String
    /// Bytes of a unit.
    let width: Int

    /// - Returns: `nil` when the bytes are neither.
    init?(_ bytes: [UInt8]) {
        width = bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) ? 4 : 2
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
            text = Self.decode(bytes.dropFirst(4), width: 4, littleEndian: true)
        } else if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            text = Self.decode(bytes.dropFirst(4), width: 4, littleEndian: false)
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            text = Self.decode(bytes.dropFirst(2), width: 2, littleEndian: true)
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            text = Self.decode(bytes.dropFirst(2), width: 2, littleEndian: false)
        } else if let littleEndian = Self.order(of: bytes) {
            text = Self.decode(bytes[...], width: 2, littleEndian: littleEndian)
        } else {
            return nil
        }
    }

    /// Which half of each unit of UTF-16 comes first, where no mark says so.
    /// - Returns: whether the lower half does; `nil` when the bytes are no text in UTF-16.
    private static func order(of bytes: [UInt8]) -> Bool? {
        let sample = bytes.prefix(4096)
        let units = sample.count / 2
        guard units >= 4 else { return nil }
        // The upper half of most letters of western texts is 0, the lower one hardly ever is.
        let first = stride(from: 0, to: units * 2, by: 2).count { sample[$0] == 0 }
        let second = stride(from: 1, to: units * 2, by: 2).count { sample[$0] == 0 }
        if first * 10 < units, second * 10 > units * 6 { return true }
        if second * 10 < units, first * 10 > units * 6 { return false }
        let orders = [true, false].filter { WideUnits(sample, littleEndian: $0).areText }
        return orders.count == 1 ? orders[0] : nil
    }

    /// Whatever is left over at the end is cut off.
    private static func decode(_ bytes: ArraySlice<UInt8>, width: Int, littleEndian: Bool) -> String {
        let starts = stride(from: bytes.startIndex, through: bytes.endIndex - width, by: width)
        func unit(_ start: Int) -> UInt32 {
            let unit = bytes[start..<start + width]
            return littleEndian
                ? unit.reversed().reduce(0) { $0 << 8 | UInt32($1) } : unit.reduce(0) { $0 << 8 | UInt32($1) }
        }
        if width == 4 { return String(decoding: starts.map(unit), as: UTF32.self) }
        var units = starts.map { UInt16(truncatingIfNeeded: unit($0)) }
        // Half of a pair, where the reading ended.
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        return String(decoding: units, as: UTF16.self)
    }
}
