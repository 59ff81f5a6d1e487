import Testing
import VitrineKit

/// When pictures inside of items are taken, by their sizes.
@Suite struct EmbeddedUseTests {
    private let photograph = PixelSize(width: 4000, height: 3000)
    private let small = PixelSize(width: 160, height: 120)

    @Test func `auto takes what is a quarter larger than the preview and has the shape of the whole`() {
        #expect(EmbeddedUse.auto.takes(small, of: photograph, box: 128))
        #expect(!EmbeddedUse.auto.takes(small, of: photograph, box: 129))
        #expect(!EmbeddedUse.auto.takes(small, of: photograph, box: .max))
        #expect(!EmbeddedUse.auto.takes(PixelSize(width: 79, height: 59), of: photograph, box: 64))
        #expect(!EmbeddedUse.auto.takes(small, of: PixelSize(width: 4000, height: 2250), box: 128))
        #expect(!EmbeddedUse.auto.takes(small, of: PixelSize(width: 3000, height: 4000), box: 128))
        // A picture that is not enlarged needs no more than its own size.
        #expect(EmbeddedUse.auto.takes(small, of: small, box: 512))
        // Of a document, which takes long to draw, the shape is believed.
        #expect(EmbeddedUse.auto.takes(small, of: nil, box: 160) && !EmbeddedUse.auto.takes(small, of: nil, box: 161))
    }

    @Test func `prefer takes what shows anything, never takes nothing`() {
        #expect(EmbeddedUse.prefer.takes(small, of: PixelSize(width: 4000, height: 2250), box: 1024))
        #expect(!EmbeddedUse.prefer.takes(PixelSize(width: 31, height: 20), of: nil, box: 16))
        #expect(!EmbeddedUse.never.takes(small, of: photograph, box: 16))
    }

    @Test(arguments: [
        (160, 107, 3, 2, true), (160, 120, 3, 2, false), (256, 144, 16, 9, true), (32, 21, 3, 2, true),
        (1000, 1030, 1, 1, false), (1000, 1015, 1, 1, true), (0, 5, 1, 1, false), (5, 5, 0, 1, false),
        (Int.max, 1, 1, Int.max, false),
    ])
    func `shapes are alike up to two in a hundred`(width: Int, height: Int, wide: Int, high: Int, isAlike: Bool) {
        let size = PixelSize(width: width, height: height)
        #expect(size.isShaped(like: PixelSize(width: wide, height: high)) == isAlike)
    }
}
