import Foundation
import GoldenPictures
import Testing
import VitrineKit
import VitrineTesting

@Suite struct GoldenPictureTests {
    /// A page: white, with lines of grey dashes that stand for small text, shifted by some pixels.
    private func page(shift: Int = 0, tint: UInt8 = 255, width: Int = 160, height: Int = 120) throws -> RGBAPicture {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let inLine = y % 10 < 3 && x > 10 && x < width - 10 - shift * 2
                let ink = inLine && (x + shift) % 4 < 2
                pixels += ink ? [150, 150, 150, 255] : [255, tint, 255, 255]
            }
        }
        return try #require(RGBAPicture(width: width, height: height, pixels: pixels))
    }

    private func golden(_ scratch: ScratchFolder, _ tolerance: GoldenPicture.Tolerance = .fonts) -> GoldenPicture {
        GoldenPicture(
            "pages/one", tolerance: tolerance, folder: scratch.path + "/golden", failures: scratch.path + "/failed",
            updating: false)
    }

    private func saved(_ picture: RGBAPicture, in scratch: ScratchFolder) throws {
        let writer = GoldenPicture("pages/one", folder: scratch.path + "/golden", updating: true)
        try writer.match(picture)
    }

    @Test func thePictureItselfMatches() throws {
        let scratch = try ScratchFolder("golden")
        try saved(page(), in: scratch)
        try golden(scratch, .codec).match(page())
        #expect(access(scratch.path + "/failed", F_OK) == -1)
    }

    @Test func anUpdateLeavesWhatStillMatches() throws {
        let scratch = try ScratchFolder("golden")
        try saved(page(), in: scratch)
        let path = scratch.path + "/golden/pages/one.png"
        let first = try Data(contentsOf: URL(filePath: path))
        let tolerant = GoldenPicture("pages/one", tolerance: .fonts, folder: scratch.path + "/golden", updating: true)
        try tolerant.match(page(shift: 2))
        #expect(try Data(contentsOf: URL(filePath: path)) == first)
        try saved(page(shift: 2), in: scratch)
        #expect(try Data(contentsOf: URL(filePath: path)) != first)
        try Data("no picture".utf8).write(to: URL(filePath: path))
        try tolerant.match(page())
        #expect(try Data(contentsOf: URL(filePath: path)) == first)
    }

    @Test func anotherFontMatchesOnlyWithTheTolerantRule() throws {
        let scratch = try ScratchFolder("golden")
        try saved(page(), in: scratch)
        try golden(scratch, .fonts).match(page(shift: 2))
        #expect(throws: PluginError.self) { try golden(scratch, .codec).match(page(shift: 2)) }
    }

    @Test func aTintUpsideDownAndBlankAreFoundOut() throws {
        let scratch = try ScratchFolder("golden")
        try saved(page(), in: scratch)
        #expect(throws: PluginError.self) { try golden(scratch).match(page(tint: 225)) }
        let blank = try #require(
            RGBAPicture(width: 160, height: 120, pixels: [UInt8](repeating: 255, count: 160 * 120 * 4)))
        #expect(throws: PluginError.self) { try golden(scratch).match(blank) }
    }

    @Test func theFixturesTurnedIsFoundOut() throws {
        let scratch = try ScratchFolder("golden")
        let upright = try RGBAPicture(png: Fixtures.path("image/rgb-8.png"))
        try saved(upright, in: scratch)
        let reversed = stride(from: upright.pixels.count - 4, through: 0, by: -4).flatMap {
            upright.pixels[$0..<$0 + 4]
        }
        let turned = try #require(RGBAPicture(width: upright.width, height: upright.height, pixels: reversed))
        try golden(scratch).match(upright)
        #expect(throws: PluginError.self) { try golden(scratch).match(turned) }
        #expect(QuadrantCheck(upright).arrangement == .upright)
        #expect(QuadrantCheck(turned).arrangement == .upsideDown)
    }

    @Test func anotherSizeIsFoundOut() throws {
        let scratch = try ScratchFolder("golden")
        try saved(page(), in: scratch)
        try golden(scratch).match(page(width: 161))
        let error = #expect(throws: PluginError.self) { try golden(scratch).match(page(width: 164)) }
        #expect(error?.message.contains("164 × 120") == true)
    }

    @Test func aFailureKeepsThreePictures() throws {
        let scratch = try ScratchFolder("golden")
        try saved(page(), in: scratch)
        let actual = try page(tint: 100)
        let error = #expect(throws: PluginError.self) { try golden(scratch).match(actual) }
        #expect(error?.message.contains(scratch.path + "/failed/pages/one") == true)
        #expect(try RGBAPicture(png: scratch.path + "/failed/pages/one/actual.png") == actual)
        #expect(try RGBAPicture(png: scratch.path + "/failed/pages/one/expected.png") == page())
        let difference = try RGBAPicture(png: scratch.path + "/failed/pages/one/difference.png")
        #expect(difference.pixel(x: 0, y: 0).red > 100)
    }

    @Test func aMissingGoldenIsAFailureAndNotAPass() throws {
        let scratch = try ScratchFolder("golden")
        let error = #expect(throws: PluginError.self) { try golden(scratch).match(page()) }
        #expect(error?.code == .notFound)
    }

    @Test func brokenPicturesAreRefused() throws {
        let good = try Data(contentsOf: URL(filePath: Fixtures.path("image/rgb-8.png")))
        #expect(throws: PluginError.self) { try RGBAPicture(png: [UInt8](good.prefix(200))) }
        #expect(throws: PluginError.self) { try RGBAPicture(png: []) }
        let claim = #expect(throws: PluginError.self) { try RGBAPicture(png: Fixtures.path("bad/huge-claim.png")) }
        #expect(claim?.code == .limitExceeded)
    }
}
