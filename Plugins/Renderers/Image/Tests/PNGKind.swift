/// A square PNG picture in one of the ways of writing them (PNG, Third Edition, 6.1, 7.2 and 8.1), its pixels not packed.
struct PNGKind: Sendable, CustomStringConvertible {
    /// Bits of a sample: 1, 2, 4, 8 or 16.
    var depth: Int
    /// 0 for greys, 2 for colours, 4 and 6 for them with alpha.
    var colourType: Int
    /// The sample that is transparent (`tRNS`, 11.3.1.1); for greys only.
    var clear: [UInt8] = []
    /// In the order of Adam7.
    var isInterlaced = false

    /// Pixels of a side.
    static let side = 13

    var description: String { "\(depth) bits, type \(colourType)\(isInterlaced ? ", interlaced" : "")" }

    private var hasAlpha: Bool { colourType & 4 != 0 }
    private var highest: Int { 1 << depth - 1 }

    /// What a pixel's first sample is: greys in steps, among them 0x55.
    private func sample(_ x: Int, _ y: Int) -> Int { ((x + 2 * y) % 4) * highest / 3 }

    /// A pixel's red, as it is to be seen.
    func red(_ x: Int, _ y: Int) -> Int { sample(x, y) * 255 / highest }

    /// A pixel's alpha, as it is to be seen.
    func alpha(_ x: Int, _ y: Int) -> Int {
        if hasAlpha { return (x % 3) * 255 / 2 }
        return !clear.isEmpty && sample(x, y) == Int(clear[1]) ? 0 : 255
    }

    /// The samples of some pixels of a row, packed from the highest bit on.
    private func row(_ y: Int, _ columns: [Int]) -> [UInt8] {
        var bits: [Int] = []
        func add(_ value: Int) { bits += (0..<depth).reversed().map { value >> $0 & 1 } }
        for x in columns {
            add(sample(x, y))
            if colourType & 2 != 0 { add(highest - sample(x, y)); add(0) }
            if hasAlpha { add((x % 3) * highest / 2) }
        }
        while bits.count % 8 != 0 { bits.append(0) }
        return stride(from: 0, to: bits.count, by: 8).map { at in UInt8(bits[at..<at + 8].reduce(0) { $0 << 1 | $1 }) }
    }

    /// The file.
    var file: [UInt8] {
        /// First column and row, and steps of both.
        let passes =
            isInterlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        var rows: [UInt8] = []
        for (left, top, across, down) in passes {
            let columns = Array(stride(from: left, to: Self.side, by: across))
            for y in stride(from: top, to: Self.side, by: down) { rows += [0] + row(y, columns) }
        }
        let side = [0, 0, 0, UInt8(Self.side)]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Fixtures.chunk("IHDR", side + side + [UInt8(depth), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0])
            + (clear.isEmpty ? [] : Fixtures.chunk("tRNS", clear))
            + Fixtures.chunk("IDAT", Self.stored(rows)) + Fixtures.chunk("IEND", [])
    }

    /// A zlib stream of one block that is not packed (RFC 1950, RFC 1951 3.2.4).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let count = [UInt8(bytes.count & 255), UInt8(bytes.count >> 8)]
        return [0x78, 0x01, 1] + count + count.map { ~$0 } + bytes
            + [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)]
    }
}
