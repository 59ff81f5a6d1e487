import PictureTraits
import Testing
import VitrineKit

@Suite struct ColoursTests {
    @Test("One other colour anywhere is found, and transparency only where there is any")
    func several() throws {
        for format in [Bitmap.PixelFormat.bgrx, .bgraPremultiplied] {
            for place in 0..<24 {
                let bitmap = try Bitmap(width: 3, height: 2, format: format)
                bitmap.withUnsafeMutableBytes { bytes in for at in bytes.indices { bytes[at] = 9 } }
                #expect(!bitmap.hasSeveralColours)
                let (row, column) = place.quotientAndRemainder(dividingBy: 12)
                bitmap.withUnsafeMutableBytes { $0[row * bitmap.bytesPerRow + column] = 8 }
                #expect(bitmap.hasSeveralColours == (column % 4 < 3 || format == .bgraPremultiplied), "\(place)")
            }
        }
    }
}
