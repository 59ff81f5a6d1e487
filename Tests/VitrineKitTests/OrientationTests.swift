import Testing
import VitrineKit

@Suite struct OrientationTests {
    /// Where the pixel of the turned picture comes from, as Exif 2.32 has it for each value: the edges of the scene that the
    /// first row and the first column are.
    private static func source(_ value: Int, x: Int, y: Int, of stored: PixelSize) -> (x: Int, y: Int) {
        let (right, bottom) = (stored.width - 1, stored.height - 1)
        return switch value {
        case 2: (right - x, y)
        case 3: (right - x, bottom - y)
        case 4: (x, bottom - y)
        case 5: (y, x)
        case 6: (y, bottom - x)
        case 7: (right - y, bottom - x)
        case 8: (right - y, x)
        default: (x, y)
        }
    }

    @Test(
        "Every pixel of every orientation comes from its place, whatever the sides leave over of fours",
        arguments: 1...8)
    func places(value: Int) throws {
        for (width, height) in [(1, 1), (1, 9), (9, 1), (3, 5), (4, 4), (8, 12), (13, 6), (17, 23)] {
            let stored = try Bitmap(width: width, height: height, format: .rgbx)
            stored.withUnsafeMutableBytes { bytes in
                for y in 0..<height {
                    for x in 0..<width {
                        bytes.storeBytes(
                            of: UInt32(y * width + x), toByteOffset: y * stored.bytesPerRow + 4 * x, as: UInt32.self)
                    }
                }
            }
            let orientation = Orientation(exif: value)
            let size = PixelSize(width: width, height: height)
            let turned = try orientation.applied(to: stored)
            #expect(orientation.applied(to: size) == PixelSize(width: turned.width, height: turned.height))
            #expect((value >= 5) == orientation.swapsAxes)
            turned.withUnsafeMutableBytes { bytes in
                for y in 0..<turned.height {
                    for x in 0..<turned.width {
                        let found = bytes.load(fromByteOffset: y * turned.bytesPerRow + 4 * x, as: UInt32.self)
                        let place = Self.source(value, x: x, y: y, of: size)
                        #expect(found == UInt32(place.y * width + place.x), "\(width) × \(height), at \(x), \(y)")
                    }
                }
            }
        }
    }

    @Test(
        "What means nothing is as stored, and then the bitmap is the same one", arguments: [Int.min, 0, 1, 9, 65_535])
    func nothing(value: Int) throws {
        #expect(Orientation(exif: value) == .upright)
        let bitmap = try Bitmap(width: 2, height: 3, format: .rgbx)
        #expect(try Orientation(exif: value).applied(to: bitmap) === bitmap)
    }
}
