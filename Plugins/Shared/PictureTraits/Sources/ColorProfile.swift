internal import CLCMS
public import VitrineKit

/// The way from the colours of an ICC profile that pictures carry to sRGB.
///
/// It is gone on the reduced picture: ImageMagick's own conversion works on all of it, in 16 bits.
public final class ColorProfile {
    /// The most bytes of a profile that is used, or taken out of a file; those of printers have up to about 3 MB.
    public static let longest = 4 << 20

    /// What a pixel's four bytes mean before the conversion.
    public enum Kind: Sendable {
        /// Red, green, blue.
        case rgb
        /// Three times the same grey.
        case gray
        /// Cyan, magenta, yellow, black; 255 is all ink.
        case ink
    }

    /// Where red lies in a pixel's bytes; grey and inks come in an order of their own, and go to this one.
    public enum Order: Sendable {
        case redFirst, blueFirst
    }

    /// How pixels are converted.
    private enum Way {
        /// They stay as they are.
        case none
        case matrix(MatrixShaper)
        /// By LittleCMS; owned by this object.
        case library(cmsHTRANSFORM)
    }
    private let way: Way

    /// Tables of profiles that have tables: with 17 steps of each colour in place of 33 they are made in 5 ms in place of
    /// 24, and differ from exact ones by a quarter of a step of 255 in the mean (by a twentieth otherwise).
    private static let coarse = cmsUInt32Number(cmsFLAGS_LOWRESPRECALC)

    /// Reads a profile.
    /// - Returns: `nil` when it is damaged, leads all colours to one, or is made for another kind of pixels: it is then left
    ///   aside.
    public init?(_ bytes: UnsafeRawBufferPointer, for kind: Kind, _ order: Order = .redFirst) {
        guard let length = cmsUInt32Number(exactly: bytes.count),
            let profile = cmsOpenProfileFromMem(bytes.baseAddress, length)
        else { return nil }
        defer { cmsCloseProfile(profile) }
        guard !Self.hasFlatMatrix(profile) else { return nil }
        let pixels = order == .redFirst ? clcms_format_rgb() : clcms_format_bgr()
        let format: cmsUInt32Number
        switch (cmsGetColorSpace(profile), kind) {
        case (cmsSigRgbData, .rgb), (cmsSigRgbData, .gray): format = pixels
        case (cmsSigGrayData, .gray), (cmsSigGrayData, .rgb): format = clcms_format_gray()
        case (cmsSigCmykData, .ink): format = clcms_format_cmyk()
        default: return nil
        }
        if kind != .ink, let shaper = MatrixShaper(profile, order) {
            way = Self.changesNothing(shaper.convert) ? .none : .matrix(shaper)
            return
        }
        guard let target = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(target) }
        guard
            let transform = cmsCreateTransform(
                profile, format, target, pixels, cmsUInt32Number(INTENT_PERCEPTUAL), kind == .rgb ? Self.coarse : 0)
        else { return nil }
        let changesNothing =
            kind != .ink
            && Self.changesNothing { from, to, count in cmsDoTransform(transform, from, to, cmsUInt32Number(count)) }
        if changesNothing { cmsDeleteTransform(transform) }
        way = changesNothing ? .none : .library(transform)
    }

    /// Whether the three colours that a matrix mixes are not three, as in profiles that some program left at zero: all of a
    /// picture would take the one colour that is left.
    private static func hasFlatMatrix(_ profile: cmsHPROFILE) -> Bool {
        guard cmsIsMatrixShaper(profile) != 0, cmsGetColorSpace(profile) == cmsSigRgbData else { return false }
        let colours = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].compactMap { tag in
            cmsReadTag(profile, tag)?.load(as: cmsCIEXYZ.self)
        }
        guard colours.count == 3 else { return false }
        let (red, green, blue) = (colours[0], colours[1], colours[2])
        let volume =
            red.X * (green.Y * blue.Z - green.Z * blue.Y) - red.Y * (green.X * blue.Z - green.Z * blue.X)
            + red.Z * (green.X * blue.Y - green.Y * blue.X)
        // That of sRGB is 0.2, and that of spaces which nobody would work in a hundredth of it.
        return abs(volume) < 1e-5
    }

    deinit { if case .library(let transform) = way { cmsDeleteTransform(transform) } }

    /// Whether pixels stay as they are, since the profile is one of the many spellings of sRGB.
    public var isSRGB: Bool { if case .none = way { true } else { false } }

    /// Converts a bitmap in place; alpha stays as it is.
    public func convert(_ bitmap: Bitmap) {
        guard !isSRGB else { return }
        bitmap.withUnsafeMutableBytes { rows in
            for y in 0..<bitmap.height {
                convert(
                    UnsafeMutableRawBufferPointer(rebasing: rows[(y * bitmap.bytesPerRow)...].prefix(bitmap.width * 4)))
            }
        }
    }

    /// Converts pixels of four bytes in place; the last of them stays as it is, but for inks.
    public func convert(_ pixels: UnsafeMutableRawBufferPointer) {
        guard let start = pixels.baseAddress else { return }
        switch way {
        case .none: return
        case .matrix(let shaper): shaper.convert(start, start, count: pixels.count / 4)
        case .library(let transform): cmsDoTransform(transform, start, start, cmsUInt32Number(pixels.count / 4))
        }
    }

    /// Whether colours all over the cube come out as they went in, give or take one step.
    private static func changesNothing(
        _ convert: (_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ count: Int) -> Void
    ) -> Bool {
        let steps: [UInt8] = [0, 16, 51, 102, 153, 204, 255]
        var colours: [UInt8] = []
        for red in steps {
            for green in steps { for blue in steps { colours += [red, green, blue, 0] } }
        }
        var converted = colours
        convert(colours, &converted, colours.count / 4)
        return zip(colours, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}
