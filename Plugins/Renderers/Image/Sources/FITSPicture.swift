internal import VitrineKit

/// A picture in FITS (Flexible Image Transport System, version 4.0): whole numbers of 8 to 64 bits or such with a fraction, the
/// highest byte and the lowest row first; three planes of it are red, green and blue.
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
    ///   packed ones, `limitExceeded`, and what `check` throws for its size.
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
        for y in (0..<size.height).reversed() {
            _ = rows.next { row in
                for x in 0..<size.width {
                    var pixel = SIMD4<UInt8>(repeating: 255)
                    for plane in 0..<planes {
                        // What has no number is black.
                        let value = number((plane * size.height + y) * size.width + x).map {
                            UInt8(min(255, max(0, ($0 - black) * factor)).rounded())
                        }
                        if planes == 1 { pixel = SIMD4(repeating: value ?? 0) } else { pixel[plane] = value ?? 0 }
                    }
                    row.storeBytes(of: pixel, toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                }
                return true
            }
        }
        return rows.bitmap
    }

    /// The number at a place, counted from the first; `nil` when there is none.
    private func number(_ index: Int) -> Double? {
        header.number(of: bytes, at: header.end + index * header.numberLength)
    }

    /// The numbers that are black and white; two different ones.
    private func usedPart() -> (Double, Double) {
        let count = size.width * size.height * planes
        var step = max(1, count / Self.samples)
        // So that not the same columns are looked at in each row.
        while step > 1, size.width.isMultiple(of: step) || step.isMultiple(of: 2) { step += 1 }
        let found = stride(from: 0, to: count, by: step).compactMap(number).sorted()
        guard let least = found.first, let most = found.last, least < most else { return (found.first ?? 0, .infinity) }
        let cut = Int(Double(found.count) * Self.cut)
        let (black, white) = (found[cut], found[found.count - 1 - cut])
        return black < white ? (black, white) : (least, most)
    }
}
