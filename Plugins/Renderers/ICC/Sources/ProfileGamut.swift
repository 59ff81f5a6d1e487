internal import CLCMS
internal import VitrineKit

/// What an ICC profile says of a device: its name, and the purest colours that it has (ICC.1:2022).
struct ProfileGamut {
    /// What the profile calls itself.
    let name: String?
    /// Who owns it.
    let copyright: String?
    /// What its colours are made of, such as `RGB`.
    let colors: String
    /// Such as `RGB, display, version 4.3`.
    let summary: String
    /// The purest colours, hue by hue; none of greys.
    let outline: [Chromaticity]
    let white: Chromaticity?

    /// Colours from one corner of a device's to the next.
    private static let steps = 16
    /// Bytes of a text.
    private static let longestText = 4096

    /// Reads a profile.
    /// - Throws: `corrupt`, or `unsupported` for one that is about no device's colours.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard let count = cmsUInt32Number(exactly: bytes.count),
            let profile = cmsOpenProfileFromMem(bytes.baseAddress, count)
        else { throw PluginError(.corrupt, "the colour profile is damaged: its list of contents cannot be read") }
        defer { cmsCloseProfile(profile) }
        name = Self.text(profile, cmsInfoDescription)
        copyright = Self.text(profile, cmsInfoCopyright)
        let kind = cmsGetDeviceClass(profile)
        guard let known = Self.classes.first(where: { $0.0 == kind }),
            let space = Self.spaces.first(where: { $0.0 == cmsGetColorSpace(profile) })
        else {
            throw PluginError(
                .unsupported,
                "the colour profile is about no colours of screens, cameras or printers, and nothing of it can be drawn"
            )
        }
        colors = space.1
        let version = (cmsGetProfileVersion(profile) * 10).rounded() / 10
        summary = "\(space.1), \(known.1), version \(version.isFinite ? version : 0)"
        let isLight = space.0 == cmsSigRgbData
        let inks = isLight ? 0 : space.0 == cmsSigCmykData ? 4 : space.0 == cmsSigCmyData ? 3 : 0
        var values: [Float] = []
        // White first; a grey has no other.
        if inks == 0 && !isLight {
            values = [1]
        } else {
            for light in [(1, 1, 1)] + Self.hues {
                let color = [light.0, light.1, light.2]
                values += isLight ? color : color.map { 100 * (1 - $0) } + Array(repeating: 0, count: inks - 3)
            }
        }
        let found = try Self.measured(profile, values, channels: isLight ? 3 : max(inks, 1))
        let light = isLight ? Self.light(of: profile) : nil
        let points = found.map { Chromaticity(light?.cast(on: $0) ?? $0) }
        white = points.first ?? nil
        outline = points.dropFirst().compactMap { $0 }
        guard white != nil, inks == 0 && !isLight || outline.count > 2 else {
            throw PluginError(.corrupt, "the colour profile is damaged: it has no colours but black")
        }
    }

    private static let spaces = [
        (cmsSigRgbData, "RGB"), (cmsSigCmykData, "CMYK"), (cmsSigCmyData, "CMY"), (cmsSigGrayData, "grey"),
    ]
    private static let classes = [
        (cmsSigInputClass, "camera or scanner"), (cmsSigDisplayClass, "display"), (cmsSigOutputClass, "printer"),
        (cmsSigColorSpaceClass, "colour space"),
    ]

    /// The purest mixtures of red, green and blue light, from red by way of yellow to red again.
    private static var hues: [(Float, Float, Float)] {
        (0..<6 * steps).map { step in
            let part = Float(step % steps) / Float(steps)
            return switch step / steps {
            case 0: (1, part, 0)
            case 1: (1 - part, 1, 0)
            case 2: (0, 1, part)
            case 3: (0, 1 - part, 1)
            case 4: (part, 0, 1)
            default: (1, 0, 1 - part)
            }
        }
    }

    /// What a device's values look like, in the light of the profile (D50).
    private static func measured(
        _ profile: cmsHPROFILE, _ values: [Float], channels: Int
    ) throws(PluginError) -> [cmsCIEXYZ] {
        guard let target = cmsCreateXYZProfile() else {
            throw PluginError(.limitExceeded, "there is not enough memory for the colours of the profile")
        }
        defer { cmsCloseProfile(target) }
        let formats = (
            cmsFormatterForColorspaceOfProfile(profile, 4, 1), cmsFormatterForColorspaceOfProfile(target, 4, 1)
        )
        guard
            let transform = cmsCreateTransform(
                profile, formats.0, target, formats.1, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), 0)
        else { throw PluginError(.corrupt, "the colour profile is damaged: it does not say what its colours are") }
        defer { cmsDeleteTransform(transform) }
        let count = values.count / channels
        var measured = [Float](repeating: 0, count: 3 * count)
        cmsDoTransform(transform, values, &measured, cmsUInt32Number(count))
        return stride(from: 0, to: measured.count, by: 3).map { at in
            let color = measured[at..<at + 3].map(Double.init)
            return cmsCIEXYZ(X: color[0], Y: color[1], Z: color[2])
        }
    }

    private static func text(_ profile: cmsHPROFILE, _ info: cmsInfoType) -> String? {
        var letters = [wchar_t](repeating: 0, count: longestText / MemoryLayout<wchar_t>.size)
        let room = cmsUInt32Number((letters.count - 1) * MemoryLayout<wchar_t>.size)
        guard cmsGetProfileInfo(profile, info, "en", "US", &letters, room) > 0 else { return nil }
        let scalars = letters.prefix { $0 != 0 }.compactMap { UInt32(exactly: $0).flatMap(Unicode.Scalar.init) }
        return Facts.line(String(String.UnicodeScalarView(scalars)))
    }
}

