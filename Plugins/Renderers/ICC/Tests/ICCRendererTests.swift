import CLCMS
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ICCRenderer

@Suite struct ICCRendererTests {
    private static let type = "application/vnd.iccprofile"

    private func draw(_ bytes: [UInt8], box: Int = 256) throws -> Rendering {
        var request = RenderRequest(box: box, mimeType: Self.type)
        request.wantsText = true
        return try ICCRenderer(RendererEnvironment(pluginFolder: "/")).render(BytesInput(bytes), request)
    }

    private func gamut(_ bytes: [UInt8]) throws -> ProfileGamut { try bytes.withUnsafeBytes { try ProfileGamut($0) } }

    private func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes, box: 64) }
    }

    /// The bytes of a profile of LittleCMS, which is closed.
    private func saved(_ made: cmsHPROFILE?) throws -> [UInt8] {
        let profile = try #require(made)
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        try #require(cmsSaveProfileToMem(profile, nil, &count) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        try #require(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
        return bytes
    }

    /// A screen with the primaries of Adobe RGB in the light of day at 6500 K.
    private func screen() throws -> cmsHPROFILE {
        let curve = cmsBuildGamma(nil, 2.2)
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.21, y: 0.71, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        var curves = [curve, curve, curve]
        return try #require(cmsCreateRGBProfile(&white, &primaries, &curves))
    }

    private func isNear(_ point: Chromaticity?, _ x: Double, _ y: Double) -> Bool {
        point.map { abs($0.x - x) < 0.002 && abs($0.y - y) < 0.002 } ?? false
    }

    @Test("It keeps the renderer's contract") func conformance() throws {
        let sample = RendererSample("wide", mimeType: Self.type, bytes: try Fixtures.bytes("icc/wide.icc"))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try ICCRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("A screen's colours are those of its own light, and its name and colours are told")
    func colors() throws {
        let found = try gamut(try saved(try screen()))
        #expect(isNear(found.white, 0.3127, 0.3290), "\(String(describing: found.white))")
        #expect(found.outline.count == 96)
        for (hue, x, y) in [(0, 0.64, 0.33), (32, 0.21, 0.71), (64, 0.15, 0.06)] {
            #expect(isNear(found.outline[hue], x, y), "\(found.outline[hue])")
        }
        #expect(found.summary.hasPrefix("RGB, display, version 4."))
        let drawn = try draw(try Fixtures.bytes("icc/wide.icc"))
        #expect(drawn.facts.title == "Vitrine wide" && drawn.facts.text == "Vitrine wide\nMade for Vitrine's tests")
        let name = try #require(FactName(rawValue: "colorSpace"))
        #expect(drawn.facts.details[name] == .text("RGB"))
        // Red at the right of the diagram, blue below, paper beside them.
        let picture = RGBAPicture(drawn.bitmap)
        let (red, blue) = (picture.pixel(x: 155, y: 170), picture.pixel(x: 66, y: 214))
        #expect(red.red > 200 && red.blue < 120, "\(red)")
        #expect(blue.blue > 200 && blue.green < 120, "\(blue)")
        #expect(picture.pixel(x: 200, y: 80).red == 255 && picture.pixel(x: 200, y: 80).blue == 255)
    }

    @Test("Of a grey there is the white alone, and profiles about no device are refused")
    func others() throws {
        let curve = cmsBuildGamma(nil, 2.2)
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3457, y: 0.3585, Y: 1)
        let grey = try gamut(try saved(cmsCreateGrayProfile(&white, curve)))
        #expect(isNear(grey.white, 0.3457, 0.3585) && grey.outline.isEmpty)
        #expect(failure(try saved(cmsCreateLab4Profile(nil))) == .unsupported)
    }

    @Test("What is empty, cut off or damaged is refused")
    func bad() throws {
        let bytes = try Fixtures.bytes("icc/wide.icc")
        #expect(failure([]) == .empty)
        for count in [1, 127, 128, 200, 300] { #expect(failure(Array(bytes.prefix(count))) == .corrupt, "\(count)") }
        // No light in any colour.
        let black = try screen()
        var none = cmsCIEXYZ()
        for tag in [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag] {
            try #require(cmsWriteTag(black, tag, &none) != 0)
        }
        #expect(failure(try saved(black)) == .corrupt)
        // Fewer numbers than a matrix has.
        let short = try screen()
        try #require(
            cmsWriteRawTag(short, cmsSigChromaticAdaptationTag, Array("sf32".utf8) + [0, 0, 0, 0, 0, 1, 0, 0], 12) != 0)
        #expect(try gamut(try saved(short)).outline.count == 96)
        for seed in 0..<60 {
            let code = failure(damaged(bytes, seed: seed, changes: 20))
            #expect([nil, .corrupt, .limitExceeded, .unsupported].contains(code), "\(seed)")
        }
    }
}
