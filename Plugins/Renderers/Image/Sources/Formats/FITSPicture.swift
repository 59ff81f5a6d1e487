internal import BinaryNumbers
internal import VitrineKit

/// A picture in FITS (Flexible Image Transport System, version 4.0): integers of 8 to 64 bits or floating-point numbers, the highest
/// byte and the lowest row first; three planes of them are red, green and blue.
///
/// Telescopes use a small part of the numbers that there are. From black to white that part is shown in which 99.5 % of the
/// picture's numbers lie, as SAOImage DS9 does under that name. Bytes are shown as they are.
struct FITSPicture {
    /// Numbers that are looked at to find the part that is used.
    private static let samples = 1 << 16
    /// The share of them that may be darker than black, and lighter than white.
    private static let cut = 0.0025

    private let bytes: UnsafeRawBufferPointer
    private let header: FITSHeader
    private let size: PixelSize
    private let planes: Int

    /// Draws the first part of a file that is a picture.
    /// - Throws: `corrupt` when a header makes no sense or pixels are missing, `empty` when no part is a picture, `unsupported` for
    ///   compressed ones, `limitExceeded`, and what `check` throws for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        let picture = try FITSPicture(bytes)
        try check(picture.size)
        guard picture.size.width * picture.size.height * picture.planes <= picture.room else {
            throw PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")
        }
        var facts = Facts(size: picture.size)
        facts.title = picture.header.text("OBJECT").flatMap { Facts.line($0) }
        facts.set(.created, picture.header.text("DATE-OBS").flatMap(FactDate.init)?.text)
        return Rendering(try picture.bitmap(box: box), facts: facts)
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        self.bytes = bytes
        header = try FITSHeader.ofPicture(in: bytes)
        size = PixelSize(width: header.sides[0], height: header.sides[1])
        planes = header.sides.count == 3 && header.sides[2] == 3 ? 3 : 1
    }

    /// Numbers for which the file has room.
    private var room: Int { (bytes.count - header.end) / header.numberLength }

    private func bitmap(box: Int) throws(PluginError) -> Bitmap {
        let (black, white) = header.kind != .byte ? usedPart() : header.isTurned ? (-255, 0) : (0, 255)
        let factor = 255 / (white - black)
        var rows = try RowReducer(size, box: box, hasAlpha: false)
        var values = [Double](repeating: 0, count: size.width)
        for y in (0..<size.height).reversed() {
            _ = rows.next { row in
                let target = UnsafeMutableRawBufferPointer(start: row, count: 4 * size.width)
                for plane in 0..<planes {
                    read((plane * size.height + y) * size.width, 1, into: &values)
                    for x in 0..<size.width {
                        // The lesser of this and something that is no number is this. What has no number is black.
                        let value = UInt8(min(255, max(0, (values[x] - black) * factor)) + 0.5)
                        for channel in planes == 1 ? 0..<3 : plane..<plane + 1 { target[4 * x + channel] = value }
                    }
                }
                return true
            }
        }
        return rows.bitmap
    }

    /// The numbers that are black and white; two different ones.
    private func usedPart() -> (Double, Double) {
        let count = size.width * size.height * planes
        var step = max(1, count / Self.samples)
        // So that not the same columns are looked at in each row.
        while Self.greatestDivisor(step, size.width) > 1 { step += 1 }
        var found = [Double](repeating: 0, count: (count - 1) / step + 1)
        read(0, step, into: &found)
        found = found.filter(\.isFinite).sorted()
        guard let least = found.first, let most = found.last, least < most else { return (found.first ?? 0, .infinity) }
        let cut = Int(Double(found.count) * Self.cut)
        let (black, white) = (found[cut], found[found.count - 1 - cut])
        return black < white ? (black, white) : (least, most)
    }

    private static func greatestDivisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? one : greatestDivisor(other, one % other)
    }

    /// Reads numbers, so that larger ones are lighter; where there is none, one that is not finite.
    /// - Parameters:
    ///   - first: the index of the first of them.
    ///   - step: from one to the next.
    ///   - values: gets as many as there is room in; all of them must be there.
    private func read(_ first: Int, _ step: Int, into values: inout [Double]) {
        let sign: Double = header.isTurned ? -1 : 1
        /// One loop for each kind, with nothing to be decided in it.
        func take<Number: FixedWidthInteger>(_ type: Number.Type, _ value: (Number) -> Double) {
            let (start, distance) = (header.end + first * header.numberLength, step * header.numberLength)
            for index in values.indices {
                values[index] = sign * value(bytes.number(type, at: start + index * distance, isBigEndian: true))
            }
        }
        func takeIntegers<Number: FixedWidthInteger>(_ type: Number.Type) {
            guard let blank = header.blank.flatMap({ Number(exactly: $0) }) else { return take(type) { Double($0) } }
            take(type) { $0 == blank ? .nan : Double($0) }
        }
        switch header.kind {
        case .byte: takeIntegers(UInt8.self)
        case .short: takeIntegers(Int16.self)
        case .int: takeIntegers(Int32.self)
        case .long: takeIntegers(Int64.self)
        case .float: take(UInt32.self) { Double(Float(bitPattern: $0)) }
        case .double: take(UInt64.self) { Double(bitPattern: $0) }
        }
    }
}
