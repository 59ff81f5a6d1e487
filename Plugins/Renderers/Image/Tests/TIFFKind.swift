import Glibc

/// A small TIFF picture in one of the ways of writing them (TIFF 6.0, sections 2, 3, 15 and 18), its rows not packed.
struct TIFFKind: Sendable, CustomStringConvertible {
    /// Bits of a sample: 1, 2, 4, 8, 16 or 32; of fractions 16, 32 or 64.
    var bits = 8
    /// Whether samples are fractions from 0 to 1, and colours light.
    var isFraction = false
    /// 0 for greys whose least sample is white, 1 for other greys, 2 for colours, 3 for a palette, 5 for inks, 6 for brightness and
    /// differences, all of them red.
    var photometric = 1
    /// What an extra sample is: 0 when it is not said, 1 for alpha that colours were multiplied by, 2 for other alpha; `nil` for
    /// none.
    var alpha: Int?
    /// Whether that sample is 0 in all pixels; whether the picture shows a part of the earth (GeoTIFF).
    var isNothing = false, isMap = false
    /// Whether each sample has a plane of its own; whether there are tiles instead of strips.
    var isSeparate = false, isTiled = false
    var isBigEndian = false
    /// How the camera was held.
    var orientation = 1
    /// The name of a camera, and an ICC profile.
    var model = "", profile: [UInt8] = []
    /// The number that stands for nothing (GDAL's tag), which the first sample of fractions is.
    var nothing = ""
    /// Sides as the file claims them.
    var claimedWidth = width, claimedHeight = height, claimedTile = 16

    /// Pixels across and down.
    static let width = 21, height = 13
    private static let rowsPerStrip = 5

    var description: String {
        "\(bits) bits, photometric \(photometric), alpha \(alpha.map(String.init) ?? "none")"
            + (isFraction ? ", fractions" : "") + (nothing.isEmpty ? "" : ", nothing is \(nothing)")
            + (isNothing ? " and nothing" : "") + (isMap ? ", a map" : "") + (isSeparate ? ", planes" : "")
            + (isTiled ? ", tiles" : "") + (isBigEndian ? ", big end first" : "")
    }

    /// Of fractions in sixths.
    private var highest: Int { isFraction ? 6 : 1 << bits - 1 }
    private var colours: Int { photometric == 2 || photometric == 6 ? 3 : photometric == 5 ? 4 : 1 }
    private var samples: Int { colours + (alpha == nil ? 0 : 1) }

    /// Steps of light or of indices.
    private func step(_ x: Int, _ y: Int) -> Int { (x + 2 * y) % min(4, highest + 1) }

    private func alphaSample(_ x: Int) -> Int { isNothing ? 0 : x % 3 * highest / 2 }

