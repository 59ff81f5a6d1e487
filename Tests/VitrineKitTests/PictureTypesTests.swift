import Testing
import VitrineKit

struct PictureTypesTests {
    @Test(arguments: [
        (1000.0, 500.0, 256, false, 256, 128), (500, 1000, 256, false, 128, 256), (100, 50, 256, false, 100, 50),
        (100, 50, 256, true, 256, 128), (256, 256, 256, false, 256, 256), (10_000, 1, 128, false, 128, 1),
        (1, 10_000, 128, false, 1, 128), (595.276, 841.89, 256, true, 181, 256), (0.5, 0.25, 128, false, 1, 1),
        (3, 2, 1, false, 1, 1), (1e300, 1e300, 128, false, 128, 128), (1e-300, 1e-300, 128, true, 128, 128),
    ])
    func sizesFit(_ width: Double, _ height: Double, _ box: Int, _ enlarging: Bool, _ across: Int, _ down: Int) {
        let size = PixelSize.fitting(width: width, height: height, in: box, enlarging: enlarging)
        #expect(size == PixelSize(width: across, height: down))
    }

    @Test(arguments: [(0.0, 1.0), (1, 0), (-1, 1), (1, -1), (.nan, 1), (1, .infinity)])
    func sizesThatAreNoneDoNotFit(_ width: Double, _ height: Double) {
        #expect(PixelSize.fitting(width: width, height: height, in: 128, enlarging: true) == nil)
    }

    @Test func sizesTooSmallForANumberDoNotFit() {
        let least = Double.leastNonzeroMagnitude
        #expect(PixelSize.fitting(width: least, height: least, in: 128, enlarging: true) == nil)
        #expect(
            PixelSize.fitting(width: least, height: 1, in: 128, enlarging: true) == PixelSize(width: 1, height: 128))
    }

    @Test func aBoxWithoutPixelsHoldsNothing() {
        #expect(PixelSize.fitting(width: 1, height: 1, in: 0, enlarging: true) == nil)
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 1), (32_768, 1), (1, 32_768), (.max, .max)])
    func bitmapsHaveLimits(_ width: Int, _ height: Int) {
        let error = #expect(throws: PluginError.self) { try Bitmap(width: width, height: height, format: .rgba) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func rowsAreAlignedAndStartAsZeroes() throws {
        let bitmap = try Bitmap(width: 17, height: 3, format: .bgraPremultiplied)
        #expect(bitmap.bytesPerRow == 128)
        bitmap.withUnsafeMutableBytes { bytes in
            #expect(bytes.count == 3 * 128)
            #expect(bytes.allSatisfy { $0 == 0 })
        }
        bitmap.fillWhite()
        bitmap.withUnsafeMutableBytes { #expect($0.allSatisfy { $0 == 255 }) }
    }

    @Test func theLongestSideCanBeMade() throws {
        #expect(try Bitmap(width: Bitmap.maximumSide, height: 1, format: .bgrx).isOpaque)
        #expect(try !Bitmap(width: 1, height: Bitmap.maximumSide, format: .rgba).isOpaque)
    }
}
