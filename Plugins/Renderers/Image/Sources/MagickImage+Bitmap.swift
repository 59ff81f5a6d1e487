internal import CMagick
internal import PictureTraits
internal import VitrineKit

/// From ImageMagick's pixels, 16 bits a channel in any colour space, to a bitmap.
extension MagickImage {
    /// The picture in sRGB, reduced by whole factors while it is at least four times as large as the box.
    mutating func bitmap(box: Int, _ profiles: ColorProfileCache) throws(PluginError) -> Bitmap {
        let profile = embeddedProfile(profiles)
        let layout = try prepareColours(profile)
        let bitmap = try export(layout, box: box)
        profile?.convert(bitmap)
        return bitmap
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
        case sRGBColorspace, GRAYColorspace, TransparentColorspace: break
        default:
            guard MagickTransformImageColorspace(wand, sRGBColorspace) == MagickTrue else {
                throw PluginError(.unsupported, "the picture's colours cannot be converted to sRGB")
            }
        }
        return MagickGetImageAlphaChannel(wand) == MagickTrue ? .alpha : .opaque
    }

    /// Takes the pixels out row by row.
    private func export(_ layout: Layout, box: Int) throws(PluginError) -> Bitmap {
        let size = size
        var rows = try RowReducer(size, box: box, hasAlpha: layout == .alpha)
        for y in 0..<size.height {
            let isDone = rows.next { row in
                MagickExportImagePixels(wand, 0, y, size.width, 1, layout.rawValue, CharPixel, row) == MagickTrue
            }
            guard isDone else { throw PluginError(.limitExceeded, "no memory is left for the picture's pixels") }
        }
        return rows.bitmap
    }
}
