import Finishing
import Testing

/// What keys say of finished pictures, and how large the previews are that they are cut from.
@Suite struct FinishKeyTests {
    @Test func whatIsWrittenIsReadAgain() throws {
        for format in PictureFormat.allCases {
            for fit in [
                Finish.Fit.contain, .cover(.center), .cover(.attention), .cover(.entropy),
                .cover(.focus(x: 0, y: 1000)),
            ] {
                for arrangement in [
                    Finish.Arrangement.single, .sheet(columns: 3, rows: 16, isNumbered: true),
                    .sheet(columns: 1, rows: 2, isNumbered: false), .loop(milliseconds: 400), .mosaic,
                ] {
                    var finish = Finish()
                    (finish.format, finish.fit, finish.arrangement) = (format, fit, arrangement)
                    (finish.parts, finish.background) = (.pages(2...9), PictureColor(1, 2, 254))
                    #expect(Finish(key: finish.description)?.description == finish.description)
                    (finish.parts, finish.background, finish.quality) = (.frames(12), nil, 33)
                    #expect(Finish(key: finish.description)?.description == finish.description)
                }
            }
        }
        #expect(Finish(key: "") == .plain)
    }

    @Test(arguments: [
        "format=gif", "format=png", "cover", "cover=left", "cover=1", "pages=-1--1", "pages=5-2", "pages=5", "sheet=3",
        "sheet=3xn", "loop=x", "frames=", "on=red", "quality=80", "mosaic=1", "format=webp", "unknown=1", "a", ",",
        "quality=80,format=webp", "pages=99999999999999999999-1",
    ])
    func whatNobodyWroteIsNoFinish(_ key: String) { #expect(Finish(key: key) == nil, "\(key)") }

    @Test func theShorterSideFillsTheSquare() {
        let covering = CoveringSize(box: 256, limit: 16_384)
        #expect(covering.first == 512)
        // Twice as long as wide: filled.
        #expect(covering.second(width: 512, height: 256) == nil)
        // Smaller than what was asked for: it is as large as the original.
        #expect(covering.second(width: 300, height: 40) == nil)
        #expect(covering.second(width: 512, height: 128) == 1025)
        #expect(covering.second(width: 2, height: 512) == 2048)
        #expect(CoveringSize(box: 3000, limit: 16_384).most == 6000)
        #expect(CoveringSize(box: 10_000, limit: 16_384).first == 16_384)
        #expect(CoveringSize(box: 10_000, limit: 16_384).second(width: 16_384, height: 10) == nil)
    }
}
