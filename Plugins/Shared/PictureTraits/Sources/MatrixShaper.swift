internal import CLCMS

/// The way to sRGB of a profile that is three curves and a matrix (ICC.1:2022, F.3), as those of cameras, screens and
/// programs mostly are, in tables of 28 KB.
///
/// LittleCMS calls a power function for each entry of tables ten times as large, which takes as long as decoding a small
/// photograph, and then four times as long for a pixel. What comes out differs by one step at most.
struct MatrixShaper {
    /// What each byte of a pixel adds to the light of its three colours, in their order; 256 for each of the three bytes.
    private let light: [SIMD4<Int32>]

    /// Full light, and how much finer sums of it are.
    private static let full = 16_383, fraction = 8

    /// From light in the profile connection space to that of sRGB: the inverse of what sRGB's own ICC profile has as its
    /// colorants, adapted to D50.
    private static let toSRGB: [SIMD4<Double>] = [
        SIMD4(3.134112, -0.978787, 0.071983, 0), SIMD4(-1.617392, 1.916280, -0.228986, 0),
        SIMD4(-0.490633, 0.033455, 1.405385, 0),
    ]

    private static let written = WrittenLight.bytes(full: full)

    /// Reads a profile.
    /// - Parameter order: of the colours in a pixel's bytes, before and after.
    /// - Returns: `nil` when it is of another kind, or has tables besides, which go before.
    init?(_ profile: cmsHPROFILE, _ order: ColorProfile.Order) {
        let kinds = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
        guard kinds.contains(cmsGetDeviceClass(profile)), cmsGetColorSpace(profile) == cmsSigRgbData,
            cmsGetPCS(profile) == cmsSigXYZData, cmsIsMatrixShaper(profile) != 0,
            cmsIsTag(profile, cmsSigAToB0Tag) == 0, cmsIsTag(profile, cmsSigDToB0Tag) == 0
        else { return nil }
        let channels = [
            (cmsSigRedColorantTag, cmsSigRedTRCTag), (cmsSigGreenColorantTag, cmsSigGreenTRCTag),
            (cmsSigBlueColorantTag, cmsSigBlueTRCTag),
        ]
        var light: [SIMD4<Int32>] = []
        for (colorant, curve) in order == .redFirst ? channels : channels.reversed() {
            guard let place = cmsReadTag(profile, colorant)?.load(as: cmsCIEXYZ.self),
                let curve = cmsReadTag(profile, curve)
            else { return nil }
            var full = place.X * Self.toSRGB[0] + place.Y * Self.toSRGB[1] + place.Z * Self.toSRGB[2]
            if order == .blueFirst { full = SIMD4(full.z, full.y, full.x, 0) }
            for value in 0..<256 {
                let share = cmsEvalToneCurveFloat(OpaquePointer(curve), Float(value) / 255)
                light.append(Self.units(full * Double(share.isFinite ? min(1, max(0, share)) : 0)))
            }
        }
        self.light = light
    }

    /// In units of the tables; bounded, so that three of them can be added whatever a profile says.
    private static func units(_ shares: SIMD4<Double>) -> SIMD4<Int32> {
        let bounded = shares.clamped(
            lowerBound: SIMD4(repeating: -64), upperBound: SIMD4(repeating: 64))
        return SIMD4<Int32>(bounded * Double(full << fraction), rounding: .toNearestOrEven)
    }

    /// Converts pixels of four bytes, of which the last stays as it is. In place is allowed.
    func convert(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, count: Int) {
        let half = SIMD4<Int32>(repeating: 1 << (Self.fraction - 1))
        let (dark, bright) = (SIMD4<Int32>.zero, SIMD4<Int32>(repeating: Int32(Self.full)))
        light.withUnsafeBufferPointer { light in
            Self.written.withUnsafeBufferPointer { written in
                for at in stride(from: 0, to: count * 4, by: 4) {
                    let pixel = from.loadUnaligned(fromByteOffset: at, as: SIMD4<UInt8>.self)
                    let sum = light[Int(pixel.x)] &+ light[256 + Int(pixel.y)] &+ light[512 + Int(pixel.z)] &+ half
                    let index = (sum &>> Int32(Self.fraction)).clamped(lowerBound: dark, upperBound: bright)
                    let made = SIMD4(written[Int(index.x)], written[Int(index.y)], written[Int(index.z)], pixel.w)
                    to.storeBytes(of: made, toByteOffset: at, as: SIMD4<UInt8>.self)
                }
            }
        }
    }
}
