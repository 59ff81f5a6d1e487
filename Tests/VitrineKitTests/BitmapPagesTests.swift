import Testing
import VitrineKit

/// Pages that are drawn larger than they are wanted.
@Suite struct BitmapPagesTests {
    @Test func `each pixel of the half is the mean of four`() throws {
        // Five by three: what is left of an odd side goes.
        let bitmap = try Bitmap(width: 5, height: 3, format: .bgraPremultiplied)
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<3 {
                for x in 0..<5 {
                    for channel in 0..<4 {
                        bytes[y * bitmap.bytesPerRow + x * 4 + channel] = UInt8(x * 50 + y * 3 + channel)
                    }
                }
            }
        }
        let half = try bitmap.halved()
        #expect((half.width, half.height, half.format) == (2, 1, .bgraPremultiplied))
        // (0 + 50 + 3 + 53) / 4 = 26.5 is rounded up; (100 + 150 + 103 + 153) / 4 = 126.5 too.
        half.withUnsafeMutableBytes { #expect(Array($0.prefix(8)) == [27, 28, 29, 30, 127, 128, 129, 130]) }
    }

    @Test func `all widths are halved alike`() throws {
        for width in 2...20 {
            let bitmap = try Bitmap(width: width, height: 2, format: .rgba)
            bitmap.withUnsafeMutableBytes { bytes in
                for at in bytes.indices { bytes[at] = UInt8(truncatingIfNeeded: at * 37) }
            }
            try bitmap.halved().withUnsafeMutableBytes { half in
                // Behind the last pixel there is nothing of what was in this memory before.
                #expect(half.dropFirst(width / 2 * 4).allSatisfy { $0 == 0 })
                bitmap.withUnsafeMutableBytes { bytes in
                    for at in 0..<width / 2 * 4 {
                        let left = at / 4 * 8 + at % 4
                        let sum = [left, left + 4, left + bitmap.bytesPerRow, left + bitmap.bytesPerRow + 4]
                            .reduce(2) { $0 + Int(bytes[$1]) }
                        #expect(Int(half[at]) == sum / 4, "\(width), \(at)")
                    }
                }
            }
        }
    }

    @Test func `white stays white, and what has no half is refused`() throws {
        let paper = try Bitmap.white(PixelSize(width: 2, height: 2), format: .bgrx)
        paper.withUnsafeMutableBytes { bytes in #expect(bytes.allSatisfy { $0 == 255 }) }
        let half = try paper.halved()
        half.withUnsafeMutableBytes { #expect(Array($0.prefix(4)) == [255, 255, 255, 255]) }
        #expect(throws: PluginError.self) { try half.halved() }
    }

    @Test(arguments: [(512, 1024), (64, 128), (1, 2), (513, 513), (1024, 1024)])
    func `small pages are drawn twice as large`(wanted: Int, drawn: Int) throws {
        let page = try Bitmap.page(PixelSize(width: 1, height: wanted)) { (size) throws(PluginError) in
            #expect(size.height == drawn)
            return try Bitmap(width: size.width, height: size.height, format: .bgrx)
        }
        #expect((page.width, page.height) == (1, wanted))
    }
}