extension ProfileGamut {
    /// The light in which a screen's colours are seen; profiles tell them as they would be in that of day at 5000 K (D50).
    struct Light {
        fileprivate var white: cmsCIEXYZ

        /// A colour in this light.
        func cast(on color: cmsCIEXYZ) -> cmsCIEXYZ? {
            guard let day = cmsD50_XYZ() else { return nil }
            var (white, color, result) = (white, color, cmsCIEXYZ())
            return cmsAdaptToIlluminant(&result, day, &white, &color) != 0 ? result : nil
        }
    }

    /// - Returns: `nil` where the profile does not tell.
    private static func light(of profile: cmsHPROFILE) -> Light? {
        if let matrix = adaptation(profile), let day = cmsD50_XYZ()?.pointee, let white = solved(matrix, day) {
            return Light(white: white)
        }
        guard let tag = cmsReadTag(profile, cmsSigMediaWhitePointTag) else { return nil }
        let white = tag.load(as: cmsCIEXYZ.self)
        let isLight = [white.X, white.Y, white.Z].allSatisfy { 0.1...3 ~= $0 }
        return isLight ? Light(white: white) : nil
    }

    /// The matrix that led from the screen's light to D50, row by row; read here, as the library reads as many numbers as there are.
    private static func adaptation(_ profile: cmsHPROFILE) -> [Double]? {
        var bytes = [UInt8](repeating: 0, count: 44)
        guard cmsReadRawTag(profile, cmsSigChromaticAdaptationTag, &bytes, 44) == 44, bytes.starts(with: "sf32".utf8)
        else { return nil }
        return stride(from: 8, to: 44, by: 4).map { at in
            Double(Int32(bigEndianBytes: bytes[at..<at + 4])) / 65536
        }
    }

    /// The colour that a matrix leads to another.
    private static func solved(_ m: [Double], _ color: cmsCIEXYZ) -> cmsCIEXYZ? {
        func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1])
        }
        let columns = (0..<3).map { [m[$0], m[$0 + 3], m[$0 + 6]] }
        let right = [color.X, color.Y, color.Z]
        let whole = determinant(columns[0], columns[1], columns[2])
        guard abs(whole) > 1e-3 else { return nil }
        let result = cmsCIEXYZ(
            X: determinant(right, columns[1], columns[2]) / whole,
            Y: determinant(columns[0], right, columns[2]) / whole,
            Z: determinant(columns[0], columns[1], right) / whole)
        return [result.X, result.Y, result.Z].allSatisfy { 0.1...3 ~= $0 } ? result : nil
    }
}
