internal import CMagick
import Glibc
internal import PictureTraits
internal import VitrineKit

extension Bitmap {
    /// Whether all pixels are the same.
    var isOneColour: Bool {
        withUnsafeMutableBytes { rows in
            guard let first = rows.baseAddress else { return true }
            return (0..<height).allSatisfy { y in
                let row = first + y * bytesPerRow
                return memcmp(row, first, 4) == 0 && memcmp(row, row + 4, (width - 1) * 4) == 0
            }
        }
    }
}

extension Bitmap {
    /// Whether all pixels, of four bytes of which the last is alpha, can be seen through.
    var showsNothing: Bool {
        guard format == .rgba else { return false }
        return withUnsafeMutableBytes { rows in
            (0..<height).allSatisfy { y in
                (0..<width).allSatisfy { x in rows[y * bytesPerRow + 4 * x + 3] == 0 }
            }
        }
    }
}

/// From ImageMagick's pixels, 16 bits a channel in any colour space, to a bitmap.
extension MagickImage {
    /// Takes the picture for one without a fourth channel from here on.
    mutating func ignoreAlpha() { MagickSetImageAlphaChannel(wand, DeactivateAlphaChannel) }

    /// The picture in sRGB, reduced by whole factors while it is at least four times as large as the box.
    mutating func bitmap(box: Int, _ profiles: ColorProfileCache) throws(PluginError) -> Bitmap {
        let profile = embeddedProfile(profiles)
        let layout = try prepareColours(profile)
        let bitmap = try export(layout, isLight: isLight, box: box)
        profile?.convert(bitmap)
        return bitmap
    }

    /// Whether values are light, and not what sRGB writes for it. Of DPX ImageMagick always says so, and yet shows them as
    /// they are, as other programs do; in its own files it once called sRGB so.
    private var isLight: Bool {
        ![.dpx, .miff].contains(format) && MagickGetImageColorspace(wand) == RGBColorspace
    }

    /// How pixels are taken out.
    private enum Layout: String {
        case opaque = "RGBP"
        case alpha = "RGBA"
        /// Ink, to be converted by a profile.
        case ink = "CMYK"
    }

    private func embeddedProfile(_ profiles: ColorProfileCache) -> ColorProfile? {
        var length = 0
        guard let bytes = MagickGetImageProfile(wand, "icc", &length) else { return nil }
        defer { MagickRelinquishMemory(bytes) }
        let kind: ColorProfile.Kind? =
            switch MagickGetImageColorspace(wand) {
            case CMYKColorspace: .ink
            case sRGBColorspace: .rgb
            case GRAYColorspace: .gray
            default: nil
            }
        return kind.flatMap { profiles.profile(UnsafeRawBufferPointer(start: bytes, count: length), for: $0) }
    }

    /// Brings colours that no profile explains to sRGB by ImageMagick's own formulas.
    private mutating func prepareColours(_ profile: ColorProfile?) throws(PluginError) -> Layout {
        let isInk = MagickGetImageColorspace(wand) == CMYKColorspace
        if isInk, profile != nil { return .ink }
        switch MagickGetImageColorspace(wand) {
        // Red, green and blue light becomes sRGB when it is taken out.
        case sRGBColorspace, GRAYColorspace, TransparentColorspace, RGBColorspace: break
        default:
            guard MagickTransformImageColorspace(wand, sRGBColorspace) == MagickTrue else {
                throw PluginError(.unsupported, "the picture's colours cannot be converted to sRGB")
            }
        }
        return MagickGetImageAlphaChannel(wand) == MagickTrue ? .alpha : .opaque
    }

    /// The bytes of light of 16 bits. ImageMagick computes a power for each colour of each pixel instead.
    private static let written = WrittenLight.bytes(full: 0xFFFF)

    /// Takes the pixels out row by row.
    /// - Parameter isLight: whether their values are light, and not what sRGB writes for it.
    private func export(_ layout: Layout, isLight: Bool, box: Int) throws(PluginError) -> Bitmap {
        let size = size
        var rows = try RowReducer(size, box: box, hasAlpha: layout == .alpha)
        var light = [UInt16](repeating: 0, count: isLight ? size.width * 4 : 0)
        for y in 0..<size.height {
            let isDone = rows.next { row in
                guard isLight else {
                    return MagickExportImagePixels(wand, 0, y, size.width, 1, layout.rawValue, CharPixel, row)
                        == MagickTrue
                }
                let isRead = MagickExportImagePixels(wand, 0, y, size.width, 1, layout.rawValue, ShortPixel, &light)
                Self.write(light, into: UnsafeMutableRawBufferPointer(start: row, count: size.width * 4))
                return isRead == MagickTrue
            }
            guard isDone else { throw PluginError(.limitExceeded, "no memory is left for the picture's pixels") }
        }
        return rows.bitmap
    }

    /// Light becomes what sRGB writes for it; the fourth value of each pixel is alpha, and keeps its share.
    private static func write(_ light: [UInt16], into row: UnsafeMutableRawBufferPointer) {
        for at in stride(from: 0, to: light.count, by: 4) {
            for channel in at..<at + 3 { row[channel] = written[Int(light[channel])] }
            row[at + 3] = UInt8((UInt32(light[at + 3]) + 128) / 257)
        }
    }
}