    private func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        if alpha != nil, channel == colours { return alphaSample(x) }
        if photometric == 3 { return step(x, y) }
        if photometric == 6 { return [76, 85, 255][channel] }
        let light = step(x, y) * highest / min(3, highest)
        let value = channel == 0 ? light : channel == 1 ? highest - light : 0
        guard alpha == 1 else { return value }
        return Int(Double(value) * Double(alphaSample(x)) / Double(highest))
    }

    /// A pixel's red, as it is to be seen.
    func red(_ x: Int, _ y: Int) -> Int {
        let light = step(x, y) * 255 / min(3, highest)
        guard isFraction, photometric == 2 else { return photometric == 0 || photometric == 5 ? 255 - light : light }
        return light == 0 ? 0 : Int((1.055 * pow(Double(light) / 255, 1 / 2.4) - 0.055) * 255 + 0.5)
    }

    /// A pixel's alpha, as it is to be seen.
    func alpha(_ x: Int) -> Int {
        alpha == nil || (alpha == 0 && (isNothing || isMap)) ? 255 : alphaSample(x) * 255 / highest
    }

    /// Rows of a strip or a tile, in one plane or all, each from a byte on; what stands out of the picture is 0.
    private func packed(_ columns: Range<Int>, _ rows: Range<Int>, _ channels: Range<Int>) -> [UInt8] {
        rows.flatMap { y in
            var values: [UInt8] = []
            var (byte, used) = (0, 0)
            for x in columns {
                for channel in channels {
                    var value = x < Self.width && y < Self.height ? sample(x, y, channel) : 0
                    if isFraction { value = fraction(x + y + channel == 0 ? Double(nothing) : nil, value) }
                    if bits >= 16 {
                        values += number(value, bits / 8)
                        continue
                    }
                    byte = byte << bits | value
                    used += bits
                    if used == 8 {
                        values.append(UInt8(byte))
                        (byte, used) = (0, 0)
                    }
                }
            }
            return used == 0 ? values : values + [UInt8(byte << (8 - used))]
        }
    }

    /// The bits of a number, else of so many sixths.
    private func fraction(_ number: Double?, _ sixths: Int) -> Int {
        let value = number ?? Double(sixths) / 6
        return switch bits {
        case 16: Int(Float16(value).bitPattern)
        case 32: Int(Float(value).bitPattern)
        default: Int(truncatingIfNeeded: value.bitPattern)
        }
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    /// All strips or tiles, of one plane after the other.
    private var pieces: [[UInt8]] {
        let planes = isSeparate ? (0..<samples).map { $0..<$0 + 1 } : [0..<samples]
        let (high, wide) = isTiled ? (16, 16) : (Self.rowsPerStrip, Self.width)
        return planes.flatMap { channels in
            stride(from: 0, to: Self.height, by: high).flatMap { y in
                stride(from: 0, to: Self.width, by: wide).map { x in
                    packed(x..<x + wide, y..<(isTiled ? y + high : min(Self.height, y + high)), channels)
                }
            }
        }
    }

    /// The file: header, pieces, one directory, and the values that do not fit into it.
    var file: [UInt8] {
        let pieces = pieces
        var bytes = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(0, 4)
        var offsets: [Int] = []
        for piece in pieces {
            offsets.append(bytes.count)
            bytes += piece
        }
        if bytes.count % 2 == 1 { bytes.append(0) }
        // Tag, type (2 is text, 3 has 2 bytes, 4 has 4, 7 is anything), values.
        var entries: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [claimedWidth]), (257, 4, [claimedHeight]),
            (258, 3, Array(repeating: bits, count: samples)), (259, 3, [1]), (262, 3, [photometric]),
            (277, 3, [samples]), (284, 3, [isSeparate ? 2 : 1]), (274, 3, [orientation]),
        ]
        entries +=
            isTiled
            ? [(322, 4, [claimedTile]), (323, 4, [claimedTile]), (324, 4, offsets), (325, 4, pieces.map(\.count))]
            : [(273, 4, offsets), (278, 4, [Self.rowsPerStrip]), (279, 4, pieces.map(\.count))]
        if photometric == 6 { entries.append((530, 3, [1, 1])) }
        if let alpha, alpha > 0 { entries.append((338, 3, [alpha])) }
        if !model.isEmpty { entries.append((272, 2, model.utf8.map(Int.init) + [0])) }
        if !profile.isEmpty { entries.append((34_675, 7, profile.map(Int.init))) }
        if isFraction { entries.append((339, 3, Array(repeating: 3, count: samples))) }
        if isMap { entries.append((34_735, 3, [1, 1, 0, 0])) }
        if !nothing.isEmpty { entries.append((42_113, 2, nothing.utf8.map(Int.init) + [0])) }
        if photometric == 3 {
            let steps = (0..<1 << bits).map { $0 % 4 * 65_535 / min(3, highest) }
            entries.append((320, 3, steps + steps.map { 65_535 - $0 } + steps.map { _ in 0 }))
        }
        let start = bytes.count
        bytes.replaceSubrange(4..<8, with: number(start, 4))
        var rest: [UInt8] = []
        bytes += number(entries.count, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            let size = entry.type == 2 || entry.type == 7 ? 1 : entry.type == 3 ? 2 : 4
            let values = entry.values.flatMap { number($0, size) }
            bytes += number(entry.tag, 2) + number(entry.type, 2) + number(entry.values.count, 4)
            if values.count <= 4 {
                bytes += values + [UInt8](repeating: 0, count: 4 - values.count)
            } else {
                bytes += number(start + 6 + entries.count * 12 + rest.count, 4)
                rest += values + (values.count % 2 == 1 ? [0] : [])
            }
        }
        return bytes + number(0, 4) + rest
    }
}
