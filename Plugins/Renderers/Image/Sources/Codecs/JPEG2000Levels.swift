internal import VitrineKit

/// How often a picture in JPEG 2000 can be halved by leaving its finest waves undecoded (ISO/IEC 15444-1, annexes A and I).
struct JPEG2000Levels {
    /// The far corner of the area that the picture lies in, in its own pixels.
    let corner: PixelSize
    /// How often each of its components can be halved; single tiles may say less.
    let most: Int

    /// Boxes and markers that are looked at, at most.
    private static let mostBoxes = 64, mostMarkers = 256

    /// - Parameter bytes: the file, or a codestream without boxes around it.
    /// - Returns: `nil` for one that is damaged, or whose pixels are numbers of colours, of which there is no mean.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard var at = Self.codestream(bytes) else { return nil }
        at += 2
        var corner: PixelSize?
        var most: Int?
        // Components are counted in one byte while they are few.
        var isCountLong = false
        for _ in 0..<Self.mostMarkers {
            guard at + 4 <= bytes.count, bytes[at] == 0xFF, bytes[at + 1] != 0x90 else { break }
            let length = Int(bigEndianBytes: bytes[at + 2..<at + 4])
            guard length >= 2, at + 2 + length <= bytes.count else { return nil }
            switch bytes[at + 1] {
            case 0x51 where length >= 38:
                corner = PixelSize(
                    width: Int(bigEndianBytes: bytes[at + 6..<at + 10]),
                    height: Int(bigEndianBytes: bytes[at + 10..<at + 14]))
                isCountLong = Int(bigEndianBytes: bytes[at + 38..<at + 40]) > 256
            case 0x52 where length >= 8: most = min(most ?? .max, Int(bytes[at + 9]))
            case 0x53 where length >= 6: most = min(most ?? .max, Int(bytes[at + (isCountLong ? 7 : 6)]))
            default: break
            }
            at += 2 + length
        }
        guard let corner, let most, most <= 32 else { return nil }
        self.corner = corner
        self.most = most
    }

    /// How often to halve a picture that is to fill a box. What comes out is at least twice as large: halves are less smooth
    /// than means.
    func count(of size: PixelSize, box: Int) -> Int {
        let side = max(size.width, size.height)
        // Beyond 20 halves no picture is left.
        return (1...20).last { $0 <= most && side >> $0 >= 2 * box } ?? 0
    }

    /// Where the codestream begins; `nil` when there is none, or a palette.
    private static func codestream(_ bytes: UnsafeRawBufferPointer) -> Int? {
        if bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return 0 }
        var at = 0
        for _ in 0..<mostBoxes {
            guard at + 16 <= bytes.count else { return nil }
            let type = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            var length = Int(bigEndianBytes: bytes[at..<at + 4])
            let head = length == 1 ? 16 : 8
            if type == "jp2c" { return bytes[(at + head)...].starts(with: [0xFF, 0x4F]) ? at + head : nil }
            if type == "pclr" { return nil }
            if length == 1 {
                // No box in memory needs the upper half.
                guard bytes[at + 8..<at + 12].allSatisfy({ $0 == 0 }) else { return nil }
                length = Int(bigEndianBytes: bytes[at + 12..<at + 16])
            }
            guard length >= head else { return nil }
            // What says how pixels are written lies in a box of boxes.
            at += type == "jp2h" ? head : length
        }
        return nil
    }
}
