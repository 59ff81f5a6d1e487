import CLCMS
import Testing
import VitrineKit

@testable import PictureTraits

@Suite struct ColorProfileTests {
    /// Primaries and curves of colour spaces that cameras and screens use, and one that none does.
    enum Space: String, CaseIterable {
        case adobe, displayP3, generic, narrow

        /// x and y of red, green and blue (Adobe RGB (1998) 4.3.1; SMPTE EG 432-1; SMPTE-C).
        var primaries: cmsCIExyYTRIPLE {
            let (red, green, blue): ((Double, Double), (Double, Double), (Double, Double)) =
                switch self {
                case .adobe: ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
                case .displayP3: ((0.68, 0.32), (0.265, 0.69), (0.15, 0.06))
                case .generic: ((0.63, 0.34), (0.295, 0.605), (0.155, 0.077))
                case .narrow: ((0.5, 0.34), (0.3, 0.5), (0.2, 0.15))
                }
            return cmsCIExyYTRIPLE(
                Red: cmsCIExyY(x: red.0, y: red.1, Y: 1), Green: cmsCIExyY(x: green.0, y: green.1, Y: 1),
                Blue: cmsCIExyY(x: blue.0, y: blue.1, Y: 1))
        }

        var curve: OpaquePointer? {
            switch self {
            case .adobe: return cmsBuildGamma(nil, 2.2)
            case .generic: return cmsBuildGamma(nil, 1.8)
            case .displayP3:
                return cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
            case .narrow: return cmsBuildTabulatedToneCurve16(nil, 5, [0, 9000, 21_000, 40_000, 65_535])
            }
        }

        /// The profile as a file holds it.
        func bytes() throws -> [UInt8] {
            var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1), primaries = primaries
            let curve = try #require(curve)
            defer { cmsFreeToneCurve(curve) }
            var curves: [OpaquePointer?] = [curve, curve, curve]
            let profile = try #require(cmsCreateRGBProfile(&white, &primaries, &curves))
            defer { cmsCloseProfile(profile) }
            var count: cmsUInt32Number = 0
            try #require(cmsSaveProfileToMem(profile, nil, &count) != 0)
            var bytes = [UInt8](repeating: 0, count: Int(count))
            try #require(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
            return bytes
        }
    }

    /// Colours all over the cube, the fourth byte of each its own.
    private static let colours: [UInt8] = stride(from: 0, through: 255, by: 15).flatMap { red in
        stride(from: 0, through: 255, by: 15).flatMap { green in
            stride(from: 0, through: 255, by: 15).flatMap { [UInt8(red), UInt8(green), UInt8($0), UInt8(green ^ red)] }
        }
    }

    /// What a profile makes of the colours.
    private func converted(_ profile: ColorProfile) throws -> [UInt8] {
        let bitmap = try Bitmap(width: Self.colours.count / 4, height: 1, format: .rgba)
        bitmap.withUnsafeMutableBytes { $0.copyBytes(from: Self.colours) }
        profile.convert(bitmap)
        return bitmap.withUnsafeMutableBytes { Array($0.prefix(Self.colours.count)) }
    }

    @Test(
        "Curves and a matrix lead where LittleCMS leads", arguments: Space.allCases,
        [ColorProfile.Order.redFirst, .blueFirst])
    func matrix(space: Space, order: ColorProfile.Order) throws {
        let made = try space.bytes().withUnsafeBytes { bytes in
            let profile = try #require(ColorProfile(bytes, for: .rgb, order))
            let opened = try #require(cmsOpenProfileFromMem(bytes.baseAddress, cmsUInt32Number(bytes.count)))
            defer { cmsCloseProfile(opened) }
            #expect(MatrixShaper(opened, order) != nil)
            let target = try #require(cmsCreate_sRGBProfile())
            defer { cmsCloseProfile(target) }
            let format = order == .redFirst ? clcms_format_rgb() : clcms_format_bgr()
            let transform = try #require(cmsCreateTransform(opened, format, target, format, 0, 0))
            defer { cmsDeleteTransform(transform) }
            var wanted = Self.colours
            cmsDoTransform(transform, Self.colours, &wanted, cmsUInt32Number(wanted.count / 4))
            return (try converted(profile), wanted)
        }
        #expect(made.0 != Self.colours)
        let largest = zip(made.0, made.1).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(largest) <= 1)
    }

    @Test("A profile that says sRGB in other words changes nothing")
    func sameColours() throws {
        let target = try #require(cmsCreate_sRGBProfile())
        defer { cmsCloseProfile(target) }
        var count: cmsUInt32Number = 0
        try #require(cmsSaveProfileToMem(target, nil, &count) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        try #require(cmsSaveProfileToMem(target, &bytes, &count) != 0)
        let profile = try bytes.withUnsafeBytes { try #require(ColorProfile($0, for: .rgb)) }
        #expect(try converted(profile) == Self.colours)
    }

    @Test("A profile whose colours are not three is left aside", arguments: Space.allCases)
    func flat(space: Space) throws {
        var bytes = try space.bytes()
        #expect(bytes.withUnsafeBytes { ColorProfile($0, for: .rgb) } != nil)
        // The table of tags: four letters, where, how long (ICC.1:2022, 7.3). Numbers begin behind eight bytes.
        for tag in ["rXYZ", "bXYZ"] {
            let row = try #require((0..<bytes.count - 12).first { bytes[$0...].starts(with: tag.utf8) })
            let place = bytes[row + 4..<row + 8].reduce(0) { $0 << 8 | Int($1) }
            for at in place + 8..<place + 20 { bytes[at] = 0 }
        }
        #expect(bytes.withUnsafeBytes { ColorProfile($0, for: .rgb) } == nil)
    }

    @Test("Damaged profiles are left aside or convert to something, and end nothing")
    func damaged() throws {
        let bytes = try Space.adobe.bytes()
        var read = 0
        for at in 0..<bytes.count {
            for change: UInt8 in [0x7F, 0xFF] {
                var other = bytes
                other[at] ^= change
                guard let profile = other.withUnsafeBytes({ ColorProfile($0, for: .rgb) }) else { continue }
                #expect(try converted(profile).count == Self.colours.count)
                read += 1
            }
            #expect(bytes[..<at].withUnsafeBytes { ColorProfile($0, for: .gray) } == nil || at > 128)
        }
        #expect(read > 0)
    }
}
