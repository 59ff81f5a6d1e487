/// The chunks of a PNG (ISO/IEC 15948, section 5.3), taken apart in the plainest way, to compare with.
struct Chunks {
    /// Their types, as far as they are whole.
    private(set) var types: [String] = []
    /// Where the last whole one ends.
    private(set) var end = 8

    init(_ png: [UInt8]) {
        Self.walk(png) { start, length in
            types.append(String(decoding: png[start + 4..<start + 8], as: UTF8.self))
            end = start + 12 + length
        }
    }

    /// The file with the checksum that each chunk should have, so that a check behind it is reached.
    static func repaired(_ png: [UInt8], when wanted: Bool) -> [UInt8] {
        guard wanted else { return png }
        var repaired = png
        walk(png) { start, length in
            let sum = checksum(png[start + 4..<start + 8 + length])
            for (place, shift) in zip(start + 8 + length..<start + 12 + length, [24, 16, 8, 0] as [UInt32]) {
                repaired[place] = UInt8(truncatingIfNeeded: sum >> shift)
            }
        }
        return repaired
    }

    private static func walk(_ png: [UInt8], _ each: (_ start: Int, _ length: Int) -> Void) {
        var start = 8
        while png.count - start >= 12 {
            let length = png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= png.count - start - 12 else { return }
            each(start, length)
            start += 12 + length
        }
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
