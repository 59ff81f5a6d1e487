import AVMedia
import Testing
import VitrineKit

@Suite struct GeometryTests {
    /// Matrices as ISO/IEC 14496-12 writes them, in 16.16, and where the stored picture's corners go. The
    /// stored picture is A B above C D.
    static let turns: [([Int32], [String])] = [
        ([1, 0, 0, 0, 1, 0, 0, 0, 1], ["AB", "CD"]),
        ([0, 1, 0, -1, 0, 0, 0, 0, 1], ["CA", "DB"]),
        ([-1, 0, 0, 0, -1, 0, 0, 0, 1], ["DC", "BA"]),
        ([0, -1, 0, 1, 0, 0, 0, 0, 1], ["BD", "AC"]),
        ([-1, 0, 0, 0, 1, 0, 0, 0, 1], ["BA", "DC"]),
        ([1, 0, 0, 0, -1, 0, 0, 0, 1], ["CD", "AB"]),
        ([0, 1, 0, 1, 0, 0, 0, 0, 1], ["AC", "BD"]),
        ([0, -1, 0, -1, 0, 0, 0, 0, 1], ["DB", "CA"]),
    ]

    @Test(arguments: turns) func turnsBitmaps(matrix: [Int32], corners: [String]) throws {
        let orientation = Orientation(displayMatrix: matrix.map { $0 << 16 })
        let stored = try Bitmap(width: 3, height: 2, format: .rgbx)
        stored.withUnsafeMutableBytes { bytes in
            bytes[0] = UInt8(ascii: "A")
            bytes[8] = UInt8(ascii: "B")
            bytes[stored.bytesPerRow] = UInt8(ascii: "C")
            bytes[stored.bytesPerRow + 8] = UInt8(ascii: "D")
        }
        let turned = try orientation.applied(to: stored)
        #expect(turned.width == (orientation.swapsAxes ? 2 : 3))
        let found = turned.withUnsafeMutableBytes { bytes in
            [0, turned.height - 1].map { y in
                String(decoding: [0, turned.width - 1].map { bytes[y * turned.bytesPerRow + $0 * 4] }, as: UTF8.self)
            }
        }
        #expect(found == corners)
    }

    @Test func takesAMatrixOfNothingForUpright() {
        #expect(Orientation(displayMatrix: []) == .upright)
        #expect(Orientation(displayMatrix: [0, 0, 0, 0, 0, 0, 0, 0, 0]) == .upright)
        #expect(Orientation(displayMatrix: [.min, .min, 0, .min, .min, 0, 0, 0, 0]).mirrorsRows)
    }

    @Test(arguments: [
        (720, 576, 16.0 / 15, PixelSize(width: 768, height: 576)),
        (720, 480, 8.0 / 9, PixelSize(width: 720, height: 540)),
        (100, 100, 0.0, PixelSize(width: 100, height: 100)),
        (100, 100, 1000.0, PixelSize(width: 100, height: 100)),
        (100, 100, .nan, PixelSize(width: 100, height: 100)),
    ]) func growsTheSideThatIsTooShort(width: Int, height: Int, ratio: Double, size: PixelSize) throws {
        let geometry = try FrameGeometry(
            width: width, height: height, pixelAspectRatio: ratio, orientation: .upright, box: 10_000)
        #expect(geometry.size == size)
        #expect(geometry.target == size)
    }

    @Test func refusesFramesWithoutPixels() {
        #expect(throws: PluginError.self) {
            try FrameGeometry(width: 0, height: 5, pixelAspectRatio: 1, orientation: .upright, box: 10)
        }
    }
}
